/** A queue in which lanes take turns: a lane with a thousand items does not delay one with a single item. */
export interface FairLine<T> {
  push: (lane: string, item: T) => void
  /** Puts an item that was taken too early back to the head of its lane. */
  putBack: (lane: string, item: T) => void
  /**
   * Takes the next item of the lane whose turn it is. Items that may not run yet keep their position, and a
   * lane with only such items is skipped.
   */
  take: (mayGo?: (item: T, lane: string) => boolean) => T | undefined
  /** False if the item was not waiting. */
  remove: (lane: string, item: T) => boolean
  /** Removes everything, lane by lane. */
  drain: () => T[]
  /** The waiting items, lane by lane. */
  items: () => T[]
  size: () => number
  sizeOf: (lane: string) => number
}

export interface FairLineOptions<T> {
  /** Compares two waiting items of one lane, as for `Array.sort`. Default: first come, first served. */
  order?: (a: T, b: T) => number
}

export function createFairLine<T>({ order }: FairLineOptions<T> = {}): FairLine<T> {
  // A map keeps insertion order: the first lane is the next one.
  const lanes = new Map<string, T[]>()
  let size = 0

  function takeOut(lane: string, items: T[], index: number): T {
    const [item] = items.splice(index, 1)
    size--
    lanes.delete(lane)
    // Moves the lane to the end: all others come before its next item.
    if (items.length > 0) lanes.set(lane, items)
    return item as T
  }

  function firstOf(items: T[], mayGo: (item: T) => boolean): number {
    let best = -1
    for (const [index, item] of items.entries()) {
      if (!mayGo(item)) continue
      if (order === undefined) return index
      if (best === -1 || order(item, items[best] as T) < 0) best = index
    }
    return best
  }

  function add(lane: string, item: T, at: 'push' | 'unshift'): void {
    const items = lanes.get(lane)
    if (items === undefined) lanes.set(lane, [item])
    else items[at](item)
    size++
  }

  return {
    push: (lane, item) => add(lane, item, 'push'),
    putBack: (lane, item) => add(lane, item, 'unshift'),
    take: (mayGo = () => true) => {
      for (const [lane, items] of lanes) {
        const index = firstOf(items, (item) => mayGo(item, lane))
        if (index !== -1) return takeOut(lane, items, index)
      }
      return undefined
    },
    remove: (lane, item) => {
      const items = lanes.get(lane)
      const index = items?.indexOf(item) ?? -1
      if (items === undefined || index === -1) return false
      items.splice(index, 1)
      size--
      // Its turn does not change.
      if (items.length === 0) lanes.delete(lane)
      return true
    },
    drain: () => {
      const items = [...lanes.values()].flat()
      lanes.clear()
      size = 0
      return items
    },
    items: () => [...lanes.values()].flat(),
    size: () => size,
    sizeOf: (lane) => lanes.get(lane)?.length ?? 0
  }
}

/**
 * How many of the slots one lane may use: a quarter, but at least one, is reserved for the others. A single
 * slot cannot be reserved.
 */
export function shareOf(places: number): number {
  return Math.max(1, places - Math.max(1, Math.floor(places / 4)))
}
