import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { paceNote } from '@filewright/contracts'
import { useConsole, useSession } from '../console-context.js'
import { texts } from '../texts.js'
import { Countdown } from '../ui/countdown.js'
import { Icon } from '../ui/icon.js'
import type { Upload, UploadCounts } from './upload.js'

/** Nobody reads more than this; the summary counts all of them. */
const MAX_TROUBLED_SHOWN = 100

const endedOf = ({ done, refused, failed, cancelled, skipped }: UploadCounts): number =>
  done + refused + failed + cancelled + skipped

function summaryOf(counts: UploadCounts, isRunning: boolean): string {
  const { total, done, refused, failed, cancelled, skipped } = counts
  const ended = endedOf(counts)
  const first = isRunning
    ? texts.uploads.progress(ended, total)
    : done > 0
      ? texts.uploads.done(done)
      : texts.uploads.none
  return [
    first,
    ...(refused > 0 ? [texts.uploads.refused(refused)] : []),
    ...(failed > 0 ? [texts.uploads.failed(failed)] : []),
    ...(cancelled > 0 ? [texts.uploads.cancelled(cancelled)] : []),
    ...(skipped > 0 ? [texts.uploads.skipped(skipped)] : [])
  ].join(' · ')
}

export function UploadTray(): JSX.Element | null {
  const { uploads, pacedUntil } = useSession()
  const { route } = useConsole()
  const [isOpen, setOpen] = useState(true)
  const tray = useRef<HTMLElement>(null)
  const counts = uploads.counts.value
  const active = uploads.active.value
  const troubled = uploads.troubled.value
  const waiting = uploads.waiting.value
  const isRunning = active.length + waiting + uploads.conflicts.value.length > 0
  const isShown = counts.total > 0
  useEffect(() => (tray.current === null ? undefined : publishHeight(tray.current)), [isShown])
  if (!isShown) return null

  const ended = endedOf(counts)
  const canRetry = troubled.some(({ state }) => state.value !== 'refused')
  return (
    <section
      ref={tray}
      class="tray"
      aria-label={texts.uploads.title}
      data-open={isOpen}
      data-beside={route.value.view === 'files' && route.value.file !== ''}
    >
      <div class="tray-head">
        <p role="status">{summaryOf(counts, isRunning)}</p>
        <button
          type="button"
          class="icon-button"
          aria-expanded={isOpen}
          aria-label={isOpen ? texts.uploads.collapse : texts.uploads.expand}
          onClick={() => {
            setOpen(!isOpen)
          }}
        >
          <Icon name="chevron" class={isOpen ? 'turned-down' : 'turned-up'} />
        </button>
        {!isRunning && (
          <button type="button" class="icon-button" aria-label={texts.uploads.clear} onClick={uploads.clear}>
            <Icon name="close" />
          </button>
        )}
      </div>
      {isRunning && (
        <progress class="tray-progress" max={counts.total} value={ended} aria-label={texts.uploads.title} />
      )}
      {isOpen && active.length + troubled.length > 0 && (
        <ul class="tray-list">
          {active.map((upload) => (
            <UploadRow key={upload.id} upload={upload} />
          ))}
          {troubled.slice(-MAX_TROUBLED_SHOWN).map((upload) => (
            <UploadRow key={upload.id} upload={upload} />
          ))}
        </ul>
      )}
      {isOpen && (isRunning || canRetry) && (
        <div class="tray-foot">
          <span class="muted">{waiting > 0 ? texts.uploads.waiting(waiting) : ''}</span>
          {isRunning && <Countdown until={pacedUntil.value} text={paceNote} />}
          {canRetry && !isRunning && (
            <button type="button" class="link" onClick={uploads.retryAll}>
              {texts.uploads.retryAll}
            </button>
          )}
          {isRunning && (
            <button type="button" class="link" onClick={uploads.cancelAll}>
              {texts.uploads.cancelAll}
            </button>
          )}
        </div>
      )}
    </section>
  )
}

/** For the style sheet: on narrow screens other bottom elements end above the tray. */
function publishHeight(tray: HTMLElement): () => void {
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => {
    style.setProperty('--tray-height', `${tray.offsetHeight}px`)
  })
  observer.observe(tray)
  return () => {
    observer.disconnect()
    style.removeProperty('--tray-height')
  }
}

function UploadRow({ upload }: { upload: Upload }): JSX.Element {
  const { uploads } = useSession()
  const { name, size } = upload.file
  const state = upload.state.value
  const isActive = state === 'sending' || state === 'scanning'
  const note =
    state === 'sending'
      ? texts.uploads.speed(upload.bytesPerSecond.value)
      : state === 'scanning'
        ? texts.uploads.scanning
        : state === 'cancelled'
          ? texts.uploads.stateCancelled
          : upload.reason.value
  return (
    <li data-state={state}>
      <div class="tray-name">
        <bdi>{name}</bdi>
        <span class="tray-note">{note}</span>
      </div>
      {isActive && (
        <progress
          max={Math.max(1, size)}
          {...(state === 'scanning' ? {} : { value: upload.sentBytes.value })}
          aria-label={texts.uploads.progressOf(name)}
        />
      )}
      {isActive && (
        <button
          type="button"
          class="icon-button"
          aria-label={texts.uploads.cancelOne(name)}
          onClick={() => {
            uploads.cancel(upload)
          }}
        >
          <Icon name="close" />
        </button>
      )}
      {(state === 'failed' || state === 'cancelled') && (
        <button
          type="button"
          class="icon-button"
          aria-label={texts.uploads.retryOne(name)}
          onClick={() => {
            uploads.retry(upload)
          }}
        >
          <Icon name="retry" />
        </button>
      )}
      {state === 'refused' && <Icon name="warning" class="tray-warning" />}
    </li>
  )
}
