import { useEffect } from 'preact/hooks'

/** Calls again and again while the page is looked at. */
export function useEvery(ms: number, call: () => void): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') call()
    }, ms)
    return () => {
      clearInterval(timer)
    }
  }, [ms, call])
}
