/**
 * @typedef {object} Bundle
 * @property {string} workspace
 * @property {Record<string, string>} entries compiled files, by their names in the bundle
 * @property {readonly string[]} packages packages left outside: those that read their own files, data, and
 * native code
 */

const TELEMETRY = [
  '@opentelemetry/api',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-node',
  'prom-client'
]
const GOOGLE = '@google-cloud/storage'
/** Our own code is in the bundle. This one also has SQL files. */
const MIGRATIONS = '@filewright/db'
/** This one also has the samples. */
const SAMPLES = '@filewright/sandbox-model'
/** The console's files, built for browsers. */
const CONSOLE = '@filewright/console'
const MIGRATION_ENGINE = '@prisma/schema-engine-wasm'

/** @type {readonly Bundle[]} */
export const BUNDLES = [
  {
    workspace: 'apps/gateway',
    entries: { main: 'apps/gateway/dist/src/main.js' },
    packages: ['@bull-board/ui', 'swagger-ui-dist', CONSOLE, GOOGLE, MIGRATIONS, ...TELEMETRY]
  },
  {
    workspace: 'apps/admin',
    entries: { main: 'apps/admin/dist/src/main.js' },
    packages: [GOOGLE, MIGRATIONS, MIGRATION_ENGINE]
  },
  {
    workspace: 'apps/scan-worker',
    entries: {
      main: 'apps/scan-worker/dist/src/main.js',
      'pdf.worker': 'packages/scanner/dist/src/documents/pdf/pdf.worker.js',
      'seven-zip.worker': 'packages/scanner/dist/src/unpack/seven-zip.worker.js'
    },
    packages: ['7z-wasm', GOOGLE, ...TELEMETRY]
  },
  {
    workspace: 'apps/inference-worker',
    entries: {
      main: 'apps/inference-worker/dist/src/main.js',
      'analysis.worker': 'apps/inference-worker/dist/src/analysis-pool/analysis.worker.js'
    },
    packages: [
      '@ast-grep/lang-bash',
      '@ast-grep/lang-go',
      '@ast-grep/lang-java',
      '@ast-grep/lang-python',
      '@ast-grep/lang-rust',
      '@ast-grep/napi',
      '@astral-sh/ruff-wasm-nodejs',
      '@jitl/quickjs-wasmfile-release-sync',
      '@wasm-fmt/gofmt',
      'css-tree',
      'libpg-query',
      'pyodide',
      'sh-syntax',
      ...TELEMETRY
    ]
  },
  {
    workspace: 'apps/delivery-worker',
    entries: { main: 'apps/delivery-worker/dist/src/main.js' },
    packages: [...TELEMETRY]
  },
  {
    workspace: 'infra/local',
    entries: {
      main: 'infra/local/dist/src/main.js',
      'pglite-server': 'infra/local/dist/src/pglite-server.js',
      'sandbox-model': 'infra/local/dist/src/sandbox-model.js'
    },
    packages: ['@electric-sql/pglite', '@electric-sql/pglite-socket', MIGRATIONS, MIGRATION_ENGINE, SAMPLES]
  }
]
