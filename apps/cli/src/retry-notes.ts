import { ConnectionError, TooManyRequestsError, type FilewrightError } from '@filewright/client'
import { rateLimitNote } from '@filewright/contracts'
import type { Io } from './io.js'

/** At most this often for the same reason, because requests that wait for the same thing wait together. */
const QUIET_MS = 30_000

function sentenceOf(error: FilewrightError, pauseMs: number): string {
  const seconds = `${Math.max(1, Math.round(pauseMs / 1_000))} s`
  if (error instanceof ConnectionError) {
    return error.code === 'unreachable'
      ? `${error.message}; trying again for 10 s`
      : `${error.message}; trying again until it is back`
  }
  if (error instanceof TooManyRequestsError) return rateLimitNote(pauseMs)
  // The server's message is about a header that the user did not type.
  if (error.status === 409) {
    return `The server is still processing the interrupted attempt; trying again in ${seconds}`
  }
  return `${error.message.replace(/, try again.*/, '')}; trying again in ${seconds}`
}

/** Reports once that the command waits, and why, for all requests that fail for the same reason. */
export function createRetryNotes(io: Pick<Io, 'note'>): (error: FilewrightError, pauseMs: number) => void {
  let reason = ''
  let quietUntil = 0
  return (error, pauseMs) => {
    const now = Date.now()
    if (error.code === reason && now < quietUntil) return
    reason = error.code
    quietUntil = now + Math.max(QUIET_MS, pauseMs)
    io.note(`${sentenceOf(error, pauseMs)}\n`)
  }
}
