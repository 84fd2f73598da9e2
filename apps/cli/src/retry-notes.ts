import { ConnectionError, TooManyRequestsError, type FilewrightError } from '@filewright/client'
import type { Io } from './io.js'

/** So often at most for the same reason: what waits for the same thing waits together. */
const QUIET_MS = 30_000

function sentenceOf(error: FilewrightError, pauseMs: number): string {
  const seconds = `${Math.max(1, Math.round(pauseMs / 1_000))} s`
  if (error instanceof ConnectionError) {
    return error.code === 'unreachable'
      ? `${error.message}; trying again for 10 s`
      : `${error.message}; trying again until it is back, for two minutes at most`
  }
  if (error instanceof TooManyRequestsError) {
    return `The server allows no more requests in this minute; going on in ${seconds}`
  }
  // The server's own sentence is about a header that nobody has typed.
  if (error.status === 409) return `The server still holds the try that broke off; trying again in ${seconds}`
  return `${error.message.replace(/, try again.*/, '')}; trying again in ${seconds}`
}

/** Says that the command waits and for what: once for all requests and tries that fail for the same reason. */
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
