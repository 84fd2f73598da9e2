import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'

/**
 * @typedef {{ apiVersion: string, kind: string, metadata: { name: string, [key: string]: any }, [key: string]: any }} Resource
 * @typedef {{ op: 'add' | 'replace' | 'remove', path: string, value?: unknown }} Operation
 * @typedef {{ name: string, behavior?: 'merge', files?: string[], literals?: string[] }} Generator
 * @typedef {{ target: { kind: string, name: string }, patch: string }} Patch
 * @typedef {{
 *   namespace?: string, labels?: Array<{ pairs: Record<string, string> }>, resources?: string[], components?: string[],
 *   configMapGenerator?: Generator[], images?: Array<{ name: string, newName?: string, newTag?: string }>, patches?: Patch[]
 * }} Kustomization
 */

const KNOWN = new Set([
  'apiVersion',
  'kind',
  'namespace',
  'labels',
  'resources',
  'components',
  'configMapGenerator',
  'images',
  'patches'
])

/**
 * Renders the features of kustomize that our kustomizations use, and refuses unknown ones.
 * @param {string} folder
 * @returns {Resource[]}
 */
export function render(folder) {
  /** @type {Resource[]} */
  const resources = []
  transform(folder, resources)
  return resources
}

/** @param {string} folder @returns {Kustomization} */
export function readKustomization(folder) {
  const kustomization = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'))
  for (const key of Object.keys(kustomization)) {
    if (!KNOWN.has(key)) throw new Error(`${folder}: this renderer does not know ${key}`)
  }
  return kustomization
}

/**
 * A component transforms the resources of the including kustomization, as a kustomization does its own.
 * @param {string} folder
 * @param {Resource[]} resources
 */
function transform(folder, resources) {
  const kustomization = readKustomization(folder)
  for (const path of kustomization.resources ?? []) resources.push(...load(join(folder, path)))
  for (const path of kustomization.components ?? []) transform(join(folder, path), resources)
  for (const generator of kustomization.configMapGenerator ?? []) generate(folder, generator, resources)
  for (const patch of kustomization.patches ?? []) applyPatch(folder, patch, resources)
  for (const resource of resources) {
    if (kustomization.namespace !== undefined && resource.kind !== 'Namespace') {
      resource.metadata.namespace = kustomization.namespace
    }
    for (const { pairs } of kustomization.labels ?? []) {
      resource.metadata.labels = { ...resource.metadata.labels, ...pairs }
    }
  }
  for (const { name, newName, newTag } of kustomization.images ?? []) {
    rename(resources, name, `${newName ?? name}${newTag === undefined ? '' : `:${newTag}`}`)
  }
}

/**
 * The input of `kubectl apply`: each ConfigMap's name, and every reference to it, ends in a hash of its data.
 * @param {Resource[]} resources
 * @returns {Resource[]}
 */
export function withHashes(resources) {
  const named = structuredClone(resources)
  /** @type {Map<string, string>} */
  const names = new Map()
  for (const { kind, metadata, data } of named) {
    if (kind !== 'ConfigMap') continue
    const hash = createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, 10)
    names.set(metadata.name, `${metadata.name}-${hash}`)
    metadata.name += `-${hash}`
  }
  renameReferences(named, names)
  return named
}

/** @param {any} value @param {Map<string, string>} names */
function renameReferences(value, names) {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'configMapRef' || key === 'configMap') inner.name = names.get(inner.name)
    else renameReferences(inner, names)
  }
}

/** @param {string} folder @param {Patch} patch @param {Resource[]} resources */
function applyPatch(folder, { target, patch }, resources) {
  const matching = resources.filter(
    ({ kind, metadata }) => kind === target.kind && metadata.name === target.name
  )
  const [resource] = matching
  if (resource === undefined || matching.length > 1) {
    throw new Error(`${folder}: ${matching.length} resources fit the patch of ${target.kind} ${target.name}`)
  }
  const operations = parse(patch)
  if (Array.isArray(operations)) for (const operation of operations) apply(resource, operation)
  else if (operations.$patch === 'delete') resources.splice(resources.indexOf(resource), 1)
  else throw new Error(`${folder}: this renderer does not know the patch ${patch}`)
}

/** @param {string} path @returns {Resource[]} */
export function load(path) {
  if (statSync(path).isDirectory()) return render(path)
  return parseAllDocuments(readFileSync(path, 'utf8'), { uniqueKeys: true }).map((document) => {
    if (document.errors.length > 0) throw new Error(`${path}: ${document.errors[0]?.message}`)
    return document.toJS()
  })
}

/**
 * A generator's data.
 * @param {string} folder
 * @param {Generator} generator
 * @returns {Record<string, string>}
 */
export function dataOf(folder, { files = [], literals = [] }) {
  // Like kustomize, refuses files above the kustomization's folder.
  if (files.some((file) => file.startsWith('..'))) {
    throw new Error(`${folder}: files of a generator must lie below it`)
  }
  return Object.fromEntries([
    ...files.map((file) => [basename(file), readFileSync(join(folder, file), 'utf8')]),
    ...literals.map((literal) => [
      literal.slice(0, literal.indexOf('=')),
      literal.slice(literal.indexOf('=') + 1)
    ])
  ])
}

/**
 * Without the hash that kustomize appends to the name: see withHashes.
 * @param {string} folder
 * @param {Generator} generator
 * @param {Resource[]} resources
 */
function generate(folder, generator, resources) {
  const { name, behavior } = generator
  const data = dataOf(folder, generator)
  const known = resources.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name)
  if ((known !== undefined) !== (behavior === 'merge')) {
    throw new Error(`${folder}: ConfigMap ${name} is there or is not, unlike expected`)
  }
  if (known === undefined) resources.push({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data })
  else Object.assign(known.data, data)
}

/** The keys of a JSON pointer. @param {string} path */
export const keysOf = (path) =>
  path
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))

/** JSON Patch, as far as it is used. @param {any} target @param {Operation} operation */
function apply(target, { op, path, value }) {
  const keys = keysOf(path)
  const last = keys.pop() ?? ''
  const parent = keys.reduce((inner, key) => inner?.[key], target)
  if (parent === undefined || (op !== 'add' && !(last in parent))) {
    throw new Error(`${path} is not there to ${op}`)
  }
  if (last === '-') parent.push(value)
  else if (op === 'remove' && Array.isArray(parent)) parent.splice(Number(last), 1)
  else if (op === 'remove') delete parent[last]
  else parent[last] = value
}

/** @param {any} value @param {string} from @param {string} to */
function rename(value, from, to) {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'image' && inner === from) value[key] = to
    else rename(inner, from, to)
  }
}
