import type { ComponentChildren, JSX } from 'preact'
import { texts } from '../texts.js'
import { Icon } from './icon.js'

export interface NoticeBarProps {
  note: string
  problem?: string
  /** Absent while the work that it reports still runs. */
  onClose?: (() => void) | undefined
  /** Buttons, shown with the note or problem. */
  children?: ComponentChildren
}

/** What has happened, above a list. Always rendered, so that screen readers announce it. */
export function NoticeBar({ note, problem = '', onClose, children }: NoticeBarProps): JSX.Element {
  const isEmpty = note === '' && problem === ''
  return (
    <div class="notice-bar" data-empty={isEmpty}>
      <span role="status">{note}</span>
      <span class="problem" role="alert">
        {problem}
      </span>
      {!isEmpty && children}
      {!isEmpty && onClose !== undefined && (
        <button type="button" class="icon-button" aria-label={texts.closeNotice} onClick={onClose}>
          <Icon name="close" />
        </button>
      )}
    </div>
  )
}
