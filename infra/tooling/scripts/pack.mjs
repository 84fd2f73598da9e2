// Collects our contents of an image: node infra/tooling/scripts/pack.mjs <app> <folder> These are the app's
// bundle, byte for byte, the packages that its package.json names, with theirs, and the licences of all.
import { cpSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleFolder, imagePackages, isOurs, manifestOf } from './image-packages.mjs'
import { NOTICES, noticesOfImage } from './notices.mjs'

const ROOT = resolve(fileURLToPath(new URL('.', import.meta.url)), '../../..')

/** For people and compilers. */
const NEVER_RUN = /\.(map|[cm]?ts|md|c|h)$/
const NEVER_LOADED = new Set(['node_modules', '.github', 'docs', 'example', 'examples', 'test', 'tests'])
/** ast-grep's packages contain parsers for every system, under these names. */
const PREBUILD = `prebuild-Linux-${process.arch.toUpperCase()}`

/** @param {string} app @param {string} target */
function pack(app, target) {
  const bundle = bundleFolder(ROOT, app)
  const { files = [] } = manifestOf(bundle)
  for (const name of ['package.json', ...files]) cpSync(join(bundle, name), join(target, name))
  for (const folder of imagePackages(ROOT, app)) copyPackage(folder, join(target, folder.slice(ROOT.length)))
  writeFileSync(join(target, NOTICES), noticesOfImage(ROOT, app))
}

/** @param {string} folder @param {string} place */
function copyPackage(folder, place) {
  const manifest = manifestOf(folder)
  // The workspace's code is in the bundle. Only the files that it names are missing there.
  if (isOurs(manifest)) {
    for (const each of ['package.json', ...(manifest.files ?? [])]) {
      cpSync(join(folder, each), join(place, each), { recursive: true, dereference: true })
    }
  } else cpSync(folder, place, { recursive: true, filter: (path) => path === folder || isRun(path) })
}

/** @param {string} path */
function isRun(path) {
  if (basename(dirname(path)) === 'prebuilds') return basename(path) === PREBUILD
  return !NEVER_RUN.test(path) && !NEVER_LOADED.has(basename(path))
}

const [app = '', target = ''] = process.argv.slice(2)
pack(app, resolve(target))
