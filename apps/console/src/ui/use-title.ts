import { useEffect } from 'preact/hooks'
import { texts } from '../texts.js'

/** Names the place in the browser's tab and history, the most specific part first. Null leaves it to another view. */
export function useTitle(parts: readonly string[] | null): void {
  const title = parts === null ? null : [...parts.filter((part) => part !== ''), texts.product].join(' · ')
  useEffect(() => {
    if (title !== null) document.title = title
  }, [title])
}
