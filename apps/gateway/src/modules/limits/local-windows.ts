import type { WindowCount } from '@filewright/queue'

export interface LocalWindows {
  hit: (name: string) => WindowCount
  /** Does not count. */
  look: (name: string) => WindowCount
}

/**
 * More callers than one process sees at once. Beyond this number, the oldest counts are dropped, which admits
 * too much rather than too little.
 */
const MAX_NAMES = 50_000

/** This process's own counts, in windows that start with their first hit. */
export function createLocalWindows(windowMs: number, now: () => number = Date.now): LocalWindows {
  const windows = new Map<string, { count: number; endsAt: number }>()

  function current(name: string): { count: number; endsAt: number } | undefined {
    const window = windows.get(name)
    return window !== undefined && window.endsAt > now() ? window : undefined
  }

  function makeRoom(): void {
    if (windows.size < MAX_NAMES) return
    for (const [name, { endsAt }] of windows) if (endsAt <= now()) windows.delete(name)
    if (windows.size >= MAX_NAMES) windows.clear()
  }

  return {
    hit: (name) => {
      let window = current(name)
      if (window === undefined) {
        makeRoom()
        window = { count: 0, endsAt: now() + windowMs }
        windows.set(name, window)
      }
      window.count++
      return { count: window.count, resetMs: window.endsAt - now() }
    },
    look: (name) => {
      const { count, endsAt } = current(name) ?? { count: 0, endsAt: now() }
      return { count, resetMs: endsAt - now() }
    }
  }
}
