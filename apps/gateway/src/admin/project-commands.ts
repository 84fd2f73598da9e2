import { table, UsageError, type AdminParts, type Answer } from './command.js'

export async function projectList ({ database }: AdminParts): Promise<Answer> {
  const list = (await database().projects.list()).map(({ id, createdAt, files, bytes }) => ({ id, created_at: createdAt.toISOString(), files, bytes }))
  const rows = list.map((project) => [project.id, String(project.files), String(project.bytes), project.created_at])
  return { json: list, text: table(['PROJECT', 'FILES', 'BYTES', 'CREATED'], rows) }
}

export async function projectUsage ({ database }: AdminParts, id: string | undefined): Promise<Answer> {
  if (id === undefined) throw new UsageError('project usage needs the id of a project')
  const usage = await database().projects.usage(id)
  if (usage === null) return { json: null, text: `No project is called ${id}`, failed: true }
  const rows = Object.entries(usage.byKind).map(([kind, { files, bytes }]) => [kind, String(files), String(bytes)])
  return { json: usage, text: table(['KIND', 'FILES', 'BYTES'], [...rows, ['all', String(usage.files), String(usage.bytes)]]) }
}
