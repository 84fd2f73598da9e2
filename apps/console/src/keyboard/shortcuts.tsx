import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
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
export function Shortcuts(): JSX.Element | null {
  const [opened, setOpened] = useState<Opened>(null)

  useEffect(() => {
    const show = (what: Opened) => (): boolean => {
      setOpened(what)
      return true
    }
    function actionOf(event: KeyboardEvent): (() => boolean) | undefined {
      const { key, ctrlKey, metaKey, altKey, target } = event
      if (altKey || event.isComposing || document.querySelector('dialog[open]') !== null) return undefined
      if (isMac ? metaKey : ctrlKey) {
        return key === 'k' ? show('palette') : key === 'Enter' ? submitPanel : undefined
      }
      if (isTyping(target)) return undefined
      if (key === '/') return focusSearch
      if (key === '?') return show('help')
      if (key === 'ArrowDown' || key === 'ArrowUp') return () => moveInList(key === 'ArrowDown' ? 1 : -1)
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

  const close = (): void => {
    setOpened(null)
  }
  if (opened === 'palette') return <Palette onClose={close} onHelp={() => setOpened('help')} />
  if (opened === 'help') return <ShortcutHelp onClose={close} />
  return null
}
