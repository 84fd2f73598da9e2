// Builds one bundle of each app: a few files instead of two thousand, because finding and reading modules is
// most of the startup time. `--failpoints` keeps the failpoints, for fault tests. Further arguments name
// single workspaces.
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundledFolders, licensesOf } from './bundle-licenses.mjs'
import { nodeBundle } from './bundle-options.mjs'
import { BUNDLES } from './bundles.mjs'
import { bundleConsole, CONSOLE } from './bundle-console.mjs'
import { removeOld, replaceFile } from './bundle-files.mjs'

const ROOT = resolve(fileURLToPath(new URL('.', import.meta.url)), '../../..')
const FAILPOINTS = process.argv.includes('--failpoints')
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))

/** Optional packages that a library would use if they were installed. */
const NOT_INSTALLED = ['pg-native', '@valkey/valkey-glide', 'source-map-support']

const LICENSES = 'licenses.txt'
const SCHEMA = 'packages/schema'

/** @param {import('./bundles.mjs').Bundle} bundle */
async function bundleOf({ workspace, entries, packages }) {
  const folder = join(ROOT, workspace, 'dist', FAILPOINTS ? 'failpoints' : 'bundle')
  const { outputFiles, metafile } = await build({
    ...nodeBundle,
    absWorkingDir: ROOT,
    entryPoints: Object.entries(entries).map(([name, file]) => ({ in: file, out: name })),
    outdir: folder,
    external: [...packages.filter((name) => !name.startsWith('@filewright/')), ...NOT_INSTALLED],
    dropLabels: FAILPOINTS ? [] : ['FAILPOINT'],
    write: false
  })
  refuseUnlisted(workspace, metafile, packages)
  await mkdir(folder, { recursive: true })
  // Dependencies before their importers, and each file atomically: an app may be starting from the old ones.
  const isPart = (/** @type {{ path: string }} */ { path }) => basename(path).startsWith('part-')
  const inOrder = [...outputFiles.filter(isPart), ...outputFiles.filter((file) => !isPart(file))]
  for (const { path, text } of inOrder) await replaceFile(path, text)
  await replaceFile(join(folder, LICENSES), licensesOf(bundledFolders(ROOT, metafile)))
  const files = [...outputFiles.map(({ path }) => basename(path)), LICENSES].sort()
  const manifest = JSON.stringify(manifestOf(workspace, packages, files), null, 2)
  await replaceFile(join(folder, 'package.json'), `${manifest}\n`)
  await removeOld(folder, new Set([...files, 'package.json']))
}

/**
 * The contents of the image: these files and packages.
 * @param {string} workspace
 * @param {readonly string[]} packages
 * @param {readonly string[]} files
 */
function manifestOf(workspace, packages, files) {
  const { name, version } = JSON.parse(readFileSync(join(ROOT, workspace, 'package.json'), 'utf8'))
  const versionOf = (/** @type {string} */ name) =>
    JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')).version
  const dependencies = Object.fromEntries(packages.map((name) => [name, versionOf(name)]))
  return { name, version, private: true, type: 'module', files, dependencies }
}

/**
 * @param {string} workspace
 * @param {import('esbuild').Metafile} metafile
 * @param {readonly string[]} packages
 */
function refuseUnlisted(workspace, { outputs }, packages) {
  const known = new Set([...packages, ...NOT_INSTALLED, ...builtinModules])
  const isKnown = (/** @type {string} */ path) =>
    path.startsWith('node:') || known.has(path) || known.has(packageOf(path))
  const unlisted = Object.values(outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ external, path }) => external && !isKnown(path))
    .map(({ path }) => path)
  if (unlisted.length > 0) throw new Error(`${workspace} would need ${unlisted.join(', ')} beside its bundle`)
}

/** @param {string} path */
const packageOf = (path) =>
  path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/')

const isWanted = (/** @type {string} */ workspace) => wanted.length === 0 || wanted.includes(workspace)

/** One file that the other workspaces import when nothing is bundled, as in tests. */
async function bundleSchema() {
  const { outputFiles } = await build({
    ...nodeBundle,
    absWorkingDir: ROOT,
    entryPoints: [join(SCHEMA, 'dist', 'src', 'index.js')],
    outdir: join(SCHEMA, 'dist', 'bundle'),
    banner: {},
    write: false
  })
  await mkdir(join(ROOT, SCHEMA, 'dist', 'bundle'), { recursive: true })
  for (const { path, text } of outputFiles) await replaceFile(path, text)
}

// The console's bundle runs the list of rules, which imports it.
if (isWanted(SCHEMA) || isWanted(CONSOLE)) await bundleSchema()
if (isWanted(CONSOLE)) await bundleConsole(ROOT)
for (const bundle of BUNDLES) {
  if (isWanted(bundle.workspace)) await bundleOf(bundle)
}
