import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createId, isAppError, type ErrorCode } from '@filewright/runtime'
import { blobKeyOf, type BlobStore } from '../src/index.js'

export function newKey(): string {
  return blobKeyOf(createId())
}

export async function* chunks(...parts: Array<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part
}

/** Returns one chunk and then nothing: a client that stopped sending. */
export function hangingSource(first: Uint8Array = Buffer.from('begin')): Readable {
  let given = false
  return new Readable({
    read() {
      if (!given) this.push(first)
      given = true
    }
  })
}

export async function bytesOf(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

export async function textOf(stream: AsyncIterable<unknown>): Promise<string> {
  return (await bytesOf(stream)).toString()
}

export async function keysOf(store: BlobStore): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of store.list()) keys.push(key)
  return keys.sort()
}

/** The code of the promise's rejection, or a readable word if it resolved or rejected with another error. */
export async function codeOf(promise: Promise<unknown>): Promise<ErrorCode | string> {
  try {
    await promise
    return 'resolved'
  } catch (error) {
    return isAppError(error) ? error.code : String(error)
  }
}

/** Bytes that cannot be compressed, the same for the same length. */
export function pattern(sizeBytes: number): Buffer {
  const seed = createHash('sha512').update(String(sizeBytes)).digest()
  const bytes = Buffer.alloc(sizeBytes)
  for (let at = 0; at < sizeBytes; at++) bytes[at] = seed[at & 63]! ^ (at >>> 6) ^ (at >>> 14)
  return bytes
}

/**
 * Bytes held by buffers after full garbage collections, which a stream really retains. Several collections
 * with event-loop turns between them, because finished requests are released by finalizers.
 */
export async function heldBytes(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let round = 0; round < 3; round++) {
    collect()
    await nextTurn()
  }
  return process.memoryUsage().arrayBuffers
}

/** Every call that gateways and commands make to a store. */
export async function makeEveryCall(store: BlobStore, large: Buffer): Promise<void> {
  const [small, big] = [newKey(), newKey()]
  await store.marker.create('owner')
  await store.marker.replace('owner')
  await store.secret.ensure()
  await store.write(small, chunks(Buffer.from('a small blob')))
  await store.write(big, chunks(large))
  await bytesOf(await store.read(big, { range: { start: 1, end: 2 } }))
  await store.stat(small)
  await store.remove(small)
  await store.probe()
  await keysOf(store)
}

/** Every call that scan workers make. */
export async function readAll(store: BlobStore, key: string): Promise<void> {
  await bytesOf(await store.read(key))
  await store.secret.read()
}
