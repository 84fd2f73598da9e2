import { useEffect, useState } from 'preact/hooks'

/** As in styles/narrow.css: a phone. */
export const NARROW = '(max-width: 760px)'

/** Whether the media query matches; updates when the window changes. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const list = matchMedia(query)
    const update = (): void => {
      setMatches(list.matches)
    }
    update()
    list.addEventListener('change', update)
    return () => {
      list.removeEventListener('change', update)
    }
  }, [query])
  return matches
}
