import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { ConnectionError } from '@filewright/client/browser'

/** Between two rounds of tries while the service cannot be reached. */
const LOST_MS = 3_000

export interface Loaded<T> {
  /** The newest that arrived; it stays on show while something newer is on its way. */
  value: T | undefined
  error: unknown
  isLoading: boolean
  reload: () => void
}

/**
 * Loads when `key` changes, and again and again while the service cannot be reached. An answer to an older
 * question is thrown away.
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

  const isLost = state.error instanceof ConnectionError && !state.isLoading
  useEffect(() => {
    if (!isLost) return
    const timer = setTimeout(reload, LOST_MS)
    return () => {
      clearTimeout(timer)
    }
  }, [isLost, reload])
  return { ...state, reload }
}
