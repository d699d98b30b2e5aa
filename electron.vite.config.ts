import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

/** Targets are those of the older Electron used for tests where the current one cannot be downloaded; they run on both. */
export default defineConfig({
  main: {
    build: {
      target: 'node20.18',
      // zod is needed at once and comes in a hundred files: bundled, the rooms load in two thirds of the time.
      externalizeDeps: { exclude: ['zod'] },
      rolldownOptions: {
        input: { main: 'electron/main.ts', cli: 'electron/cli.ts' },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
      outDir: 'out/main',
    },
  },
  preload: {
    build: {
      target: 'node20.18',
      // A sandboxed preload can require nothing but electron: all is bundled into one CommonJS file.
      externalizeDeps: false,
      rolldownOptions: {
        input: { preload: 'electron/preload.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
      outDir: 'out/preload',
    },
  },
  renderer: {
    root: 'renderer',
    plugins: [react(), tailwindcss()],
    build: {
      target: 'chrome130',
      minify: true,
      rolldownOptions: { input: 'renderer/index.html' },
      outDir: 'out/renderer',
      chunkSizeWarningLimit: 1500,
    },
  },
})
