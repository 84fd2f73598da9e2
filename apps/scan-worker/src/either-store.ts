import type { BlobStore } from '@filewright/blob-store'

type Read = Pick<BlobStore, 'read' | 'readInto' | 'secret' | 'close'>

/**
 * Workers cannot ask the database which store is the current one. Keys are used once and the scanner compares the
 * bytes with the job's hash, so what one store cannot give is read from the other. Both have the same secret.
 */
export function eitherStore(first: Read, second: Read): Read {
  async function either<T>(call: (blobs: Read) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    try {
      return await call(first)
    } catch (error) {
      if (signal?.aborted === true) throw error
      try {
        return await call(second)
      } catch {
        // The first store's reason: it is the one that the settings name.
        throw error
      }
    }
  }

  return {
    read: async (key, options) =>
      await either(async (blobs) => await blobs.read(key, options), options?.signal),
    readInto: async (key, buffer, options) =>
      await either(async (blobs) => await blobs.readInto(key, buffer, options), options?.signal),
    secret: {
      ...first.secret,
      read: async (options) =>
        await either(async ({ secret }) => {
          const found = await secret.read(options)
          return found ?? (await second.secret.read(options))
        }, options?.signal)
    },
    close: async () => {
      await Promise.all([first.close(), second.close()])
    }
  }
}
