// Writes .env.example and docs/configuration.md from the apps' own schemas; with --check only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { DeliveryWorkerConfig } from '../../../apps/delivery-worker/dist/src/config.js'
import { InferenceWorkerConfig } from '../../../apps/inference-worker/dist/src/config.js'
import { ScanWorkerConfig } from '../../../apps/scan-worker/dist/src/config.js'
import { GatewayConfig } from '../../../packages/domain/dist/src/gateway-config.js'
import { StackConfig } from '../../local/dist/src/options.js'

const apps = {
  gateway: GatewayConfig,
  'scan-worker': ScanWorkerConfig,
  'inference-worker': InferenceWorkerConfig,
  'delivery-worker': DeliveryWorkerConfig,
  'npm start': StackConfig
}

/** @type {Map<string, { schema: any, readBy: string[], required: boolean }>} */
const variables = new Map()
for (const [app, { properties, required = [] }] of Object.entries(apps)) {
  for (const [key, schema] of Object.entries(properties)) {
    const known = variables.get(key) ?? { schema, readBy: [], required: false }
    // A setting that is optional for one process may be required by another.
    known.required ||= required.includes(key) && schema.default === undefined
    if (!known.readBy.includes(app)) known.readBy.push(app)
    variables.set(key, known)
  }
}
const sorted = [...variables].sort(([a], [b]) => (a < b ? -1 : 1))
const fallbackOf = ({ schema, required }) =>
  schema.default !== undefined ? String(schema.default) : required ? 'required' : ''

const table = `# Configuration

Look up a setting: its default, the processes that read it, and what it does.

Every process reads environment variables and nothing else, checks all of them at start and names every bad one at once.
\`npm start\` also reads a \`.env\` file in the root and sets what the processes need to find each other; a variable set by hand always wins.

During a [move to another store](operations/storage.md#move-to-another-store), the settings of the other store have the same names with the prefix \`SECOND_\`.

This page and \`.env.example\` are generated: \`npm run docs\`.

| variable | default | read by | what it does |
|---|---|---|---|
${sorted.map(([key, entry]) => `| \`${key}\` | ${fallbackOf(entry) === '' ? '' : `\`${fallbackOf(entry)}\``} | ${entry.readBy.join(', ')} | ${entry.schema.description} |`).join('\n')}
`

const example = `# Every setting of Filewright with its default. Copy to .env and change what you need; docs/configuration.md says who reads what.

${sorted.map(([key, entry]) => `# ${entry.schema.description}\n#${key}=${entry.schema.default ?? ''}`).join('\n\n')}
`

const check = process.argv.includes('--check')
const stale = []
for (const [name, text] of [
  ['docs/configuration.md', table],
  ['.env.example', example]
]) {
  const path = fileURLToPath(new URL(`../../../${name}`, import.meta.url))
  if (!check) writeFileSync(path, text)
  else if (readFileSync(path, 'utf8') !== text) stale.push(name)
}
if (stale.length > 0) {
  console.error(`${stale.join(' and ')} do not match the schemas; run: npm run docs`)
  process.exitCode = 1
}
