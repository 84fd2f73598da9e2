import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** A note with the time that is left, each second, until there is none. Screen readers are not interrupted by it. */
export function Countdown({
  until,
  text
}: {
  /** In `Date.now` time. */
  until: number
  text: (leftMs: number) => string
}): JSX.Element | null {
  const [now, setNow] = useState(() => Date.now())
  const isOver = now >= until
  useEffect(() => {
    setNow(Date.now())
    if (Date.now() >= until) return
    const timer = setInterval(() => {
      setNow(Date.now())
    }, 1_000)
    return () => {
      clearInterval(timer)
    }
  }, [until, isOver])
  return isOver ? null : (
    <span class="countdown" role="timer">
      {text(until - now)}
    </span>
  )
}
