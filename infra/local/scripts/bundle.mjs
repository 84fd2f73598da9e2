import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const ROOT = resolve(fileURLToPath(new URL('.', import.meta.url)), '../../..')
const APPS = ['gateway', 'scan-worker', 'inference-worker']

/** For tests of faults, in a folder of their own; what is shipped has none. */
const FAILPOINTS = process.argv.includes('--failpoints')

/** Left where they are: what finds files beside itself, and what is loaded only when it is used. */
const EXTERNAL = ['@filewright/analysis', '@google-cloud/storage', '@bull-board/*', '@opentelemetry/*', 'prom-client']

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

// One file instead of two thousand: finding and reading modules is most of what an app's start costs.
const { outputFiles } = await build({
  absWorkingDir: ROOT,
  entryPoints: APPS.map((app) => ({ in: join('apps', app, 'dist', 'src', 'main.js'), out: join(app, 'dist', FAILPOINTS ? 'failpoints' : 'bundle', 'main') })),
  outdir: join(ROOT, 'apps'),
  bundle: true,
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

// Whole or not at all: an app may be starting from the old one.
for (const { path, contents } of outputFiles) {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.${process.pid}`, contents)
  await rename(`${path}.${process.pid}`, path)
}
