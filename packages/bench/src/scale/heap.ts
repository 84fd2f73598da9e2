export interface Heap<T> {
  push: (item: T) => void
  /** The item with the smallest key. */
  pop: () => T | undefined
}

/** A binary heap. */
export function createHeap<T>(keyOf: (item: T) => number): Heap<T> {
  const items: T[] = []
  const key = (index: number): number => (index < items.length ? keyOf(items[index] as T) : Infinity)
  const swap = (a: number, b: number): void => {
    const item = items[a] as T
    items[a] = items[b] as T
    items[b] = item
  }
  return {
    push: (item) => {
      items.push(item)
      for (let at = items.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1
        if (key(parent) <= key(at)) return
        swap(at, parent)
        at = parent
      }
    },
    pop: () => {
      const first = items[0]
      const last = items.pop()
      if (items.length === 0) return first
      items[0] = last as T
      for (let at = 0; ; ) {
        const left = 2 * at + 1
        const least = key(left + 1) < key(left) ? left + 1 : left
        if (key(least) >= key(at)) return first
        swap(at, least)
        at = least
      }
    }
  }
}
