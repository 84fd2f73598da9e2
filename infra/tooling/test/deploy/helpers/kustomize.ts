import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'

export interface Resource {
  apiVersion: string
  kind: string
  metadata: {
    name: string
    namespace?: string
    labels?: Record<string, string>
    annotations?: Record<string, string>
  }
  [key: string]: any
}

interface Operation {
  op: 'add' | 'replace' | 'remove'
  path: string
  value?: unknown
}

interface Generator {
  name: string
  behavior?: 'merge'
  files?: string[]
  literals?: string[]
}

interface Kustomization {
  namespace?: string
  labels?: Array<{ pairs: Record<string, string> }>
  resources?: string[]
  components?: string[]
  configMapGenerator?: Generator[]
  images?: Array<{ name: string; newName?: string; newTag?: string }>
  patches?: Patch[]
}

interface Patch {
  target: { kind: string; name: string }
  patch: string
}

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

/** Renders the features of kustomize that our kustomizations use, and refuses unknown ones. */
export function render(folder: string): Resource[] {
  const resources: Resource[] = []
  transform(folder, resources)
  return resources
}

/** A component does to the resources of who includes it what a kustomization does to its own. */
function transform(folder: string, resources: Resource[]): void {
  const kustomization = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as Kustomization
  for (const key of Object.keys(kustomization)) {
    if (!KNOWN.has(key)) throw new Error(`${folder}: this renderer does not know ${key}`)
  }
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

/** What `kubectl apply` gets: each ConfigMap's name, also where it is referred to, ends in a hash of its data. */
export function withHashes(resources: Resource[]): Resource[] {
  const named = structuredClone(resources)
  const names = new Map<string, string>()
  for (const { kind, metadata, data } of named) {
    if (kind !== 'ConfigMap') continue
    const hash = createHash('sha256').update(JSON.stringify(data)).digest('hex').slice(0, 10)
    names.set(metadata.name, `${metadata.name}-${hash}`)
    metadata.name += `-${hash}`
  }
  renameReferences(named, names)
  return named
}

function renameReferences(value: unknown, names: Map<string, string>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'configMapRef' || key === 'configMap') inner.name = names.get(inner.name)
    else renameReferences(inner, names)
  }
}

function applyPatch(folder: string, { target, patch }: Patch, resources: Resource[]): void {
  const matching = resources.filter(
    ({ kind, metadata }) => kind === target.kind && metadata.name === target.name
  )
  const [resource] = matching
  if (resource === undefined || matching.length > 1) {
    throw new Error(`${folder}: ${matching.length} resources fit the patch of ${target.kind} ${target.name}`)
  }
  const operations = parse(patch) as Operation[] | { $patch: string }
  if (Array.isArray(operations)) for (const operation of operations) apply(resource, operation)
  else if (operations.$patch === 'delete') resources.splice(resources.indexOf(resource), 1)
  else throw new Error(`${folder}: this renderer does not know the patch ${patch}`)
}

function load(path: string): Resource[] {
  if (statSync(path).isDirectory()) return render(path)
  return parseAllDocuments(readFileSync(path, 'utf8'), { uniqueKeys: true }).map((document) => {
    if (document.errors.length > 0) throw new Error(`${path}: ${document.errors[0]?.message}`)
    return document.toJS() as Resource
  })
}

/** Without the hash that kustomize appends to the name: see withHashes. */
function generate(
  folder: string,
  { name, behavior, files = [], literals = [] }: Generator,
  resources: Resource[]
): void {
  // As kustomize does it: nothing above the kustomization's own folder.
  if (files.some((file) => file.startsWith('..'))) {
    throw new Error(`${folder}: files of a generator must lie below it`)
  }
  const data = Object.fromEntries([
    ...files.map((file) => [basename(file), readFileSync(join(folder, file), 'utf8')]),
    ...literals.map((literal) => [
      literal.slice(0, literal.indexOf('=')),
      literal.slice(literal.indexOf('=') + 1)
    ])
  ]) as Record<string, string>
  const known = resources.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name)
  if ((known !== undefined) !== (behavior === 'merge')) {
    throw new Error(`${folder}: ConfigMap ${name} is there or is not, unlike expected`)
  }
  if (known === undefined) resources.push({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data })
  else Object.assign(known['data'], data)
}

/** JSON Patch, as far as it is used. */
function apply(target: any, { op, path, value }: Operation): void {
  const keys = path
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  const last = keys.pop() ?? ''
  const parent = keys.reduce((inner, key) => inner?.[key], target)
  if (parent === undefined || (op !== 'add' && !(last in parent))) {
    throw new Error(`${path} is not there to ${op}`)
  }
  if (last === '-') parent.push(value)
  else if (op === 'remove') delete parent[last]
  else parent[last] = value
}

function rename(value: unknown, from: string, to: string): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'image' && inner === from) (value as Record<string, unknown>)[key] = to
    else rename(inner, from, to)
  }
}
