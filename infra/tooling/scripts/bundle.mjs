import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const ROOT = resolve(fileURLToPath(new URL('.', import.meta.url)), '../../..')
/** @type {Array<{ workspace: string, entries: Record<string, string> }>} compiled files, by the bundle's name */
const BUNDLES = [
  { workspace: 'apps/gateway', entries: { main: 'main.js' } },
  { workspace: 'apps/admin', entries: { main: 'main.js' } },
  { workspace: 'apps/scan-worker', entries: { main: 'main.js' } },
  { workspace: 'apps/inference-worker', entries: { main: 'main.js' } },
  { workspace: 'infra/local', entries: { main: 'main.js', 'sandbox-model': 'sandbox-model.js', 'pglite-server': 'pglite-server.js' } }
]

/** Failpoints are for tests of faults. Bundles that have them lie in a folder of their own. */
const FAILPOINTS = process.argv.includes('--failpoints')

/** Left where they are: what finds files beside itself, and what is loaded only when it is used. */
const EXTERNAL = [
  '@prisma/schema-engine-wasm', '@google-cloud/storage', '@bull-board/*', '@opentelemetry/*', 'prom-client', '@electric-sql/*'
]

/** Packages in CommonJS ask for these. */
const BANNER = `
import { createRequire as requireFrom } from 'node:module'
import { fileURLToPath as pathOf } from 'node:url'
const require = requireFrom(import.meta.url)
const __filename = pathOf(import.meta.url)
const __dirname = pathOf(new URL('.', import.meta.url))
`

/** Parts of earlier builds stay that long: an app that runs from one may still load them. */
const KEEP_MS = 24 * 3_600_000

// A few files instead of two thousand: finding and reading modules is most of what a start costs.
for (const { workspace, entries } of BUNDLES) {
  const folder = join(ROOT, workspace, 'dist', FAILPOINTS ? 'failpoints' : 'bundle')
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: Object.entries(entries).map(([name, file]) => ({ in: join(workspace, 'dist', 'src', file), out: name })),
    outdir: folder,
    bundle: true,
    // What a module loads later stays a file of its own. In one file, its imports of what is left outside would move to the top, into every start.
    splitting: true,
    chunkNames: 'part-[hash]',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: EXTERNAL,
    dropLabels: FAILPOINTS ? [] : ['FAILPOINT'],
    banner: { js: BANNER },
    logLevel: 'error',
    write: false
  })
  await mkdir(folder, { recursive: true })
  // Parts before those that ask for them, and each whole or not at all: an app may be starting from the old ones.
  for (const { path, text } of outputFiles.toSorted((a, b) => Number(b.path.includes('part-')) - Number(a.path.includes('part-')))) {
    await writeFile(`${path}.${process.pid}`, text)
    await rename(`${path}.${process.pid}`, path)
  }
  const made = new Set(outputFiles.map(({ path }) => path))
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (!made.has(path) && (await stat(path)).mtimeMs < Date.now() - KEEP_MS) await rm(path)
  }
}
