import type { JSX } from 'preact'
import { texts } from '../texts.js'
import { Icon, type IconName } from '../ui/icon.js'

export interface PagerProps {
  page: number
  pageSize: number
  total: number
  onPage: (page: number) => void
}

export function Pager({ page, pageSize, total, onPage }: PagerProps): JSX.Element | null {
  const pages = Math.max(1, Math.ceil(total / pageSize))
  if (total === 0) return null
  const from = (page - 1) * pageSize + 1
  const steps: Array<{ icon: IconName; label: string; to: number; class?: string }> = [
    { icon: 'first', label: texts.files.first, to: 1 },
    { icon: 'chevron', label: texts.files.previous, to: page - 1, class: 'turned' },
    { icon: 'chevron', label: texts.files.next, to: page + 1 },
    { icon: 'last', label: texts.files.last, to: pages }
  ]
  const isPossible = (to: number): boolean => to >= 1 && to <= pages && to !== page
  const button = ({ icon, label, to, class: className = '' }: (typeof steps)[number]): JSX.Element => (
    <button
      key={label}
      type="button"
      class="icon-button"
      aria-label={label}
      aria-disabled={!isPossible(to)}
      onClick={() => {
        if (isPossible(to)) onPage(to)
      }}
    >
      <Icon name={icon} class={className} />
    </button>
  )
  return (
    <nav class="pager" aria-label={texts.files.pages}>
      <span>{texts.files.range(from, Math.min(total, from + pageSize - 1), total)}</span>
      {pages > 1 && (
        <div class="pager-steps">
          {steps.slice(0, 2).map(button)}
          <span>{texts.files.page(page, pages)}</span>
          {steps.slice(2).map(button)}
        </div>
      )}
    </nav>
  )
}
