import { AsyncLocalStorage } from 'node:async_hooks'

const storage = new AsyncLocalStorage<Readonly<Record<string, unknown>>>()

/** Everything logged while the work goes on carries these fields, whoever logs it. */
export async function withLogFields<T> (fields: Readonly<Record<string, unknown>>, work: () => Promise<T>): Promise<T> {
  return await storage.run(fields, work)
}

/** A copy each time: the logger writes into it. */
export function logFields (): object {
  return { ...storage.getStore() }
}
