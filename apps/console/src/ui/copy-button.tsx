import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { texts } from '../texts.js'
import { Icon } from './icon.js'

const SHOWN_MS = 2_000

/** Copies text and confirms it briefly. Browsers allow it on https and localhost. */
export function CopyButton({ text, label }: { text: string | (() => string); label: string }): JSX.Element {
  const [note, setNote] = useState('')
  useEffect(() => {
    if (note === '') return
    const timer = setTimeout(() => {
      setNote('')
    }, SHOWN_MS)
    return () => {
      clearTimeout(timer)
    }
  }, [note])

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
      setNote(texts.details.copied)
    } catch {
      setNote(texts.details.notCopied)
    }
  }

  return (
    <>
      {/* The name stays the same, so that the result is announced once. */}
      <button
        type="button"
        aria-label={label}
        onClick={() => {
          void copy()
        }}
      >
        <Icon name={note === texts.details.copied ? 'check' : 'copy'} />
        <span class="label">{note === '' ? label : note}</span>
      </button>
      {/* Outside the button: a name is not computed from the content of a live region. */}
      <span class="visually-hidden" role="status">
        {note}
      </span>
    </>
  )
}
