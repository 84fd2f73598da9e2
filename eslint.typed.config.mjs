import typescript from 'typescript-eslint'

/** Rules that need the compiler's types, and with them a minute: .ci/run and `npm run lint` hold them. */
export default [
  { ignores: ['**/dist/**', '**/.data/**', 'packages/db/src/generated/**'] },
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { '@typescript-eslint': typescript.plugin },
    // Other rules' directives are not this run's.
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    languageOptions: {
      parser: typescript.parser,
      parserOptions: {
        projectService: { allowDefaultProject: ['packages/db/prisma.config.ts'] },
        tsconfigRootDir: import.meta.dirname
      }
    },
    rules: {
      '@typescript-eslint/no-floating-promises': [
        'error',
        // tap runs subtests in order and waits for them itself.
        { allowForKnownSafeCalls: [{ from: 'package', package: '@tapjs/test', name: 'test' }] }
      ],
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      // A default is an answer for every case that is not named.
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true }
      ]
    }
  }
]
