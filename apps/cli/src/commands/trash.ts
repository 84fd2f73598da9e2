import { NotFoundError, type Filewright, type TrashedFile } from '@filewright/client'
import { formatBytes } from '@filewright/contracts'
import { Failure } from '../failure.js'
import { counted, jsonText, paint, type Io } from '../io.js'
import { eachInParallel } from '../pool.js'
import { isFileId, joined, parseRemote } from '../remote.js'
import { printTable } from '../table.js'

/** The trash belongs to a project, not to its folders. */
function projectOf(place: string): string {
  const { projectId, path } = parseRemote(place)
  if (path !== '') throw new Failure(`The trash is that of a whole project; name it alone: ${projectId}`)
  return projectId
}

async function filesIn(client: Filewright, projectId: string): Promise<TrashedFile[]> {
  const files: TrashedFile[] = []
  for await (const file of client.trash.iterate({ projectId })) files.push(file)
  return files
}

export async function list(
  io: Io,
  client: Filewright,
  project: string,
  { json = false }: { json?: boolean }
): Promise<void> {
  const projectId = projectOf(project)
  const files = await filesIn(client, projectId)
  if (json) return io.out(jsonText({ files }))
  if (files.length === 0) return io.note(`The trash of ${projectId} is empty\n`)
  printTable(
    io,
    [
      { header: 'name', isFlexible: true },
      { header: 'size', isRight: true },
      { header: 'restorable' },
      { header: 'id' }
    ],
    files.map(({ id, name, folder, size, expires_at: until }) => [
      joined(folder, name),
      formatBytes(size),
      `until ${until.slice(0, 16).replace('T', ' ')} UTC`,
      paint('dim', id)
    ])
  )
}

export async function restore(
  io: Io,
  client: Filewright,
  ids: string[],
  { json = false }: { json?: boolean }
): Promise<void> {
  const wrong = ids.find((id) => !isFileId(id))
  if (wrong !== undefined) {
    throw new Failure(`${wrong} is not the id of a file; list ids with: filewright trash ls <project>`)
  }
  const restored: Array<{ id: string; folder: string; name: string }> = []
  const missing: string[] = []
  await eachInParallel(ids, 4, async (id) => {
    try {
      const { folder, name } = await client.trash.restore(id)
      restored.push({ id, folder, name })
      if (!json) io.out(`${joined(folder, name)} restored\n`)
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error
      missing.push(id)
    }
  })
  if (json) io.out(jsonText({ restored }))
  if (missing.length > 0) throw new Failure(`Not in the trash: ${missing.join(', ')}`)
}

export async function empty(
  io: Io,
  client: Filewright,
  project: string,
  { yes = false, json = false }: { yes?: boolean; json?: boolean }
): Promise<void> {
  const projectId = projectOf(project)
  if (!yes) {
    const { total } = (await client.trash.list({ projectId, limit: 1 })).pagination
    const question = `Delete ${counted(total, 'file')} in the trash of ${projectId} for good? Type yes: `
    if ((await io.ask(question, { instead: 'add --yes' })) !== 'yes') throw new Failure('Nothing was deleted')
  }
  const deleted = await client.trash.empty({ projectId })
  io.out(json ? jsonText({ deleted }) : `${counted(deleted, 'file')} deleted for good\n`)
}
