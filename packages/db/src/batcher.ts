import { isAppError } from '@filewright/runtime'

/** How long an item waits behind others while the database is down; after that it fails with them. */
const PATIENCE_MS = 1_000

export interface BatcherOptions {
  /** Concurrent statements; items that arrive in the meantime are batched into the next. Default 2. */
  underWay?: number
  /** The maximum number of items per statement. Default 100. */
  items?: number
}

/**
 * One round trip for what many requests need at the same time, over few connections: a statement costs far
 * more than another row in it, and a commit waits for the disk once for all. Items do not wait for company: a
 * single item is sent at once. Results are in the order of the items. When the items were refused, rather
 * than the database being down, each is sent again separately: a bad item does not affect the others.
 */
export function createBatcher<In, Out>(
  send: (items: In[]) => Promise<Out[]>,
  { underWay = 2, items = 100 }: BatcherOptions = {}
): (item: In) => Promise<Out> {
  const waiting: Array<{
    item: In
    since: number
    resolve: (result: Out) => void
    reject: (error: unknown) => void
  }> = []
  let running = 0
  let collecting = false

  async function run(batch: typeof waiting): Promise<void> {
    try {
      const results = await send(batch.map(({ item }) => item))
      // `send` returns as many results as items.
      batch.forEach(({ resolve }, i) => resolve(results[i] as Out))
    } catch (error) {
      const isAway = isAppError(error, 'DATABASE_UNAVAILABLE')
      if (batch.length > 1 && !isAway) for (const each of batch) await run([each])
      else for (const { reject } of batch) reject(error)
      if (isAway) giveUpOn(error)
    }
  }

  /**
   * An unreachable database costs every batch its timeout: a statement behind many batches would wait for the
   * sum of them.
   */
  function giveUpOn(error: unknown): void {
    const before = performance.now() - PATIENCE_MS
    while (waiting[0] !== undefined && waiting[0].since < before) waiting.shift()?.reject(error)
  }

  function start(): void {
    while (running < underWay && waiting.length > 0) {
      running++
      void run(waiting.splice(0, items)).then(() => {
        running--
        start()
      })
    }
  }

  return async (item) =>
    await new Promise<Out>((resolve, reject) => {
      waiting.push({ item, since: performance.now(), resolve, reject })
      if (collecting) return
      collecting = true
      // After everything that arrived in this turn of the event loop.
      setImmediate(() => {
        collecting = false
        start()
      })
    })
}

/**
 * If several changes in one statement affect the same row, the first one wins, as if they had run one after
 * another.
 */
export function oneWinner<In extends { id: string }, Out>(
  send: (changes: In[]) => Promise<Out[]>,
  lost: Out
): (changes: In[]) => Promise<Out[]> {
  return async (changes) => {
    const firsts = new Map<string, In>()
    for (const change of changes) if (!firsts.has(change.id)) firsts.set(change.id, change)
    const results = await send([...firsts.values()])
    const resultOf = new Map([...firsts.values()].map((change, i) => [change, results[i] as Out]))
    return changes.map((change) => resultOf.get(change) ?? lost)
  }
}

/** For statements that return the changes they made. */
export function isAmong(made: ReadonlyArray<{ id: string }>): (change: { id: string }) => boolean {
  const ids = new Set(made.map(({ id }) => id))
  return ({ id }) => ids.has(id)
}
