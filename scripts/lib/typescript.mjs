import path from 'node:path'

import { root } from './run.mjs'

/**
 * Loads a TypeScript file of the checkout with everything it imports, by Vite's module runner: Node 20 cannot. For
 * programs of the developer only; the app itself is built.
 * @template T
 * @param {string} file relative to the checkout
 * @returns {Promise<T>} its exports
 */
export async function importTypeScript(file) {
  const { runnerImport } = await import('vite')
  const { module } = await runnerImport(path.join(root, file), { root, configFile: false, logLevel: 'error' })
  return module
}

/** Bundles one TypeScript file for Node, with the packages left outside, as the app's main process is built. */
export async function bundleTypeScript(file, outDir) {
  const { build } = await import('vite')
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: { ssr: path.join(root, file), outDir, target: 'node20.18', emptyOutDir: true },
  })
  return path.join(outDir, `${path.basename(file, '.ts')}.js`)
}
