import type { MoveCounts } from '@filewright/db'
import type { AdminAdapters } from '../command.js'

export interface DescribedMove {
  json: {
    current: string
    other: string | null
    files: number
    in_both: number
    bytes: number
    bytes_in_both: number
    /** Whether the other store has every file, too. */
    other_complete: boolean
  }
  text: string
}

/** For commands that need both stores. */
export const mirrorIsMissing = (problem: string): string =>
  `A move is under way, and its other store cannot be used now: ${problem}. ` +
  'Run this again when it can, or give the move up (store finish)'

export const isComplete = ({ files, copiedFiles, uploads }: MoveCounts): boolean =>
  files === copiedFiles && uploads === 0

/** The move under way, as the last look at the stores showed it; null without one. */
export async function describeMove(adapters: AdminAdapters): Promise<DescribedMove | null> {
  const { installation, moves } = adapters.database()
  const record = await installation.find()
  if (record?.moveId == null) return null
  const { current, mirror, mirrorProblem } = adapters.stores().last()
  const counts = await moves.count(record.moveId)
  const other = mirror?.name ?? null
  const json = {
    current: current.name,
    other,
    files: counts.files,
    in_both: counts.copiedFiles,
    bytes: counts.bytes,
    bytes_in_both: counts.copiedBytes,
    other_complete: isComplete(counts)
  }
  const lines = [
    `A move is under way. The current store (${current.name}) has all ${counts.files} files.`,
    `The other store${other === null ? '' : ` (${other})`} has ${counts.copiedFiles} of them.`,
    ...(mirrorProblem === null ? [] : [`It cannot be used now: ${mirrorProblem}`])
  ]
  return { json, text: lines.join('\n') }
}
