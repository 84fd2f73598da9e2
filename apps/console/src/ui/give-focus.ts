/**
 * Moves the focus back to where a dialog or panel was opened. What opened it may be gone with what it did: then
 * the focus goes to the content of the page, not to its beginning.
 */
export function giveFocusBack(find: () => Element | null): void {
  // After the page has been drawn anew: until then a button that is about to go is still there.
  setTimeout(() => {
    const found = find()
    const isThere = found instanceof HTMLElement && found.isConnected && found !== document.body
    // Somebody may have moved on meanwhile.
    const { activeElement } = document
    if (activeElement !== null && activeElement !== document.body && activeElement !== found) return
    const target = isThere ? found : document.getElementById('main')
    target?.focus()
  })
}
