export interface JoinedSignals {
  signal: AbortSignal | undefined
  /** Stops following the two signals. */
  release: () => void
}

/** Aborts when the client or the call aborts. `AbortSignal.any` is newer than the supported browsers. */
export function joinSignals(client: AbortSignal | undefined, call: AbortSignal | undefined): JoinedSignals {
  if (client === undefined || call === undefined) return { signal: client ?? call, release: () => {} }
  const both = [client, call]
  const joined = new AbortController()
  const abort = (): void => joined.abort(both.find(({ aborted }) => aborted)?.reason)
  for (const signal of both) signal.addEventListener('abort', abort, { once: true })
  if (both.some(({ aborted }) => aborted)) abort()
  return {
    signal: joined.signal,
    release: () => {
      for (const signal of both) signal.removeEventListener('abort', abort)
    }
  }
}
