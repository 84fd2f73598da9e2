import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { texts } from '../texts.js'
import { Icon } from '../ui/icon.js'
import { useForm } from '../ui/use-form.js'

/** One request per pause in typing. */
const PAUSE_MS = 250

export interface SearchBoxProps {
  /** Of the form, which has what is typed until it is searched for. */
  name: string
  value: string
  onSearch: (text: string) => void
}

export function SearchBox({ name, value, onSearch }: SearchBoxProps): JSX.Element {
  const form = useForm(name, { text: value })
  const { text } = form.values
  const asked = useRef(value)

  // The URL may also change in other ways, such as the browser's back button.
  useEffect(() => {
    const isOther = value !== asked.current
    asked.current = value
    if (isOther || text === value) form.close()
  }, [value])
  // A search that is due after the view was left would change the URL of another view.
  useEffect(() => {
    if (!form.isOpen || text.trim() === value) return
    const timer = setTimeout(() => {
      asked.current = text.trim()
      onSearch(asked.current)
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
    }
  }, [text])

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
          form.set({ text: event.currentTarget.value })
        }}
      />
    </search>
  )
}
