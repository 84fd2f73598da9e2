import type { RedisClient } from './redis-cluster.js'

export type JobState =
  | { kind: 'vanished' }
  | { kind: 'pending' }
  | { kind: 'completed'; returnValue: unknown }
  | { kind: 'failed'; reason: string; finishedAt: number }

export interface JobStates {
  states: JobState[]
  /** Whether any worker takes jobs. */
  isAnyoneTaking: boolean
}

/**
 * The states of many jobs in one round trip, without their payloads. Throws if Redis did not answer all of
 * it.
 */
export async function readJobStates(
  redis: RedisClient,
  jobKeys: string[],
  slotsKey: string
): Promise<JobStates> {
  const pipeline = redis.pipeline().exists(slotsKey)
  for (const key of jobKeys) pipeline.hmget(key, 'timestamp', 'finishedOn', 'returnvalue', 'failedReason')
  const replies = await pipeline.exec()
  const [taking, ...fields] = (replies ?? []).map(([error, reply]) => {
    if (error !== null) throw error
    return reply
  })
  return {
    isAnyoneTaking: taking === 1,
    states: fields.map((reply) => toState(reply as Array<string | null>))
  }
}

function toState([timestamp, finishedOn, returnValue, reason]: Array<string | null>): JobState {
  if (timestamp == null) return { kind: 'vanished' }
  if (finishedOn == null) return { kind: 'pending' }
  // A job that failed, was retried and completed has both.
  if (returnValue != null) return { kind: 'completed', returnValue: parseJson(returnValue) }
  return { kind: 'failed', reason: reason ?? '', finishedAt: Number(finishedOn) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // No result schema accepts undefined, so this becomes a contract violation.
    return undefined
  }
}
