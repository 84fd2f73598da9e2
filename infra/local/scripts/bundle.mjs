import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const ROOT = resolve(fileURLToPath(new URL('.', import.meta.url)), '../../..')
/** @type {Record<string, Record<string, string>>} */
const APPS = {
  gateway: { main: 'main', admin: 'admin/main' },
  'scan-worker': { main: 'main' },
  'inference-worker': { main: 'main' }
}

/** For tests of faults, in a folder of their own; what is shipped has none. */
const FAILPOINTS = process.argv.includes('--failpoints')

/** Left where they are: what finds files beside itself, and what is loaded only when it is used. */
const EXTERNAL = ['@prisma/schema-engine-wasm', '@google-cloud/storage', '@bull-board/*', '@opentelemetry/*', 'prom-client']

/** Packages in CommonJS ask for these. */
const BANNER = `
import { createRequire as requireFrom } from 'node:module'
import { fileURLToPath as pathOf } from 'node:url'
const require = requireFrom(import.meta.url)
const __filename = pathOf(import.meta.url)
const __dirname = pathOf(new URL('.', import.meta.url))
`

/** @type {import('esbuild').Plugin} */
const withoutFailpoints = {
  name: 'without-failpoints',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/(apps|packages)\/[^/]+\/dist\/src\/.*\.js$/ }, async ({ path }) => {
      return { contents: (await readFile(path, 'utf8')).replace(/^ *failpoint\('.*\n/gm, ''), loader: 'js' }
    })
  }
}

/** esbuild names every function that is made, closures in the hottest paths too; nearly all have their name already. */
const NAME = 'var __name = (target, value) => __defProp(target, "name", { value, configurable: true });'
const CHEAPER = 'var __name = (target, value) => target.name === value ? target : __defProp(target, "name", { value, configurable: true });'

/** Pieces of earlier builds stay that long: an app that runs from one may still load them. */
const KEEP_MS = 24 * 3_600_000

/**
 * A few files instead of two thousand: finding and reading modules is most of what an app's start costs. What the sources import when it is needed is a
 * file of its own here as well; in one file, even the packages that only it needs would be loaded at the start.
 * @param {string} app
 * @param {Record<string, string>} entries
 */
async function bundle (app, entries) {
  const folder = join(ROOT, 'apps', app, 'dist', FAILPOINTS ? 'failpoints' : 'bundle')
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: Object.entries(entries).map(([out, entry]) => ({ in: join('apps', app, 'dist', 'src', `${entry}.js`), out })),
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: EXTERNAL,
    plugins: FAILPOINTS ? [] : [withoutFailpoints],
    banner: { js: BANNER },
    // Names appear in errors and in their stacks.
    keepNames: true,
    logLevel: 'error',
    write: false
  })
  if (!outputFiles.some(({ text }) => text.includes(NAME))) throw new Error('esbuild names functions in another way now')
  await mkdir(folder, { recursive: true })
  // The entries last, each whole or not at all: an app may be starting from the old ones.
  const isEntry = (/** @type {string} */ path) => basename(path, '.js') in entries
  for (const { path, text } of outputFiles.sort((a, b) => Number(isEntry(a.path)) - Number(isEntry(b.path)))) {
    await writeFile(`${path}.${process.pid}`, text.replace(NAME, CHEAPER))
    await rename(`${path}.${process.pid}`, path)
  }
  const made = new Set(outputFiles.map(({ path }) => path))
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (!made.has(path) && (await stat(path)).mtimeMs < Date.now() - KEEP_MS) await rm(path)
  }
}

await Promise.all(Object.entries(APPS).map(async ([app, entries]) => { await bundle(app, entries) }))
