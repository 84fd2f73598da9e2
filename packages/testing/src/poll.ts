import { setTimeout as sleep } from 'node:timers/promises'

export interface PollOptions {
  /** What is awaited, for the error message. */
  what?: string
  /** Default 10 s: generous, because only a failing test reaches it. */
  timeoutMs?: number
  intervalMs?: number
}

/**
 * Polls until the result is truthy and returns it. A condition that throws counts as not yet true; its last
 * error is the cause on timeout.
 */
export async function poll<T>(
  condition: () => T | Promise<T>,
  { what = 'the condition', timeoutMs = 10_000, intervalMs = 20 }: PollOptions = {}
): Promise<Exclude<T, false | 0 | '' | null | undefined>> {
  const deadline = Date.now() + timeoutMs
  let lastError: unknown
  for (;;) {
    try {
      const answer = await condition()
      if (answer) return answer as Exclude<T, false | 0 | '' | null | undefined>
      lastError = undefined
    } catch (error) {
      lastError = error
    }
    if (Date.now() >= deadline) {
      throw new Error(`${what} did not come true within ${timeoutMs} ms`, { cause: lastError })
    }
    await sleep(intervalMs)
  }
}
