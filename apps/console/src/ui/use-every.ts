import { useEffect } from 'preact/hooks'

/** Calls repeatedly while the page is visible. */
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
