import { bucketProviderOf, storageClasses, type StorageClass } from '@filewright/blob-store'
import { effectiveQuota, parseProjectId, type StoreView } from '@filewright/domain'
import { storeConfigs } from './configured-stores.js'
import { table, UsageError, type AdminFlags, type AdminAdapters, type CommandResult } from './command.js'
import { defaultQuotasFrom, quotaJson, requiredQuotaOf, shownLimit, shownQuota } from './quota-flags.js'

export async function projectList({ database }: AdminAdapters): Promise<CommandResult> {
  const list = (await database().projects.list()).map(({ id, createdAt, files, bytes }) => ({
    id,
    created_at: createdAt.toISOString(),
    files,
    bytes
  }))
  const rows = list.map((project) => [
    project.id,
    String(project.files),
    String(project.bytes),
    project.created_at
  ])
  return { json: list, text: table(['PROJECT', 'FILES', 'BYTES', 'CREATED'], rows) }
}

export async function projectUsage(
  { database, env }: AdminAdapters,
  id: string | undefined
): Promise<CommandResult> {
  if (id === undefined) throw new UsageError('project usage needs the id of a project')
  const usage = await database().projects.usage(id)
  if (usage === null) return { json: null, text: `There is no project named ${id}`, failed: true }
  const allowed = effectiveQuota(await database().quotas.ofProject(id), defaultQuotasFrom(env).project)
  const { trash } = await database().quotas.usedByProject(id, '')
  const { maxFiles, maxBytes } = allowed
  const rows = Object.entries(usage.byKind).map(([kind, { files, bytes }]) => [
    kind,
    String(files),
    String(bytes)
  ])
  const all = [
    ['all', String(usage.files), String(usage.bytes)],
    ['trash', String(trash.files), String(trash.bytes)],
    ['allowed', shownLimit(maxFiles), shownLimit(maxBytes)]
  ]
  return {
    json: { ...usage, trash, ...quotaJson(allowed) },
    text: table(['KIND', 'FILES', 'BYTES'], [...rows, ...all])
  }
}

export async function projectQuota(
  { database, env }: AdminAdapters,
  asked: string | undefined,
  flags: AdminFlags
): Promise<CommandResult> {
  if (asked === undefined) throw new UsageError('project quota needs the id of a project')
  const id = projectIdOf(asked)
  const own = await database().quotas.setProject(id, requiredQuotaOf(flags))
  const allowed = effectiveQuota(own, defaultQuotasFrom(env).project)
  return { json: { id, ...quotaJson(allowed) }, text: `Project ${id}: ${shownQuota(allowed)}` }
}

export async function projectStorageClass(
  { database, env, stores }: AdminAdapters,
  asked: string | undefined,
  flags: AdminFlags
): Promise<CommandResult> {
  if (asked === undefined) throw new UsageError('project storage-class needs the id of a project')
  const id = projectIdOf(asked)
  const { projects, quotas } = database()
  if (flags.class === undefined) {
    const { storageClass: kept } = await quotas.ofProject(id)
    return { json: { id, storage_class: kept }, text: classText(id, kept) }
  }
  const storageClass = storageClasses.find((name) => name === flags.class)
  if (storageClass === undefined && flags.class !== 'default') {
    throw new UsageError(`--class must be ${storageClasses.join(', ')} or default`)
  }
  const problem =
    storageClass === undefined ? null : await problemOfClass(await stores().follow(), storageClass)
  if (problem !== null) {
    return { json: null, text: `${problem}. Nothing was changed.`, failed: true }
  }
  const isNew = (await projects.usage(id)) === null
  await projects.setStorageClass(id, storageClass ?? null)
  const notes = [
    classText(id, storageClass ?? null),
    ...(isNew ? ['The project has had no upload yet.'] : []),
    ...(storageClass !== undefined &&
    storeConfigs(env).some((config) => bucketProviderOf(config) === undefined)
      ? ['A folder has no classes: this counts for files in a bucket.']
      : [])
  ]
  return { json: { id, storage_class: storageClass ?? null }, text: notes.join('\n') }
}

const classText = (id: string, storageClass: string | null): string =>
  `Project ${id}: new files get ${storageClass === null ? "the bucket's own class" : `the class ${storageClass}`}`

/** Uploads of the project would fail in a store that refuses the class. */
async function problemOfClass(
  { current, mirror }: StoreView,
  storageClass: StorageClass
): Promise<string | null> {
  for (const store of [current, mirror]) {
    try {
      await store?.blobs.probe(undefined, { storageClass })
    } catch (error) {
      return `${store?.name} takes no files of the class ${storageClass}: ${(error as Error).message}`
    }
  }
  return null
}

function projectIdOf(asked: string): string {
  try {
    return parseProjectId(asked)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
