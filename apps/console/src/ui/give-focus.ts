/**
 * Moves the focus back to the element that opened a dialog or panel. If that element is gone, the focus moves
 * to the main content, not to the start of the page.
 */
export function giveFocusBack(find: () => Element | null): void {
  // After the next render: until then, a button that is about to be removed still exists.
  setTimeout(() => {
    const found = find()
    const isThere = found instanceof HTMLElement && found.isConnected && found !== document.body
    // The user may have moved the focus in the meantime.
    const { activeElement } = document
    if (activeElement !== null && activeElement !== document.body && activeElement !== found) return
    const target = isThere ? found : document.getElementById('main')
    target?.focus()
  })
}
