import { resolve } from 'node:path'
import type { Filewright } from '@filewright/client'
import { exitCodes, Failure, sentenceOf } from '../failure.js'
import { counted, jsonText, type Io } from '../io.js'
import { printable } from '../local-files.js'
import { eachInParallel } from '../pool.js'
import { createProgress } from '../progress.js'
import { noteRecalls, recentRecalls } from '../recalls.js'
import { isRemote, parseRemote, type RemotePath } from '../remote.js'
import { planDown } from '../sync/down.js'
import { readLocalTree, type LocalTree } from '../sync/local-tree.js'
import type { Plan, Step, SyncFlags } from '../sync/step.js'
import { planUp } from '../sync/up.js'
import { markWithdrawn } from '../sync/withdrawn-marks.js'
import type { Connection } from '../session.js'

const done = { send: 'sent', fetch: 'fetched', delete: 'deleted' }

interface Places {
  root: string
  remote: RemotePath
  isDown: boolean
}

function placesOf(io: Io, from: string, to: string): Places {
  const isDown = isRemote(from)
  const [local, remote] = isDown ? [to, from] : [from, to]
  return { root: resolve(io.cwd, local), remote: parseRemote(remote), isDown }
}

/** Runs before the plan, because a project whose only file was withdrawn has nothing to copy. */
async function markCopies(
  io: Io,
  client: Filewright,
  { root, remote }: Places,
  { dryRun = false }: SyncFlags
): Promise<void> {
  const recalls = await recentRecalls(client, remote.projectId)
  noteRecalls(io, remote.projectId, recalls)
  for (const path of await markWithdrawn(root, remote, recalls ?? [], { dryRun })) {
    io.note(
      `${printable(path)}: ${dryRun ? 'would be marked' : 'marked'} as withdrawn, your copy is malware\n`
    )
  }
}

async function planOf(io: Io, client: Filewright, places: Places, flags: SyncFlags): Promise<Plan> {
  const { root, remote, isDown } = places
  // Read before every request, to detect local changes during a request.
  const tree = await readLocalTree(root)
  if (!isDown && tree === null) throw new Failure(`${root} is not a folder; name one that exists`)
  await markCopies(io, client, places, flags)
  return isDown
    ? await planDown(client, remote, root, tree, flags)
    : await planUp(client, tree as LocalTree, remote, flags)
}

/** Returns the failed steps. */
async function runSteps(
  io: Io,
  leaveRoom: Connection['leaveRoom'],
  steps: readonly Step[],
  flags: SyncFlags
): Promise<Set<Step>> {
  const failed = new Set<Step>()
  const progress = createProgress(io, {
    action: 'Syncing',
    count: steps.length,
    bytes: steps.reduce((sum, { bytes = 0 }) => sum + bytes, 0),
    isVerbose: flags.verbose === true,
    isQuiet: flags.json === true
  })
  const runAll = async (some: Step[]): Promise<void> => {
    await eachInParallel(some, flags.parallel, async (step) => {
      const { path, what, run, bytes = 0 } = step
      const transfer = progress.begin(printable(path), bytes)
      try {
        await leaveRoom()
        await run()
        transfer.end(done[what])
      } catch (error) {
        failed.add(step)
        transfer.fail(sentenceOf(error))
      }
    })
  }
  const copies = steps.filter(({ what, isAfterDeletes }) => what !== 'delete' && isAfterDeletes !== true)
  const late = steps.filter(({ isAfterDeletes }) => isAfterDeletes)
  const deletes = steps.filter(({ what }) => what === 'delete')
  try {
    return await runInOrder()
  } finally {
    progress.close()
  }

  async function runInOrder(): Promise<Set<Step>> {
    await runAll(copies)
    // A renamed file is a new file and one to delete. If the copy failed, the old one may be the only copy
    // left.
    const lost = copies.filter((step) => failed.has(step) && step.problem === undefined).length
    if (lost === 0 || deletes.length === 0) {
      await runAll(deletes)
      await runAll(late)
      return failed
    }
    for (const step of [...deletes, ...late]) failed.add(step)
    const [were, others] = [deletes.length === 1 ? 'was' : 'were', counted(lost, 'other')]
    io.note(`${counted(deletes.length, 'file')} ${were} not deleted, because ${others} could not be copied\n`)
    return failed
  }
}

/**
 * One of the two is a local folder, the other `fw:project/folder`. Files whose hashes differ are copied from
 * the first to the second.
 */
export async function sync(
  io: Io,
  { client, leaveRoom }: Pick<Connection, 'client' | 'leaveRoom'>,
  from: string,
  to: string,
  flags: SyncFlags
): Promise<void> {
  if (isRemote(from) === isRemote(to)) {
    throw new Failure(
      'Give one local folder and one on the server: filewright sync ./docs fw:demo/docs, or the other way round',
      exitCodes.usage
    )
  }
  const { steps, notes } = await planOf(io, client, placesOf(io, from, to), flags)
  for (const note of notes) io.note(`${note}\n`)

  const failed = flags.dryRun === true ? new Set<Step>() : await runSteps(io, leaveRoom, steps, flags)
  if (flags.dryRun === true && flags.json !== true) {
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
  } else if (steps.length === 0) io.out('Nothing to do: both folders are identical\n')
  else if (flags.dryRun !== true) {
    io.out(`${counts.send} sent, ${counts.fetch} fetched, ${counts.delete} deleted\n`)
  }
  if (failed.size > 0) {
    throw new Failure(`${failed.size} of ${counted(steps.length, 'file')} failed: ${failedPaths.join(', ')}`)
  }
}
