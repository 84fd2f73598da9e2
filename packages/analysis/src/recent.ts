/**
 * Remembers what was made of the last texts: one request asks for syntax, exports, findings and fixes of the
 * same code, and reading it is the largest part of each. Weakly, so that the tree of a large file leaves the
 * memory with its request.
 */
export function createRecent<V extends object>(
  keep = 2
): (language: string, text: string, make: () => V) => V {
  let entries: { language: string; text: string; value: WeakRef<V> }[] = []

  return (language, text, make) => {
    const known = entries.find((entry) => entry.language === language && entry.text === text)?.value.deref()
    if (known !== undefined) return known
    const value = make()
    entries = [
      { language, text, value: new WeakRef(value) },
      ...entries.filter((entry) => entry.value.deref() !== undefined)
    ].slice(0, keep)
    return value
  }
}
