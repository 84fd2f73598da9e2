import { MessageChannel } from 'node:worker_threads'

/** A port without a receiver: whatever is transferred to it is freed at once. */
const nowhere = closedPort()

function closedPort(): MessageChannel['port1'] {
  const { port1, port2 } = new MessageChannel()
  port2.close()
  return port1
}

/**
 * The form's parser emits its own buffer of up to 255 bytes, and uses it again, when a piece of the body ends with all
 * but the last byte of a boundary. Smaller buffers than this are not worth freeing.
 */
const LEAST_BYTES = 4_096

/**
 * Frees the memory of a chunk now instead of at a garbage collection. Node's HTTP parser copies the body into a
 * new buffer of up to 64 KiB for each read. V8 counts these buffers and starts a full collection for every
 * 64 MB of them, which costs an upload of 1 MiB more processor time than hashing and writing it.
 *
 * Call it only when the chunk will not be read again, neither a stream nor a thread. A chunk that is a part
 * of a buffer stays: the rest may belong to a field of the form.
 */
export function freeChunk({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < LEAST_BYTES) return
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) nowhere.postMessage(null, [buffer])
}
