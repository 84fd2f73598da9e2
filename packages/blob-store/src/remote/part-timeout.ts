import { StorageFailure } from './storage-failure.js'

/**
 * A short timeout ends a stalled request soon; a slow network, which looks the same, gets more time with each
 * attempt.
 * @returns a function that runs one attempt within the timeout and the time left
 */
export function createPartTimeout(firstMs: number) {
  let timeoutMs = firstMs
  return async <T>(leftMs: number, work: (timeoutMs: number) => Promise<T>): Promise<T> => {
    try {
      return await work(Math.min(timeoutMs, leftMs))
    } catch (error) {
      if (error instanceof StorageFailure && error.timedOut) timeoutMs *= 2
      throw error
    }
  }
}
