import { useEffect, useRef, useState } from 'preact/hooks'

/** The value, updated at most once per `ms`. The last value always arrives. */
export function useThrottled<T>(value: T, ms: number): T {
  const [shown, setShown] = useState(value)
  const newest = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  newest.current = value
  useEffect(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      setShown(newest.current)
    }, ms)
  }, [value, ms])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
    },
    []
  )
  return shown
}
