import { stat } from 'node:fs/promises'
import {
  ConnectionError,
  FilewrightError,
  type DetailedFileSummary,
  type Filewright
} from '@filewright/client'
import { formatBytes } from '@filewright/contracts'
import { expand } from '../expand.js'
import { Failure, sentenceOf } from '../failure.js'
import { counted, jsonText, paint, type Io } from '../io.js'
import { nameProblem, printable, shownPath } from '../local-files.js'
import { eachInParallel } from '../pool.js'
import { createProgress } from '../progress.js'
import { warnOfRecalls } from '../recalls.js'
import {
  allFolders,
  allProjects,
  filesBelow,
  findFile,
  isFileId,
  joined,
  parseRemote,
  type RemotePath
} from '../remote.js'
import type { Connection } from '../session.js'
import { printTable } from '../table.js'

export interface UploadFlags {
  to: string
  description?: string
  parallel: number
  verbose?: boolean
  json?: boolean
}

export async function upload(
  io: Io,
  { client, leaveRoom }: Pick<Connection, 'client' | 'leaveRoom'>,
  paths: string[],
  { to, description, parallel, verbose = false, json = false }: UploadFlags
): Promise<void> {
  const { projectId, path: base } = parseRemote(to)
  const files = await expand(paths, io.cwd)
  if (files.length === 0) throw new Failure('The given paths contain no files to upload')
  const sized = await Promise.all(
    files.map(async (file) => {
      const problem = nameProblem(file)
      return { ...file, problem, size: problem === null ? (await stat(file.path)).size : 0 }
    })
  )
  const progress = createProgress(io, {
    action: 'Uploading',
    count: files.length,
    bytes: sized.reduce((sum, { size }) => sum + size, 0),
    isVerbose: verbose,
    isQuiet: json
  })
  const results: Array<{ path: string; id?: string; error?: string }> = []

  await eachInParallel(sized, parallel, async ({ path, folder, size, problem }) => {
    const shown = printable(shownPath(io.cwd, path))
    const transfer = progress.begin(shown, size)
    if (problem !== null) {
      results.push({ path: shown, error: problem })
      transfer.fail(`refused: ${problem}`)
      return
    }
    try {
      await leaveRoom()
      const { id } = await client.files.upload(path, {
        projectId,
        folder: joined(base, folder),
        ...(description === undefined ? {} : { description }),
        onProgress: ({ bytes }) => {
          transfer.advance(bytes)
        }
      })
      results.push({ path: shown, id })
      transfer.end(`stored as ${id}`)
    } catch (error) {
      // A failure of one file. A failure that affects all files ends the command.
      if (!(error instanceof FilewrightError) || error.status === 401 || error instanceof ConnectionError) {
        throw error
      }
      results.push({ path: shown, error: sentenceOf(error) })
      transfer.fail(`refused: ${sentenceOf(error)}`)
    }
  }).finally(progress.close)

  const failed = results.filter(({ error }) => error !== undefined)
  if (json) io.out(jsonText({ files: results }))
  else {
    io.out(
      `${results.length - failed.length} of ${counted(results.length, 'file')} stored in ${joined(projectId, base)}\n`
    )
  }
  if (failed.length > 0) {
    throw new Failure(
      `${failed.length} of ${counted(results.length, 'file')} not stored: ${failed.map(({ path }) => path).join(', ')}`
    )
  }
}

const sizeColumn = { header: 'size', isRight: true } as const

export interface ListFlags {
  search?: string
  sort?: string
  type?: string
  long?: boolean
  json?: boolean
}

export async function list(
  io: Io,
  client: Filewright,
  where: string | undefined,
  flags: ListFlags
): Promise<void> {
  if (where === undefined) {
    const projects = await allProjects(client)
    if (flags.json === true) io.out(jsonText({ projects }))
    else if (projects.length === 0) {
      io.note('There is no project yet; create one with: filewright upload <file> --to <project>\n')
    } else {
      printTable(
        io,
        [{ header: 'project', isFlexible: true }, { header: 'files', isRight: true }, sizeColumn],
        projects.map(({ id, files, bytes }) => [
          paint('cyan', `${id}/`),
          counted(files, 'file'),
          formatBytes(bytes)
        ])
      )
    }
    return
  }
  const { projectId, path } = parseRemote(where)
  await warnOfRecalls(io, client, projectId)
  const { search, type, sort } = flags
  const isSearch = search !== undefined || type !== undefined
  const files: DetailedFileSummary[] = []
  for await (const file of client.files.iterate({
    projectId,
    // A search covers the whole project; without one, ls shows one folder.
    ...(isSearch && path === '' ? {} : { folder: path }),
    ...(search === undefined ? {} : { search }),
    ...(type === undefined ? {} : { type }),
    sort: (sort ?? 'name') as 'name'
  })) {
    files.push(file)
  }
  const folders = isSearch ? [] : await allFolders(client, { projectId, path })
  if (folders.length + files.length === 0) await assertExists(client, { projectId, path }, isSearch)
  if (flags.json === true) {
    io.out(jsonText({ folders, files }))
    return
  }
  if (folders.length + files.length > 0) {
    const isLong = flags.long === true
    printTable(
      io,
      [
        { header: 'name', isFlexible: true },
        sizeColumn,
        ...(isLong ? [{ header: 'type' }, { header: 'created' }] : []),
        { header: 'id' }
      ],
      [
        ...folders.map(({ name, files, bytes }) => [
          paint('cyan', `${name}/`),
          formatBytes(bytes),
          ...(isLong ? ['folder', ''] : []),
          paint('dim', counted(files, 'file'))
        ]),
        ...files.map(({ id, name, folder, size, type, created_at: at }) => [
          isSearch ? joined(folder, name) : name,
          formatBytes(size),
          ...(isLong ? [type, at] : []),
          paint('dim', id)
        ])
      ]
    )
  } else {
    io.note(
      isSearch
        ? `No file in ${joined(projectId, path)} matches; see all files with: filewright ls ${joined(projectId, path)}\n`
        : `The project ${projectId} is empty; fill it with: filewright upload <file> --to ${projectId}\n`
    )
  }
}

/** A folder exists as long as it contains a file, and a project from its first upload on. */
async function assertExists(
  client: Filewright,
  { projectId, path }: RemotePath,
  isSearch: boolean
): Promise<void> {
  if (!(await allProjects(client)).some(({ id }) => id === projectId)) {
    throw new Failure(`There is no project ${projectId}; see all projects with: filewright ls`)
  }
  if (path === '') return
  const { pagination } = await client.files.list({ projectId, folder: path, limit: 1 })
  if (isSearch && pagination.total > 0) return
  if ((await findFile(client, { projectId, path })) !== null) {
    const place = joined(projectId, path)
    throw new Failure(`${place} is a file, not a folder; download it with: filewright get ${place}`)
  }
  throw new Failure(
    `There is no folder ${path} in the project ${projectId}; list existing files with: filewright ls ${projectId}`
  )
}

/** Says how to undo a delete. A service without a trash, or one that does not answer now, says nothing. */
async function noteTrash(io: Io, client: Filewright, ids: string[]): Promise<void> {
  const service = await client.service({ retries: 0, timeoutMs: 2_000 }).catch(() => null)
  const days = service?.limits.trash_days ?? 0
  if (days === 0) return
  const where = `In the trash for ${counted(days, 'day')}`
  io.note(
    ids.length === 1
      ? `${where}; to bring it back: filewright trash restore ${ids[0]}\n`
      : `${where}; to bring them back: filewright trash ls <project>, then filewright trash restore <ids>\n`
  )
}

export interface RemoveFlags {
  recursive?: boolean
  yes?: boolean
  verbose?: boolean
  json?: boolean
}

export async function remove(
  io: Io,
  client: Filewright,
  what: string[],
  { recursive = false, yes = false, verbose = false, json = false }: RemoveFlags
): Promise<void> {
  const doomed = new Map<string, string>()
  for (const one of what) {
    if (isFileId(one)) {
      doomed.set(one, one)
      continue
    }
    const remote = parseRemote(one)
    const file = await findFile(client, remote)
    if (file !== null) {
      doomed.set(file.id, one)
      continue
    }
    if (!recursive) {
      throw new Failure(`There is no file ${one}; to delete a folder and everything in it, add --recursive`)
    }
    for await (const { id, folder, name } of filesBelow(client, remote)) {
      doomed.set(id, joined(remote.projectId, folder, name))
    }
  }
  if (doomed.size === 0) throw new Failure('The given paths contain nothing to delete')
  if (recursive && !yes) {
    const answer = await io.ask(`Delete ${counted(doomed.size, 'file')}? Type yes: `, {
      instead: 'add --yes'
    })
    if (answer !== 'yes') throw new Failure('Nothing was deleted')
  }
  const deleted: string[] = []
  const progress = createProgress(io, {
    action: 'Deleting',
    count: doomed.size,
    bytes: 0,
    isVerbose: verbose,
    isQuiet: json || (doomed.size === 1 && !verbose)
  })
  await eachInParallel([...doomed], 4, async ([id, path]) => {
    const step = progress.begin(printable(path), 0)
    await client.files.delete(id)
    deleted.push(id)
    step.end('deleted')
  }).finally(progress.close)
  if (json) io.out(jsonText({ deleted }))
  else {
    io.out(`${counted(deleted.length, 'file')} deleted\n`)
    await noteTrash(io, client, deleted)
  }
}
