import { Type, type Static } from '@filewright/schema'
import { createId } from '@filewright/runtime'
import { defineQueue, type QueueDefinition } from './define-queue.js'

/** Name of the jobs that ask a worker how it is, in the queue whose work it does. */
export const CANARY = 'canary'

const CanaryReport = Type.Object({
  ok: Type.Boolean(),
  /** What is wrong with the part that the worker stands on. */
  reason: Type.Optional(Type.String()),
  /** It works, and somebody should look at it. */
  warning: Type.Optional(Type.String()),
  facts: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])))
})
export type CanaryReport = Static<typeof CanaryReport>

/** The queue's own way, with a contract of its own: a canary is never taken for work. */
export function canaryOf({ name, jobOptions }: QueueDefinition): QueueDefinition<object, CanaryReport> {
  return defineQueue<object, CanaryReport>({
    name,
    payload: Type.Object({}),
    result: CanaryReport,
    jobOptions,
    jobId: () => `${CANARY}-${createId()}`
  })
}
