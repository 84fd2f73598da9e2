import type { Platform, Source } from './platform.js'

export type UploadSource = string | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

export function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await iterator.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      cancel: async () => {
        await iterator.return?.()
      }
    },
    { highWaterMark: 0 }
  )
}

const PIECE_BYTES = 128 * 1024

/** Node.js returns a Blob in memory as one chunk, whose progress would jump from nothing to all. */
async function* piecesOf(blob: Blob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < blob.size; at += PIECE_BYTES) {
    yield new Uint8Array(await blob.slice(at, at + PIECE_BYTES).arrayBuffer())
  }
}

/** The platform opens a path; a stream can be sent once. */
export async function sourceOf(given: UploadSource, platform: Platform): Promise<Source> {
  if (typeof given === 'string') return await platform.openPath(given)
  if (given instanceof Blob) {
    const name = (given as Partial<File>).name
    return {
      name,
      size: given.size,
      repeatable: true,
      open: () => streamOf(piecesOf(given)),
      blob: async () => given
    }
  }
  const open = (): ReadableStream<Uint8Array> => (given instanceof ReadableStream ? given : streamOf(given))
  return {
    name: undefined,
    size: undefined,
    repeatable: false,
    open,
    blob: async () => await new Response(open()).blob()
  }
}
