import { isDeepStrictEqual } from 'node:util'
import type { ReceivedEvent } from './event-receiver.js'

/** A row of `events`, with the id that clients see. */
export interface WrittenEvent extends ReceivedEvent {
  fileId: string
}

export type Step = 'created' | 'trashed' | 'restored' | 'erased' | 'rejected'

const FOLLOWS: Record<Step | 'nothing', readonly Step[]> = {
  nothing: ['created', 'rejected'],
  created: ['trashed', 'erased'],
  trashed: ['restored', 'erased'],
  restored: ['trashed', 'erased'],
  erased: [],
  rejected: []
}

/** The state of the file's row. Undefined means that clients see no file, whatever the state of its row. */
const STATE_AFTER: Record<Step | 'nothing', 'ready' | 'trashed' | undefined> = {
  nothing: undefined,
  created: 'ready',
  trashed: 'trashed',
  restored: 'ready',
  erased: undefined,
  rejected: undefined
}

export function stepOf({ type, data }: ReceivedEvent): Step | undefined {
  if (type === 'file.created') return data['restored'] === true ? 'restored' : 'created'
  if (type === 'file.deleted') return data['permanent'] === true ? 'erased' : 'trashed'
  return type === 'file.rejected' ? 'rejected' : undefined
}

/** The steps of each file, in the order in which they happened. */
function stepsByFile(written: readonly WrittenEvent[]): Map<string, Array<Step | undefined>> {
  const byFile = new Map<string, Array<Step | undefined>>()
  for (const event of written) byFile.set(event.fileId, [...(byFile.get(event.fileId) ?? []), stepOf(event)])
  return byFile
}

/**
 * The events must match the changes that led to the state in `files`, without missing or additional events.
 */
export function compareWithFiles(
  written: readonly WrittenEvent[],
  files: ReadonlyArray<{ id: string; state: string }>
): string[] {
  const byFile = stepsByFile(written)
  const visible = new Map(
    files.filter(({ state }) => state === 'ready' || state === 'trashed').map(({ id, state }) => [id, state])
  )
  return [...new Set([...byFile.keys(), ...visible.keys()])].flatMap((id) => {
    const steps = byFile.get(id) ?? []
    const isPossible = steps.every(
      (step, at) => step !== undefined && FOLLOWS[steps[at - 1] ?? 'nothing'].includes(step)
    )
    const what = `${id}: ${steps.join(', ') || 'no event'}`
    if (!isPossible) return [`${what}: these cannot follow each other`]
    const state = STATE_AFTER[steps.at(-1) ?? 'nothing']
    return state === visible.get(id) ? [] : [`${what}, and it is ${visible.get(id) ?? 'not there'}`]
  })
}

/** The acknowledged changes of one file, and whether one more may have happened. */
export interface Acknowledged {
  fileId: string
  steps: Step[]
  mayHaveOneMore: boolean
}

export function compareWithClients(
  written: readonly WrittenEvent[],
  acknowledged: readonly Acknowledged[]
): string[] {
  const byFile = stepsByFile(written)
  return acknowledged.flatMap(({ fileId, steps, mayHaveOneMore }) => {
    const found = byFile.get(fileId) ?? []
    const isRight =
      isDeepStrictEqual(found.slice(0, steps.length), steps) &&
      found.length <= steps.length + (mayHaveOneMore ? 1 : 0)
    return isRight
      ? []
      : [`${fileId}: ${steps.join(', ')} were acknowledged, the events are ${found.join(', ')}`]
  })
}

/**
 * Each event must have arrived unchanged, nothing else may have arrived, and events of one file must be in
 * order.
 */
export function compareWithReceived(
  written: readonly WrittenEvent[],
  received: ReadonlyMap<string, ReceivedEvent>
): string[] {
  const known = new Map(written.map((event) => [event.id, event]))
  const places = new Map([...received.keys()].map((id, place) => [id, place]))
  const lastOf = new Map<string, number>()
  return [
    ...[...received.values()].flatMap(({ id, type, data }) => {
      const event = known.get(id)
      if (event === undefined) return [`${id} (${type}) arrived without a change`]
      const isSame = event.type === type && isDeepStrictEqual(event.data, data)
      return isSame ? [] : [`${id} arrived with another content than it was written with`]
    }),
    ...written.flatMap(({ id, type, fileId }) => {
      const place = places.get(id)
      if (place === undefined) return [`${id} (${type} of ${fileId}) never arrived`]
      const isInOrder = place > (lastOf.get(fileId) ?? -1)
      lastOf.set(fileId, place)
      return isInOrder ? [] : [`${id} (${type} of ${fileId}) arrived before an earlier event of its file`]
    })
  ]
}
