import neostandard from 'neostandard'

export default [
  // Prettier decides the layout.
  ...neostandard({
    ts: true,
    noStyle: true,
    ignores: ['**/dist/**', '**/.data/**', 'packages/db/src/generated/**']
  }),
  {
    rules: {
      // A schema and its type share a name; the compiler reports real redeclarations.
      '@typescript-eslint/no-redeclare': 'off',
      // `void promise` says that a promise is left alone on purpose.
      'no-void': ['error', { allowAsStatement: true }]
    }
  },
  {
    // The shipped bundles leave out statements with the label FAILPOINT: all failpoints, and nothing else.
    files: ['{apps,packages,infra}/*/src/**'],
    rules: {
      'no-labels': 'off',
      'no-unused-labels': 'off',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'LabeledStatement:not([label.name="FAILPOINT"][body.expression.callee.name="failpoint"])',
          message: 'The only label is FAILPOINT, on a call of failpoint().'
        },
        {
          selector:
            'CallExpression[callee.name="failpoint"]:not(LabeledStatement > ExpressionStatement > CallExpression)',
          message: 'Write FAILPOINT: failpoint(…).'
        }
      ]
    }
  },
  {
    // Handlers are named for what they do.
    files: ['apps/console/**'],
    rules: {
      'react/jsx-handler-names': 'off'
    }
  },
  {
    // Snippets of other people's code, as text.
    files: ['packages/analysis/**', 'apps/inference-worker/test/**'],
    rules: { 'no-template-curly-in-string': 'off' }
  }
]
