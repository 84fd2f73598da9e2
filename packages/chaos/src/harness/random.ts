import { numbersFrom } from '@filewright/testing'

/** Random numbers that a seed replays. A row draws all its random choices from here. */
export interface Random {
  /** In [0, 1). */
  next: () => number
  /** A whole number from 0 up to, and without, the limit. */
  below: (limit: number) => number
  between: (low: number, high: number) => number
  pick: <T>(list: readonly T[]) => T
  shuffled: <T>(list: readonly T[]) => T[]
  /** A separate stream, independent of draws from other streams. */
  fork: (label: string | number) => Random
}

export function createRandom(seed: number): Random {
  const next = numbersFrom(seed)
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    between: (low, high) => low + below(high - low + 1),
    pick: (list) => {
      const picked = list[below(list.length)]
      if (picked === undefined) throw new Error('nothing to pick from')
      return picked
    },
    shuffled: (list) => {
      const copy = [...list]
      for (let end = copy.length - 1; end > 0; end--) {
        const other = below(end + 1)
        ;[copy[end], copy[other]] = [copy[other] as never, copy[end] as never]
      }
      return copy
    },
    fork: (label) => createRandom(hashOf(`${seed}/${label}`))
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}
