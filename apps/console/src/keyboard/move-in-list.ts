/** What Enter activates in each list, in the order of the page. */
const LISTS: ReadonlyArray<readonly [list: string, item: string]> = [
  ['.trash tbody', '.column-action button'],
  ['.files tbody', '.column-name a'],
  ['.project-list', 'a'],
  ['.webhook-list', 'h2 a'],
  ['.delivery-list', 'summary'],
  ['.findings', 'button']
]

/**
 * Moves the focus to the next or previous item of the list that has the focus. Without a focus, the first
 * arrow enters the list of files or projects.
 * @returns whether there was an item to move to
 */
export function moveInList(by: 1 | -1): boolean {
  const { activeElement } = document
  const isNowhere = activeElement === null || activeElement === document.body || activeElement.id === 'main'
  for (const [list, item] of LISTS) {
    const root = document.querySelector(list)
    if (root === null || !(isNowhere || root.contains(activeElement))) continue
    const items = [...root.querySelectorAll<HTMLElement>(item)]
    const row = items.findIndex(
      (each) => each === activeElement || each.closest('tr')?.contains(activeElement)
    )
    const next = items[row === -1 ? 0 : row + by]
    next?.focus()
    return next !== undefined
  }
  return false
}
