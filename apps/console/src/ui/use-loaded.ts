import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { ConnectionError, TooManyRequestsError } from '@filewright/client/browser'

/** Delay between rounds of retries while the service is unreachable. */
const LOST_MS = 3_000

/** Errors that pass by themselves; null for all others. */
function pauseAfter(error: unknown): number | null {
  if (error instanceof ConnectionError) return LOST_MS
  return error instanceof TooManyRequestsError ? (error.retryAfterMs ?? LOST_MS) : null
}

export interface Loaded<T> {
  /** The newest value; it stays visible while a newer one is loading. */
  value: T | undefined
  error: unknown
  isLoading: boolean
  reload: () => void
}

/**
 * Loads when `key` changes, and retries while the service is unreachable or refuses the number of requests. Drops responses to older requests.
 */
export function useLoaded<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ value: T | undefined; error: unknown; isLoading: boolean }>({
    value: undefined,
    error: undefined,
    isLoading: true
  })
  const [round, setRound] = useState(0)
  const newest = useRef(load)
  newest.current = load

  useEffect(() => {
    const abort = new AbortController()
    setState((before) => ({ ...before, isLoading: true }))
    newest.current(abort.signal).then(
      (value) => {
        if (!abort.signal.aborted) setState({ value, error: undefined, isLoading: false })
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setState((before) => ({ value: before.value, error, isLoading: false }))
      }
    )
    return () => {
      abort.abort()
    }
  }, [key, round])

  const reload = useCallback(() => {
    setRound((number) => number + 1)
  }, [])

  const pauseMs = state.isLoading ? null : pauseAfter(state.error)
  useEffect(() => {
    if (pauseMs === null) return
    const timer = setTimeout(reload, pauseMs)
    return () => {
      clearTimeout(timer)
    }
  }, [pauseMs, state.error, reload])
  return { ...state, reload }
}
