import type { DetailedFileSummary, Filewright } from '@filewright/client'
import { Failure, sentenceOf } from '../failure.js'
import { printable } from '../local-files.js'
import { joined, parentOf, type RemotePath } from '../remote.js'
import { isUnchanged, judge, type JudgedFile } from './local-changes.js'
import { hasDraftNow, existsLocally, skippedAt, type LocalTree } from './local-tree.js'
import { deleteStored, readRemoteTree, storedNow, takeGitFiles } from './remote-tree.js'
import { failing, type Plan, type Step, type SyncFlags } from './step.js'

const idsOf = (versions: readonly DetailedFileSummary[]): Set<string> => new Set(versions.map(({ id }) => id))

async function send(
  client: Filewright,
  remote: RemotePath,
  judged: JudgedFile,
  seen: Set<string>
): Promise<void> {
  const { path, source } = judged
  const { id } = await client.files.upload(source, {
    projectId: remote.projectId,
    folder: joined(remote.path, parentOf(path))
  })
  if (!(await isUnchanged(judged))) {
    // Part of it may be from before the change.
    await deleteStored(client, id)
    throw new Failure('it changed here during the upload; run the command again')
  }
  const versions = await storedNow(client, remote, path)
  if (!idsOf(versions).has(id)) {
    throw new Failure('another client deleted it during the upload; run the command again')
  }
  // After the new one is stored, so there is always at least one.
  for (const version of versions) if (seen.has(version.id)) await deleteStored(client, version.id)
  const others = versions.filter((version) => !seen.has(version.id))
  const [run, ...rest] = runsOf(others)
  if (rest.length > 0 || run === undefined) {
    throw new Failure('another client stored it at the same time; both versions are kept')
  }
  // Another client has sent the same bytes at the same time. Each keeps the oldest copy and deletes only its
  // own.
  const oldest = run.at(-1)
  if (oldest === undefined || oldest.id === id) return
  await deleteStored(client, id)
  if ((await storedNow(client, remote, path)).every((version) => version.sha256 !== judged.sha256)) {
    throw new Failure('another client deleted it during the upload; run the command again')
  }
}

/** Versions in order; adjacent versions with the same bytes are grouped. */
function runsOf(versions: readonly DetailedFileSummary[]): DetailedFileSummary[][] {
  const runs: DetailedFileSummary[][] = []
  for (const version of versions) {
    const last = runs.at(-1)
    if (last?.[0]?.sha256 === version.sha256) last.push(version)
    else runs.push([version])
  }
  return runs
}

/** Deletes copies with the same bytes except the oldest, as left by two concurrent uploads. */
async function deleteCopies(
  client: Filewright,
  remote: RemotePath,
  path: string,
  seen: Set<string>
): Promise<void> {
  const [run = []] = runsOf(await storedNow(client, remote, path))
  for (const { id } of run.slice(0, -1)) if (seen.has(id)) await deleteStored(client, id)
}

/**
 * A download moves the file aside for a moment. So a missing file counts only if there is no draft afterwards
 * and the file is still missing: a download that ended in between has renamed its draft.
 */
async function assertAbsentHere(tree: LocalTree, path: string): Promise<void> {
  for (const isLast of [false, true]) {
    if (await existsLocally(tree, path)) {
      throw new Failure('not deleted on the server, because it now exists here; run the command again')
    }
    if (!isLast && (await hasDraftNow(tree, path))) {
      throw new Failure(
        'not deleted on the server, because an unfinished download of it (.part) is here; sync it from the server, or delete the .part file'
      )
    }
  }
}

async function deleteThere(
  client: Filewright,
  remote: RemotePath,
  tree: LocalTree,
  path: string,
  seen: Set<string>
): Promise<void> {
  const versions = await storedNow(client, remote, path)
  if (versions.some(({ id }) => !seen.has(id))) {
    throw new Failure(
      'not deleted on the server, because another client stored a newer version; run the command again'
    )
  }
  await assertAbsentHere(tree, path)
  for (const { id } of versions) await deleteStored(client, id)
}

/** The local tree is read first, so that later local changes are noticed. */
export async function planUp(
  client: Filewright,
  tree: LocalTree,
  remote: RemotePath,
  flags: SyncFlags
): Promise<Plan> {
  const stored = await readRemoteTree(client, remote)
  takeGitFiles(stored)
  const steps: Step[] = []
  const notes: string[] = []
  for (const [path, { problem }] of tree.skipped) {
    if (problem !== undefined) steps.push(failing(path, 'send', problem))
  }
  for (const entry of tree.files) {
    const { path, problem } = entry
    if (problem !== null) {
      steps.push(failing(path, 'send', problem))
      continue
    }
    const versions = stored.get(path) ?? []
    try {
      const judged = await judge(entry, { hash: true })
      if (versions[0]?.sha256 === judged.sha256) {
        const copies = runsOf(versions)[0]?.slice(0, -1) ?? []
        if (copies.length === 0) continue
        if (flags.delete === true) {
          steps.push({
            path,
            what: 'delete',
            run: async () => {
              await deleteCopies(client, remote, path, idsOf(copies))
            }
          })
        } else {
          notes.push(`${printable(path)}: the server has it ${copies.length + 1} times; --delete keeps one`)
        }
        continue
      }
      steps.push({
        path,
        what: 'send',
        bytes: Number(judged.facts.size),
        run: async () => {
          await send(client, remote, judged, idsOf(versions))
        }
      })
    } catch (error) {
      steps.push(failing(path, 'send', sentenceOf(error)))
    }
  }
  if (flags.delete !== true) return { steps, notes }
  const kept = new Set(tree.files.map(({ path }) => path))
  for (const [path, versions] of stored) {
    if (kept.has(path)) continue
    const skipped = skippedAt(tree, path)
    if (skipped !== null) {
      notes.push(`${printable(path)}: not deleted on the server, because it is ${skipped.what} here`)
      continue
    }
    steps.push({
      path,
      what: 'delete',
      run: async () => {
        await deleteThere(client, remote, tree, path, idsOf(versions))
      }
    })
  }
  return { steps, notes }
}
