export interface KeyLocks {
  /** Runs the work when no other work for this key is running in this process. */
  run: <T>(key: string, work: () => Promise<T>) => Promise<T>
}

export function createKeyLocks(): KeyLocks {
  const last = new Map<string, Promise<unknown>>()
  return {
    run: async (key, work) => {
      const before = last.get(key) ?? Promise.resolve()
      const running = before.then(work, work)
      const settled = running.catch(() => {})
      last.set(key, settled)
      try {
        return await running
      } finally {
        if (last.get(key) === settled) last.delete(key)
      }
    }
  }
}
