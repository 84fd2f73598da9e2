import { lstat, rm, stat } from 'node:fs/promises'
import { basename, resolve, sep } from 'node:path'
import type { DetailedFileSummary, Filewright } from '@filewright/client'
import { exitCodes, Failure, sentenceOf } from '../failure.js'
import { counted, jsonText, type Io } from '../io.js'
import { filesIn, hashOf, nameProblem, printable } from '../local-files.js'
import { eachInParallel } from '../pool.js'
import { filesBelow, isRemote, joined, parentOf, parseRemote, type RemotePath } from '../remote.js'
import { fetchFile } from './get.js'

export interface SyncFlags {
  delete?: boolean
  dryRun?: boolean
  parallel: number
  json?: boolean
}

interface Step {
  path: string
  what: 'send' | 'fetch' | 'delete'
  /** Why it cannot be done. */
  problem?: string
  run: () => Promise<void>
}

interface LocalEntry {
  path: string
  source: string
  problem: string | null
}

/**
 * By path below the folder. The newest of several files with one name counts; the older ones are in its way.
 */
async function remoteTree(
  client: Filewright,
  remote: RemotePath
): Promise<Map<string, DetailedFileSummary[]>> {
  const tree = new Map<string, DetailedFileSummary[]>()
  for await (const file of filesBelow(client, remote)) {
    const path = joined(
      remote.path === '' ? file.folder : file.folder.slice(remote.path.length + 1),
      file.name
    )
    tree.set(path, [file, ...(tree.get(path) ?? [])])
  }
  return tree
}

async function localTree(folder: string): Promise<LocalEntry[]> {
  const files = (await filesIn(folder)).filter(({ path }) => !path.endsWith('.part'))
  const seen = new Set<string>()
  return files.map((file) => {
    // As the service writes names: some systems store them decomposed.
    const path = joined(file.folder, basename(file.path)).normalize('NFC')
    const isTaken = seen.has(path)
    seen.add(path)
    return {
      path,
      source: file.path,
      problem: nameProblem(file) ?? (isTaken ? 'another file has the same name in other characters' : null)
    }
  })
}

/** A link that stands where a folder should be leads elsewhere. */
async function assertNoLinks(root: string, path: string): Promise<void> {
  const folders = path.split('/').slice(0, -1)
  for (let depth = 1; depth <= folders.length; depth++) {
    const folder = folders.slice(0, depth).join('/')
    const facts = await lstat(resolve(root, folder)).catch(() => null)
    if (facts?.isSymbolicLink() === true) {
      throw new Failure(`${folder} is a link here, and nothing is written through links`)
    }
  }
}

/** A name from the service must not lead out of the folder. */
function inside(root: string, path: string): string {
  const target = resolve(root, path)
  if (!target.startsWith(root + sep)) throw new Failure(`${path} would lie outside of the folder`)
  return target
}

async function stepsUp(
  client: Filewright,
  folder: string,
  remote: RemotePath,
  flags: SyncFlags
): Promise<Step[]> {
  const [local, stored] = await Promise.all([localTree(folder), remoteTree(client, remote)])
  const removeAll = async (files: DetailedFileSummary[]): Promise<void> => {
    for (const { id } of files) await client.files.delete(id)
  }
  const steps: Step[] = []
  for (const { path, source, problem } of local) {
    if (problem !== null) {
      steps.push({
        path,
        what: 'send',
        problem,
        run: async () => {
          throw new Failure(problem)
        }
      })
      continue
    }
    const versions = stored.get(path) ?? []
    if (versions[0]?.sha256 === (await hashOf(source))) continue
    steps.push({
      path,
      what: 'send',
      run: async () => {
        const parent = parentOf(path)
        await client.files.upload(source, {
          projectId: remote.projectId,
          folder: joined(remote.path, parent)
        })
        // After the new one is there: at no moment is there none.
        await removeAll(versions)
      }
    })
  }
  if (flags.delete !== true) return steps
  const kept = new Set(local.map(({ path }) => path))
  for (const [path, versions] of stored) {
    if (!kept.has(path)) {
      steps.push({
        path,
        what: 'delete',
        run: async () => {
          await removeAll(versions)
        }
      })
    }
  }
  return steps
}

async function stepsDown(
  client: Filewright,
  remote: RemotePath,
  folder: string,
  flags: SyncFlags
): Promise<Step[]> {
  const isThere = await stat(folder).then(
    (facts) => facts.isDirectory(),
    () => false
  )
  const [entries, stored] = await Promise.all([isThere ? localTree(folder) : [], remoteTree(client, remote)])
  const local = new Map(entries.map(({ path, source }) => [path, source]))
  if (stored.size === 0) {
    throw new Failure(
      `There is nothing in ${joined(remote.projectId, remote.path)}; see what is there with: filewright ls`
    )
  }
  const steps: Step[] = []
  for (const [path, [file]] of stored) {
    const existing = local.get(path)
    if (file === undefined || (existing !== undefined && (await hashOf(existing)) === file.sha256)) continue
    const target = inside(folder, path)
    steps.push({
      path,
      what: 'fetch',
      run: async () => {
        await assertNoLinks(folder, path)
        await fetchFile(client, file, target)
      }
    })
  }
  if (flags.delete !== true) return steps
  for (const [path, existing] of local) {
    if (!stored.has(path)) {
      steps.push({
        path,
        what: 'delete',
        run: async () => {
          await rm(existing)
        }
      })
    }
  }
  return steps
}

const done = { send: 'sent', fetch: 'fetched', delete: 'deleted' }

/**
 * One of both is a folder here, the other one `fw:project/folder`; what differs by hash is copied from the
 * first to the second.
 */
export async function sync(
  io: Io,
  client: Filewright,
  from: string,
  to: string,
  flags: SyncFlags
): Promise<void> {
  if (isRemote(from) === isRemote(to)) {
    throw new Failure(
      'Name one folder here and one there: filewright sync ./docs fw:demo/docs, or the other way round',
      exitCodes.usage
    )
  }
  const folder = resolve(io.cwd, isRemote(from) ? to : from)
  if (
    isRemote(to) &&
    !(await stat(folder).then(
      (facts) => facts.isDirectory(),
      () => false
    ))
  ) {
    throw new Failure(`${from} is not a folder; name one that exists`)
  }
  const steps = isRemote(to)
    ? await stepsUp(client, folder, parseRemote(to), flags)
    : await stepsDown(client, parseRemote(from), folder, flags)

  const failed = new Set<Step>()
  if (flags.dryRun !== true) {
    // What is deleted comes last: a sync that breaks off has lost nothing.
    for (const isDelete of [false, true]) {
      await eachInParallel(
        steps.filter(({ what }) => (what === 'delete') === isDelete),
        flags.parallel,
        async (step) => {
          const { path, what, run } = step
          try {
            await run()
            if (flags.json !== true) io.note(`${path}: ${done[what]}\n`)
          } catch (error) {
            failed.add(step)
            io.note(`${printable(path)}: ${sentenceOf(error)}\n`)
          }
        }
      )
    }
  } else if (flags.json !== true) {
    for (const { path, what, problem } of steps) {
      io.out(problem === undefined ? `would ${what} ${path}\n` : `${printable(path)}: ${problem}\n`)
    }
  }
  const counts = { send: 0, fetch: 0, delete: 0 }
  for (const step of steps) if (!failed.has(step)) counts[step.what]++
  const failedPaths = [...failed].map(({ path }) => printable(path))
  if (flags.json === true) {
    io.out(
      jsonText({
        dryRun: flags.dryRun === true,
        steps: steps.map(({ path, what }) => ({ path, what })),
        failed: failedPaths
      })
    )
  } else if (steps.length === 0) io.out('Nothing to do: both are the same\n')
  else if (flags.dryRun !== true) {
    io.out(`${counts.send} sent, ${counts.fetch} fetched, ${counts.delete} deleted\n`)
  }
  if (failed.size > 0) {
    throw new Failure(`${failed.size} of ${counted(steps.length, 'file')} failed: ${failedPaths.join(', ')}`)
  }
}
