import type { Command } from '../command.js'
import { beginMove } from './begin-move.js'
import { copyFiles, type Uncopyable } from './copy-files.js'
import { createProgress, megabytesOf } from './progress.js'

const SHOWN = 20

/**
 * Uploads of gateways that had not heard of the move appear behind the first pass. Later ones are the business of the
 * switch: there is no end of them if the target is too slow for the gateways.
 */
const MAX_PASSES = 3

export function uncopyableText(uncopyable: readonly Uncopyable[]): string {
  const shown = uncopyable.slice(0, SHOWN).map(({ id, reason }) => `${id}: ${reason}`)
  const more = uncopyable.length > SHOWN ? [`… and ${uncopyable.length - SHOWN} more: --json lists all`] : []
  return [
    `${uncopyable.length} files cannot be copied:`,
    ...shown,
    ...more,
    'If the current store has lost or damaged bytes, restore them from a backup, or delete the file. If the target ' +
      'has other bytes, the file itself is intact: remove the named blob from the target.',
    'Then run this again.'
  ].join('\n')
}

export const storeCopy: Command = async (adapters, _argument, { to }, { say }) => {
  const { moveId, view } = await beginMove(adapters, to)
  const { moves } = adapters.database()
  const before = await moves.count(moveId)
  const from = view.current.name
  const target = view.mirror?.name ?? ''
  say(
    `Copying ${before.files - before.copiedFiles} of ${before.files} files from ${from} to ${target}. ` +
      'Uploads go to both from now on. If this is interrupted, run it again: it continues.'
  )
  const progress = createProgress(say, before)
  let copied = 0
  for (let pass = 1; ; pass++) {
    const report = await copyFiles(adapters, moveId, progress)
    copied += report.copied
    if (report.ended) {
      const text = 'Someone else ended the move.'
      return { json: { move: moveId, copied, ended: true }, text, failed: true }
    }
    if (report.copied > 0 && pass < MAX_PASSES) continue
    const after = await moves.count(moveId)
    const { uncopyable } = report
    const json = {
      move: moveId,
      copied,
      files: after.files,
      in_both: after.copiedFiles,
      bytes_in_both: after.copiedBytes,
      uncopyable
    }
    const summary =
      `${copied} files copied and compared. ${after.copiedFiles} of ${after.files} files ` +
      `(${megabytesOf(after.copiedBytes)}) are in both stores.`
    const next =
      uncopyable.length > 0
        ? uncopyableText(uncopyable)
        : 'Next, when you want: npm run admin -- store switch'
    return { json, text: `${summary}\n${next}`, failed: uncopyable.length > 0 }
  }
}
