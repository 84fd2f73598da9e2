import { setTimeout as sleep } from 'node:timers/promises'
import type { StoreView } from '@filewright/domain'
import type { AdminAdapters, Command, CommandResult } from '../command.js'
import { assertOwnStore } from '../own-store.js'
import { copyFiles } from './copy-files.js'
import { createProgress } from './progress.js'
import { mirrorIsMissing } from './describe-move.js'
import { uncopyableText } from './store-copy.js'

const PAGE = 500
const PARALLEL = 32
const WAIT_MS = 500
/** Longer than the longest upload that a gateway placed before it heard of the move. */
const MAX_TRIES = 1_200

const NO_MOVE = 'No move is under way. Begin one: npm run admin -- store copy --to <store>'

function refusal(text: string, more: object = {}): CommandResult {
  return {
    json: { switched: false, reason: text, ...more },
    text: `${text}\nNothing was switched.`,
    refused: true
  }
}

/**
 * A target may have lost what it acknowledged. Files that it does not have are copied again: their record says that
 * they are in both, so nothing else would notice before the switch.
 */
async function unmarkMissing(adapters: AdminAdapters, { mirror, storeId }: StoreView): Promise<number> {
  const { files, moves } = adapters.database()
  let missing = 0
  for (let after = ''; ; ) {
    const page = await files.pageStored({ after, limit: PAGE })
    for (let from = 0; from < page.length; from += PARALLEL) {
      await Promise.all(
        page.slice(from, from + PARALLEL).map(async ({ id, blobKey, sizeBytes }) => {
          const stat = await mirror?.blobs.stat(blobKey)
          if (stat?.sizeBytes === sizeBytes || (await files.findStored(id)) === null) return
          missing++
          await moves.unmark(id, storeId ?? '')
        })
      )
    }
    if (page.length < PAGE) return missing
    after = page.at(-1)?.id ?? ''
  }
}

/** Exchanges the two stores of the move. The service keeps running; nothing is removed from either. */
export const storeSwitch: Command = async (adapters, _argument, _flags, { say }) => {
  await assertOwnStore(adapters)
  const { moves } = adapters.database()
  const view = adapters.stores().last()
  const { moveId, storeId, mirror, mirrorProblem, current } = view
  if (mirrorProblem !== null) return refusal(`${mirrorIsMissing(mirrorProblem)}.`)
  if (moveId === null || storeId === null || mirror === null) return refusal(NO_MOVE)
  const missing = await unmarkMissing(adapters, view)
  if (missing > 0) {
    say(`${missing} files are not in ${mirror.name}, or have another size there. Copying them.`)
  }
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const report = await copyFiles(adapters, moveId, createProgress(say, await moves.count(moveId)))
    if (report.ended) return refusal('Someone else ended the move.')
    if (report.uncopyable.length > 0) return refusal(uncopyableText(report.uncopyable), report)
    const outcome = await moves.switch({ storeId, moveId })
    if (outcome === 'done') {
      const text =
        `${mirror.name} is the current store from now on. Gateways notice within 15 seconds, or with their next ` +
        `upload; until then they read from both.\nTo go back: npm run admin -- store switch. To stop using ` +
        `${current.name}: npm run admin -- store finish`
      return { json: { switched: true, current: mirror.name, other: current.name }, text }
    }
    await assertOwnStore(adapters)
    if (adapters.stores().last().storeId !== storeId) return refusal('Somebody else has switched meanwhile.')
    if (tries === 1) say('Waiting for uploads that began before the move.')
    await sleep(WAIT_MS)
  }
  return refusal(
    'Uploads to the current store alone do not end. Is every gateway configured with both stores? Then run it again.'
  )
}

/** Ends the move. The current store is complete, whether the move was switched or not. */
export const storeFinish: Command = async (adapters) => {
  await assertOwnStore(adapters)
  const { installation, moves } = adapters.database()
  const record = await installation.find()
  if (record?.moveId == null) {
    return { json: { finished: false }, text: `${NO_MOVE}\nNothing was changed.`, refused: true }
  }
  const { current, mirror } = adapters.stores().last()
  await moves.end(record.moveId)
  const other = mirror?.name ?? 'the other store'
  const text =
    `${current.name} is the only store from now on. It has every file. Put its settings in the place of both, ` +
    `restart gateways and workers one after another, and then remove ${other}.`
  return { json: { finished: true, current: current.name, unused: mirror?.name ?? null }, text }
}
