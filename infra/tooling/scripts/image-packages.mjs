import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string[]} [files]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, { optional?: boolean }>} [peerDependenciesMeta]
 */

/** @param {string} folder @returns {Manifest} */
export const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Whether the package is one of our workspaces. */
export const isOurs = (/** @type {Manifest} */ { name }) => name.startsWith('@filewright/')

/**
 * The folders of the packages outside an app's bundle, with their dependencies.
 * @param {string} root
 * @param {string} app
 */
export function imagePackages(root, app) {
  /** @type {Set<string>} */
  const folders = new Set()

  /**
   * @param {string} name
   * @param {string} from the folder of the package that requires it
   */
  function add(name, from, isOptional = false) {
    const folder = findPackage(name, from, root)
    if (folder === null) {
      if (isOptional) return
      throw new Error(`${name}, which ${from} needs, is not installed`)
    }
    if (folders.has(folder)) return
    folders.add(folder)
    const manifest = manifestOf(folder)
    // Its code is in the bundle.
    if (isOurs(manifest)) return
    const {
      dependencies = {},
      optionalDependencies = {},
      peerDependencies = {},
      peerDependenciesMeta = {}
    } = manifest
    for (const needed of Object.keys(dependencies)) {
      if (!(needed in optionalDependencies)) add(needed, folder)
    }
    const peers = Object.keys(peerDependencies).filter(
      (peer) => peerDependenciesMeta[peer]?.optional !== true
    )
    for (const each of [...Object.keys(optionalDependencies), ...peers]) add(each, folder, true)
  }

  for (const name of Object.keys(manifestOf(bundleFolder(root, app)).dependencies ?? {})) add(name, root)
  return [...folders]
}

export const bundleFolder = (/** @type {string} */ root, /** @type {string} */ app) =>
  join(root, 'apps', app, 'dist', 'bundle')

/**
 * Searches like Node: in each node_modules from the folder up.
 * @param {string} name @param {string} from @param {string} root
 */
function findPackage(name, from, root) {
  for (let folder = from; folder.startsWith(root); folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name)
    if (existsSync(join(found, 'package.json'))) return found
  }
  return null
}
