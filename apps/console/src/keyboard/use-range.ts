import { useRef } from 'preact/hooks'
import { moveInList } from './move-in-list.js'

export interface RangeOptions<S> {
  /** The rows in the order of the page. */
  keys: readonly string[]
  selected: S
  isSelected: (key: string) => boolean
  /** The selection with those rows added or removed. */
  withRows: (selected: S, keys: readonly string[], isOn: boolean) => S
  onSelect: (selected: S) => void
}

interface Anchor<S> {
  key: string
  /** The other end of the range. */
  end: string
  isOn: boolean
  /** The selection without the range. A further Shift replaces the range instead of adding to it. */
  base: S
  /** The selection with the range. If another one is shown, the user has changed it elsewhere. */
  result: S
}

export interface Range {
  /** Of a row: Shift selects from the row chosen last, other places than links toggle the row. */
  choose: (event: MouseEvent, key: string) => void
  /** Of the table: Shift with an arrow moves the focus and the end of the range. */
  press: (event: KeyboardEvent) => void
  /** Of the table: otherwise the browser selects the text between two clicks. */
  hold: (event: MouseEvent) => void
}

const rowKey = (element: Element | null): string | undefined =>
  element?.closest<HTMLElement>('tr[data-row]')?.dataset.row

/** Selects rows of a table as file managers do. Rows have their key in `data-row`. */
export function useRange<S>({ keys, selected, isSelected, withRows, onSelect }: RangeOptions<S>): Range {
  const anchor = useRef<Anchor<S> | null>(null)

  function startAt(key: string, isOn: boolean): void {
    anchor.current = { key, end: key, isOn, base: selected, result: selected }
  }

  function toggle(key: string): void {
    const isOn = !isSelected(key)
    const result = withRows(selected, [key], isOn)
    anchor.current = { key, end: key, isOn, base: result, result }
    onSelect(result)
  }

  function extendTo(key: string): void {
    const from = anchor.current
    const [start, end] = [from === null ? -1 : keys.indexOf(from.key), keys.indexOf(key)]
    if (from === null || start === -1) {
      toggle(key)
      return
    }
    const range = keys.slice(Math.min(start, end), Math.max(start, end) + 1)
    const { base, isOn } = from.result === selected ? from : { base: selected, isOn: true }
    const result = withRows(base, range, isOn)
    anchor.current = { key: from.key, end: key, isOn, base, result }
    onSelect(result)
  }

  return {
    choose: (event, key) => {
      const { target, shiftKey, ctrlKey, metaKey } = event
      const place = target instanceof Element ? target : null
      if (place?.closest('button')) return
      const link = place?.closest('a')
      if (shiftKey) {
        // Otherwise the browser opens the link in another window.
        if (link) event.preventDefault()
        // `hold` has kept the browser from it.
        place?.closest<HTMLElement>('a, input')?.focus()
        extendTo(key)
      } else if (link) {
        if (!ctrlKey && !metaKey) startAt(key, true)
      } else toggle(key)
    },
    press: (event) => {
      const { key, shiftKey, target } = event
      const by = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
      if (!shiftKey || by === 0) return
      event.preventDefault()
      const before = target instanceof Element ? rowKey(target) : undefined
      if (before !== undefined && anchor.current?.end !== before) startAt(before, true)
      if (!moveInList(by)) return
      const after = rowKey(document.activeElement)
      if (after !== undefined) extendTo(after)
    },
    hold: (event) => {
      if (event.shiftKey) event.preventDefault()
    }
  }
}
