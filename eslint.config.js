import { importX } from 'eslint-plugin-import-x'
import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

/** Who may import what; `electron/floors.test.ts` checks the floors, these rules say it in the editor. */
const onlyShellMayImportElectron = {
  name: 'electron',
  message: 'Only main.ts, preload.ts and shell/ import electron; everything else runs in plain Node.',
}

export default tseslint.config(
  { ignores: ['out', 'dist', '.tsc', 'node_modules', 'coverage', 'test-results', '**/*.d.ts'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { 'import-x': importX, 'react-hooks': reactHooks },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/require-await': 'off',
      'import-x/order': [
        'error',
        {
          groups: ['builtin', 'external', 'internal', 'parent', 'sibling', 'index', 'type'],
          'newlines-between': 'always',
          alphabetize: { order: 'asc', caseInsensitive: true },
        },
      ],
      'import-x/no-default-export': 'error',
      'no-restricted-imports': ['error', { paths: [onlyShellMayImportElectron] }],
      'no-console': 'error',
      'no-empty': ['error', { allowEmptyCatch: false }],
    },
  },
  {
    files: ['renderer/**/*.{ts,tsx}'],
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  {
    files: ['electron/main.ts', 'electron/preload.ts', 'electron/shell/**/*.ts'],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    files: ['electron/**/*.ts'],
    ignores: ['electron/mcp/**', '**/*.test.ts'],
    rules: {
      // A packaged app with a top-level await in its main module hangs without a window.
      'no-restricted-syntax': [
        'error',
        { selector: 'Program > ExpressionStatement > AwaitExpression', message: 'No top-level await in electron/.' },
        {
          selector: 'ImportDeclaration[source.value=/^@modelcontextprotocol/]',
          message: 'Only mcp/ imports the MCP SDK.',
        },
      ],
    },
  },
  {
    files: ['*.config.ts', 'electron.vite.config.ts', 'playwright.config.ts'],
    rules: { 'import-x/no-default-export': 'off' },
  },
  {
    files: ['electron/cli.ts', 'electron/cli/**/*.ts', 'bench/**/*.ts', 'e2e/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
)
