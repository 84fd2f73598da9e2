import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { texts } from '../texts.js'
import { Icon } from '../ui/icon.js'

/** One request per pause in typing. */
const PAUSE_MS = 250

export function SearchBox({
  value,
  onSearch
}: {
  value: string
  onSearch: (text: string) => void
}): JSX.Element {
  const [text, setText] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The URL may also change in other ways, such as the browser's back button.
  useEffect(() => {
    setText(value)
  }, [value])

  function search(typed: string): void {
    setText(typed)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      onSearch(typed.trim())
    }, PAUSE_MS)
  }

  return (
    <search class="search">
      <Icon name="search" />
      <input
        type="search"
        dir="auto"
        maxLength={255}
        aria-label={texts.files.search}
        placeholder={texts.files.searchHint}
        value={text}
        onInput={(event) => {
          search(event.currentTarget.value)
        }}
      />
    </search>
  )
}
