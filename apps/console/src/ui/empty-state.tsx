import type { ComponentChildren, JSX } from 'preact'
import { Icon, type IconName } from './icon.js'

export interface EmptyStateProps {
  icon: IconName
  title: string
  lead?: string
  children?: ComponentChildren
}

/** Says what is missing, and what to do. */
export function EmptyState({ icon, title, lead, children }: EmptyStateProps): JSX.Element {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      {lead !== undefined && <p>{lead}</p>}
      {children}
    </div>
  )
}
