import type { DetailedFileSummary, Filewright } from '@filewright/client'
import { Failure } from '../failure.js'
import { jsonText, type Io } from '../io.js'
import {
  allFolders,
  findFile,
  joined,
  nameOf,
  parentOf,
  parseRemote,
  versionsOf,
  type RemotePath
} from '../remote.js'

async function isFolder(client: Filewright, { projectId, path }: RemotePath): Promise<boolean> {
  if (path === '') return true
  const folders = await allFolders(client, { projectId, path: parentOf(path) })
  return folders.some(({ name }) => name === nameOf(path))
}

/** As `mv`: into the target if it is a folder, otherwise to that name. Replaces nothing. */
export async function move(
  io: Io,
  client: Filewright,
  from: string,
  to: string,
  { json = false }: { json?: boolean }
): Promise<void> {
  const source = parseRemote(from)
  const target = parseRemote(to)
  if (source.projectId !== target.projectId) {
    throw new Failure('A file cannot move to another project; download it and upload it there')
  }
  const { projectId } = source
  // Newest first. Left behind, an older one of the same name would look as if nothing had moved.
  const versions: DetailedFileSummary[] = []
  for await (const version of versionsOf(client, source)) versions.push(version)
  const [file] = versions
  if (file === undefined) {
    throw new Failure(`There is no file ${from}; list existing files with: filewright ls ${projectId}`)
  }
  const isInto = to.endsWith('/') || (await isFolder(client, target))
  const folder = isInto ? target.path : parentOf(target.path)
  const name = isInto ? file.name : nameOf(target.path)
  const place = joined(projectId, folder, name)
  const other = await findFile(client, { projectId, path: joined(folder, name) })
  if (other !== null && !versions.some(({ id }) => id === other.id)) {
    throw new Failure(`There is already a file ${place}; delete it first, or choose another name`)
  }
  for (const { id } of versions) await client.files.change(id, { name, folder })
  const was = joined(projectId, file.folder, file.name)
  io.out(
    json
      ? jsonText({ id: file.id, project: projectId, folder, name })
      : `${was} is now ${place}${versions.length > 1 ? `, all ${versions.length} of that name` : ''}\n`
  )
}
