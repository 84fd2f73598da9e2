import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { moveInList } from './move-in-list.js'
import { lazyPart } from '../ui/lazy-view.js'

const ShortcutHelp = lazyPart(async () => (await import('./shortcut-help.js')).ShortcutHelp)
const Palette = lazyPart(async () => (await import('./palette.js')).Palette)

type Opened = 'palette' | 'help' | null

/** There, Ctrl+K deletes to the end of the line. */
const isMac = navigator.userAgent.includes('Macintosh')

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type="checkbox"]), textarea, select'))

/** Runs the task beside the editor. */
function submitPanel(): boolean {
  const form = document.querySelector<HTMLFormElement>('.panel form')
  form?.requestSubmit()
  return form !== null
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]')
  field?.focus()
  field?.select()
  return field !== null
}

/** The keys that work in every view. A dialog has its own. */
export function Shortcuts({ isOperator }: { isOperator: boolean }): JSX.Element | null {
  const [opened, setOpened] = useState<Opened>(null)
  /** What is typed while the palette is loading; null when no palette is wanted. */
  const ahead = useRef<string | null>(null)

  useEffect(() => {
    const show = (what: Opened) => (): boolean => {
      ahead.current = what === 'palette' ? '' : null
      setOpened(what)
      return true
    }
    function typeAhead({ key, ctrlKey, metaKey }: KeyboardEvent, typed: string): boolean {
      if (key === 'Escape') close()
      else if (key === 'Backspace') ahead.current = typed.slice(0, -1)
      else if (key.length === 1 && !ctrlKey && !metaKey) ahead.current = typed + key
      return key !== 'Tab'
    }
    function actionOf(event: KeyboardEvent): (() => boolean) | undefined {
      const { key, ctrlKey, metaKey, shiftKey, altKey, target } = event
      if (altKey || event.isComposing || document.querySelector('dialog[open]') !== null) return undefined
      const typed = ahead.current
      if (typed !== null) return () => typeAhead(event, typed)
      if (isMac ? metaKey : ctrlKey) {
        return key.toLowerCase() === 'k' ? show('palette') : key === 'Enter' ? submitPanel : undefined
      }
      if (isTyping(target)) return undefined
      if (key === '/') return focusSearch
      if (key === '?') return show('help')
      // With Shift, lists with a selection extend it.
      if (!shiftKey && (key === 'ArrowDown' || key === 'ArrowUp')) {
        return () => moveInList(key === 'ArrowDown' ? 1 : -1)
      }
      return undefined
    }
    function press(event: KeyboardEvent): void {
      if (actionOf(event)?.() !== true) return
      event.preventDefault()
      event.stopPropagation()
    }
    // Before the editor, which would insert a line on Ctrl+Enter.
    addEventListener('keydown', press, { capture: true })
    return () => {
      removeEventListener('keydown', press, { capture: true })
    }
  }, [])

  function close(): void {
    ahead.current = null
    setOpened(null)
  }
  function help(): void {
    ahead.current = null
    setOpened('help')
  }
  if (opened === 'palette') {
    return <Palette typed={ahead} isOperator={isOperator} onClose={close} onHelp={help} />
  }
  if (opened === 'help') return <ShortcutHelp onClose={close} />
  return null
}
