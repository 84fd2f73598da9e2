import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { texts } from '../texts.js'

type Reason = 'offline' | 'unreachable' | 'updated'

/** The script that the page was opened with; its name has a hash of its content. */
const entry = (): string => document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? ''

async function findReason(): Promise<Reason> {
  if (!navigator.onLine) return 'offline'
  try {
    const page = await fetch(new URL('..', entry()), { cache: 'no-store' })
    const isSame = !page.ok || (await page.text()).includes(entry().slice(entry().lastIndexOf('/') + 1))
    return isSame ? 'unreachable' : 'updated'
  } catch {
    return 'unreachable'
  }
}

/** A part of the console cannot be loaded: says why, and what to do. */
export function NotLoaded({ onRetry }: { onRetry: () => void }): JSX.Element | null {
  const [reason, setReason] = useState<Reason | null>(null)
  useEffect(() => {
    void findReason().then(setReason)
    addEventListener('online', onRetry)
    return () => {
      removeEventListener('online', onRetry)
    }
  }, [])
  if (reason === null) return null
  const words = reason === 'updated' ? texts.updated : texts.notLoaded[reason]
  return (
    <div class="empty" role="alert">
      <h2>{words.title}</h2>
      <p>{words.lead}</p>
      <button
        type="button"
        onClick={() => {
          if (reason === 'updated') location.reload()
          else onRetry()
        }}
      >
        {reason === 'updated' ? texts.updated.button : texts.tryAgain}
      </button>
    </div>
  )
}
