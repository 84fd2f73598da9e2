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
  configMapGenerator?: Generator[]
  images?: Array<{ name: string; newName?: string; newTag?: string }>
  patches?: Array<{ target: { kind: string; name: string }; patch: string }>
}

const KNOWN = new Set([
  'apiVersion',
  'kind',
  'namespace',
  'labels',
  'resources',
  'configMapGenerator',
  'images',
  'patches'
])

/** Renders the features of kustomize that our kustomizations use, and refuses unknown ones. */
export function render(folder: string): Resource[] {
  const kustomization = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as Kustomization
  for (const key of Object.keys(kustomization)) {
    if (!KNOWN.has(key)) throw new Error(`${folder}: this renderer does not know ${key}`)
  }
  const resources = [...(kustomization.resources ?? []).flatMap((path) => load(join(folder, path)))]
  for (const generator of kustomization.configMapGenerator ?? []) generate(folder, generator, resources)
  for (const { target, patch } of kustomization.patches ?? []) {
    const matching = resources.filter(
      ({ kind, metadata }) => kind === target.kind && metadata.name === target.name
    )
    if (matching.length !== 1) {
      throw new Error(
        `${folder}: ${matching.length} resources fit the patch of ${target.kind} ${target.name}`
      )
    }
    for (const operation of parse(patch) as Operation[]) apply(matching[0], operation)
  }
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
  return resources
}

function load(path: string): Resource[] {
  if (statSync(path).isDirectory()) return render(path)
  return parseAllDocuments(readFileSync(path, 'utf8'), { uniqueKeys: true }).map((document) => {
    if (document.errors.length > 0) throw new Error(`${path}: ${document.errors[0]?.message}`)
    return document.toJS() as Resource
  })
}

/** Without the hash that kustomize appends to the name and to all references. */
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
  if (op === 'remove') delete parent[last]
  else parent[last] = value
}

function rename(value: unknown, from: string, to: string): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'image' && inner === from) (value as Record<string, unknown>)[key] = to
    else rename(inner, from, to)
  }
}
