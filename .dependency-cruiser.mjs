// Imports point downwards only: apps → domain → adapters → analysis, file-types → contracts, runtime → schema.
// Each SDK has one home.
const adapters = ['queue', 'db', 'blob-store', 'scanner', 'llm', 'webhooks']
/** They run the product and are not part of it. */
const suites = 'acceptance|chaos|bench|realfiles'
const src = (...names) => `^packages/(${names.join('|')})/src`
const homes = {
  db: '@prisma/|prisma/|pg/',
  'blob-store': '@google-cloud/|@aws-sdk/',
  scanner: 'clamscan/|@cantoo/pdf-lib/|7z-wasm/',
  'file-types': 'file-type/|jschardet/',
  schema: 'typebox/',
  llm: 'ollama/',
  queue: 'bullmq/|ioredis/',
  telemetry: 'prom-client/|@opentelemetry/(sdk|exporter|resources)'
}

export default {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'leaves-stand-on-schema',
      severity: 'error',
      from: { path: src('contracts', 'runtime') },
      to: { path: '^(apps|infra)/|^packages/', pathNot: '^packages/($1|schema)/' }
    },
    {
      name: 'telemetry-stands-on-runtime',
      severity: 'error',
      from: { path: src('telemetry') },
      to: { path: '^(apps|infra)/|^packages/', pathNot: '^packages/(telemetry|runtime)/' }
    },
    {
      name: 'analysis-and-file-types-stand-on-the-leaves',
      severity: 'error',
      from: { path: src('analysis', 'file-types') },
      to: { path: '^(apps|infra)/|^packages/', pathNot: '^packages/($1|contracts|runtime|schema)/' }
    },
    {
      name: 'rewrites-stand-on-analysis',
      severity: 'error',
      from: { path: src('rewrites') },
      to: { path: '^(apps|infra)/|^packages/', pathNot: '^packages/(rewrites|analysis|contracts)/' }
    },
    {
      name: 'adapters-do-not-know-each-other',
      severity: 'error',
      from: { path: `^packages/(${adapters.join('|')})/src` },
      to: {
        path: '^(apps|infra)/|^packages/',
        pathNot: '^packages/($1|analysis|file-types|contracts|runtime|schema)/'
      }
    },
    {
      name: 'domain-stands-on-adapters',
      severity: 'error',
      from: { path: src('domain') },
      to: {
        path: '^(apps|infra)/|^packages/',
        pathNot: '^packages/(domain|queue|db|blob-store|webhooks|contracts|runtime|schema)/'
      }
    },
    {
      name: 'worker-stands-on-queue-and-telemetry',
      severity: 'error',
      from: { path: src('worker') },
      to: { path: '^(apps|infra)/|^packages/', pathNot: '^packages/(worker|queue|telemetry|runtime|schema)/' }
    },
    {
      name: 'apps-do-not-know-each-other',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^(apps|infra)/', pathNot: '^apps/$1/' }
    },
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      from: { path: '^(apps|packages|infra)/[^/]+/src', pathNot: `^packages/(testing|${suites})/` },
      to: { path: '^packages/testing/' }
    },
    {
      name: 'testing-stands-on-runtime',
      severity: 'error',
      from: { path: src('testing') },
      to: { path: '^(apps|infra)/|^packages/', pathNot: '^packages/(testing|runtime|sandbox-model)/' }
    },
    {
      name: 'stand-ins-stand-on-runtime',
      severity: 'error',
      from: { path: src('sandbox-model', 'embedded-postgres') },
      to: { path: '^(apps|infra)/|^packages/', pathNot: '^packages/($1|runtime)/' }
    },
    {
      name: 'the-product-has-no-stand-ins',
      severity: 'error',
      from: {
        path: '^(apps|packages)/[^/]+/src',
        pathNot: src('sandbox-model', 'embedded-postgres', 'testing')
      },
      to: { path: '^packages/(sandbox-model|embedded-postgres)/' }
    },
    {
      name: 'suites-import-no-app',
      severity: 'error',
      from: { path: `^packages/(${suites})/` },
      to: { path: '^apps/' }
    },
    {
      name: 'the-client-takes-types-alone',
      severity: 'error',
      from: { path: src('client') },
      to: {
        path: '^(apps|infra)/|^packages/',
        pathNot: '^packages/client/',
        dependencyTypesNot: ['type-only']
      }
    },
    {
      name: 'the-command-line-stands-on-the-client',
      severity: 'error',
      from: { path: '^apps/cli/src' },
      to: {
        path: '^packages/',
        pathNot: '^packages/(client|contracts)/|^packages/webhooks/(src|dist/src)/sign\\.'
      }
    },
    ...Object.entries(homes).map(([home, sdk]) => ({
      name: `${home}-is-the-home-of-its-sdk`,
      severity: 'error',
      from: { path: '^(apps|packages)/[^/]+/src', pathNot: `^packages/(${home}|testing|${suites})/` },
      to: { path: `node_modules/(${sdk})` }
    }))
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/dist/', 'src/generated'] },
    exclude: { path: 'src/generated' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['unbundled', 'import', 'default'] }
  }
}
