import type { DetailedFileSummary, Filewright, FolderSummary, ProjectSummary } from '@filewright/client'
import { exitCodes, Failure } from './failure.js'

/** `project/folder/…`: project ids contain no slashes. */
export interface RemotePath {
  projectId: string
  /** Empty for the root. */
  path: string
}

const PREFIX = 'fw:'
const FILE_ID = /^[0-9A-Za-z]{22}$/

export const isRemote = (text: string): boolean => text.startsWith(PREFIX)
export const isFileId = (text: string): boolean => FILE_ID.test(text)

export function parseRemote(text: string): RemotePath {
  const [projectId = '', ...rest] = (isRemote(text) ? text.slice(PREFIX.length) : text)
    .split('/')
    .filter((part) => part !== '')
  if (projectId === '') {
    throw new Failure('Name a project, or a folder in it, such as demo/docs', exitCodes.usage)
  }
  // In the service's Unicode form: some systems type and store names decomposed.
  return { projectId, path: rest.join('/').normalize('NFC') }
}

export const joined = (...parts: string[]): string => parts.filter((part) => part !== '').join('/')

export const parentOf = (path: string): string => path.split('/').slice(0, -1).join('/')
export const nameOf = (path: string): string => path.split('/').at(-1) ?? ''

/** The files with that name in that folder, newest first, as the service has them now. */
export async function* versionsOf(
  client: Filewright,
  { projectId, path }: RemotePath
): AsyncGenerator<DetailedFileSummary> {
  const name = nameOf(path)
  if (name === '') return
  for await (const file of client.files.iterate({ projectId, folder: parentOf(path), search: name })) {
    if (file.name === name) yield file
  }
}

/** The newest file with that name in that folder. */
export async function findFile(client: Filewright, remote: RemotePath): Promise<DetailedFileSummary | null> {
  const { value } = await versionsOf(client, remote).next()
  return value ?? null
}

/** The service's page size. */
const MAX_NAMES = 1_000

export async function allProjects(client: Filewright): Promise<ProjectSummary[]> {
  const all: ProjectSummary[] = []
  for (let page = await client.projects(); ; page = await client.projects({ after: all.at(-1)?.id ?? '' })) {
    all.push(...page)
    if (page.length < MAX_NAMES) return all
  }
}

export async function allFolders(
  client: Filewright,
  { projectId, path: folder }: RemotePath
): Promise<FolderSummary[]> {
  const all: FolderSummary[] = []
  for (let after = ''; ; after = all.at(-1)?.name ?? '') {
    const page = await client.folders({ projectId, folder, after })
    all.push(...page)
    if (page.length < MAX_NAMES) return all
  }
}

/**
 * Every file in a folder and below, oldest first within a folder, or all of a project. A folder created
 * during the walk may be missed, so a file that is not listed may still exist.
 */
export async function* filesBelow(
  client: Filewright,
  { projectId, path }: RemotePath
): AsyncGenerator<DetailedFileSummary> {
  yield* client.files.iterate({ projectId, ...(path === '' ? {} : { folder: path }), sort: 'created_at' })
  if (path === '') return
  for (const { name } of await allFolders(client, { projectId, path })) {
    yield* filesBelow(client, { projectId, path: joined(path, name) })
  }
}
