// Gathers what an image holds of ours: node infra/tooling/scripts/pack.mjs <app> <folder>
// That is the app's bundle, byte for byte, and the packages that its package.json names, with theirs.
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = resolve(fileURLToPath(new URL('.', import.meta.url)), '../../..')

/** For people and compilers. */
const NEVER_RUN = /\.(map|[cm]?ts|md|c|h)$/
const NEVER_LOADED = new Set(['node_modules', '.github', 'docs', 'example', 'examples', 'test', 'tests'])
/** ast-grep's parsers come for every system; the names are theirs. */
const PREBUILD = `prebuild-Linux-${process.arch.toUpperCase()}`

/**
 * @typedef {object} Manifest
 * @property {string[]} [files]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, { optional?: boolean }>} [peerDependenciesMeta]
 */

/** @param {string} folder @returns {Manifest} */
const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** @param {string} app @param {string} target */
function pack(app, target) {
  const bundle = join(ROOT, 'apps', app, 'dist', 'bundle')
  const { files = [], dependencies = {} } = manifestOf(bundle)
  for (const name of ['package.json', ...files]) cpSync(join(bundle, name), join(target, name))
  const copied = new Set()
  for (const name of Object.keys(dependencies)) copyPackage(name, ROOT, target, copied)
}

/**
 * To the same place below the target, and then what it needs itself.
 * @param {string} name
 * @param {string} from the folder of the package that asks
 * @param {string} target
 * @param {Set<string>} copied
 */
function copyPackage(name, from, target, copied) {
  const folder = findPackage(name, from)
  if (copied.has(folder)) return
  copied.add(folder)
  const place = join(target, folder.slice(ROOT.length))
  const manifest = manifestOf(folder)
  // A workspace is in the bundle. Only the files that it names are missing.
  if (name.startsWith('@filewright/')) {
    for (const each of ['package.json', ...(manifest.files ?? [])]) {
      cpSync(join(folder, each), join(place, each), { recursive: true, dereference: true })
    }
    return
  }
  cpSync(folder, place, { recursive: true, filter: (path) => path === folder || isRun(path) })
  const {
    dependencies = {},
    optionalDependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {}
  } = manifest
  for (const needed of Object.keys(dependencies)) {
    if (!(needed in optionalDependencies)) copyPackage(needed, folder, target, copied)
  }
  const peers = Object.keys(peerDependencies).filter((peer) => peerDependenciesMeta[peer]?.optional !== true)
  for (const each of [...Object.keys(optionalDependencies), ...peers]) {
    if (findPackage(each, folder, true) !== '') copyPackage(each, folder, target, copied)
  }
}

/** @param {string} path */
function isRun(path) {
  if (basename(dirname(path)) === 'prebuilds') return basename(path) === PREBUILD
  return !NEVER_RUN.test(path) && !NEVER_LOADED.has(basename(path))
}

/**
 * As Node does: in each node_modules from the folder up.
 * @param {string} name @param {string} from
 */
function findPackage(name, from, isOptional = false) {
  for (let folder = from; folder.startsWith(ROOT); folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name)
    if (existsSync(join(found, 'package.json'))) return found
  }
  if (isOptional) return ''
  throw new Error(`${name}, which ${from} needs, is not installed`)
}

const [app = '', target = ''] = process.argv.slice(2)
pack(app, resolve(target))
