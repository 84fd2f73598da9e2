import { lstat } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { NotFoundError, type DetailedFileSummary, type Filewright } from '@filewright/client'
import { fetchFile } from '../fetch-file.js'
import { Failure, sentenceOf } from '../failure.js'
import { hashOf, printable } from '../local-files.js'
import { joined, type RemotePath } from '../remote.js'
import { assertFoldersAbove, obstaclesOf, removeEmptyFolders } from './in-the-way.js'
import { deleteLocal, judge, placeNew, placeOver, type JudgedFile } from './local-changes.js'
import { targetOf, type LocalEntry, type LocalTree } from './local-tree.js'
import { readRemoteTree, storedNow, takeGitFiles } from './remote-tree.js'
import { failing, type Plan, type Step, type SyncFlags } from './step.js'

/** A name from the service must not lead out of the folder. */
function assertInside(root: string, path: string): void {
  if (!resolve(root, path).startsWith(root + sep)) {
    throw new Failure(`${path} would be outside the folder`)
  }
}

async function fetch(
  client: Filewright,
  file: DetailedFileSummary,
  root: string,
  path: string,
  judged: JudgedFile | null
): Promise<void> {
  const target = judged?.source ?? (await targetOf(root, path))
  await assertFoldersAbove(root, target)
  try {
    await fetchFile(client, file, target, undefined, async (draft) => {
      if (judged === null) await placeNew(draft, target)
      else await placeOver(draft, judged)
    })
  } catch (error) {
    if (error instanceof NotFoundError) {
      throw new Failure('another client deleted or replaced it during the sync; run the command again')
    }
    // Another download of the same file may have finished first.
    if (!(error instanceof Failure) || !(await isFileWith(target, file.sha256))) throw error
  }
}

const isFileWith = async (path: string, sha256: string): Promise<boolean> =>
  (await lstat(path).catch(() => null))?.isFile() === true && (await hashOf(path)) === sha256

/** Runs after the files in the way are deleted. */
async function fetchInto(
  client: Filewright,
  file: DetailedFileSummary,
  root: string,
  path: string
): Promise<void> {
  await removeEmptyFolders(await targetOf(root, path))
  await fetch(client, file, root, path, null)
}

async function deleteHere(client: Filewright, remote: RemotePath, judged: JudgedFile): Promise<void> {
  if ((await storedNow(client, remote, judged.path)).length > 0) {
    throw new Failure('not deleted here, because it now exists on the server; run the command again')
  }
  await deleteLocal(judged)
}

/** The local tree is read first, so that later local changes are noticed. */
export async function planDown(
  client: Filewright,
  remote: RemotePath,
  root: string,
  tree: LocalTree | null,
  flags: SyncFlags
): Promise<Plan> {
  const stored = await readRemoteTree(client, remote)
  const notes = takeGitFiles(stored).map(
    (path) => `${printable(path)}: left out, because git would run what its own files say`
  )
  if (stored.size === 0) {
    throw new Failure(
      `There is nothing in ${joined(remote.projectId, remote.path)}; list existing files with: filewright ls`
    )
  }
  const steps: Step[] = []
  const local = new Map<string, LocalEntry>()
  for (const entry of tree?.files ?? []) {
    const { path, problem } = entry
    if (problem === null) local.set(path, entry)
    else if (stored.has(path)) steps.push(failing(path, 'fetch', problem))
    else if (flags.delete === true) steps.push(failing(path, 'delete', problem))
  }
  const plan = async (entry: LocalEntry, what: Step['what'], decide: () => Promise<Step | null>) => {
    try {
      const step = await decide()
      if (step !== null) steps.push(step)
    } catch (error) {
      steps.push(failing(entry.path, what, sentenceOf(error)))
    }
  }
  const obstacleOf = obstaclesOf(tree, stored)
  for (const [path, [file]] of stored) {
    if (file === undefined) continue
    assertInside(root, path)
    const entry = local.get(path)
    const skipped = tree?.skipped.get(path)
    const obstacle = entry === undefined ? obstacleOf(path) : null
    if (obstacle !== null && (flags.delete !== true || !obstacle.goesWithDelete)) {
      steps.push(failing(path, 'fetch', obstacle.problem))
    } else if (obstacle !== null) {
      steps.push({
        path,
        what: 'fetch',
        bytes: file.size,
        isAfterDeletes: true,
        run: async () => {
          await fetchInto(client, file, root, path)
        }
      })
    } else if (entry !== undefined) {
      await plan(entry, 'fetch', async () => {
        const judged = await judge(entry, { hash: true })
        if (judged.sha256 === file.sha256) return null
        return {
          path,
          what: 'fetch',
          bytes: file.size,
          run: async () => {
            await fetch(client, file, root, path, judged)
          }
        }
      })
    } else if (skipped !== undefined) {
      steps.push(failing(path, 'fetch', `it is ${skipped.what} here and is not replaced`))
    } else {
      steps.push({
        path,
        what: 'fetch',
        bytes: file.size,
        run: async () => {
          await fetch(client, file, root, path, null)
        }
      })
    }
  }
  if (flags.delete !== true || tree === null) return { steps, notes }
  for (const [path, entry] of local) {
    if (stored.has(path)) continue
    await plan(entry, 'delete', async () => {
      const judged = await judge(entry, { hash: false })
      return {
        path,
        what: 'delete',
        run: async () => {
          await deleteHere(client, remote, judged)
        }
      }
    })
  }
  return { steps, notes }
}
