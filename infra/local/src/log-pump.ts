import type { Readable } from 'node:stream'
import type { RotatingLog } from './rotating-log.js'

/** A process that logs every request would otherwise wake us for every line. */
const PAUSE_MS = 10

/** More data is waiting than should pile up: read at once. */
const BUSY_BYTES = 16 * 1024

/** A line longer than this is written in pieces. */
const MAX_HELD = 256 * 1024

const LINE_BREAK = '\n'

/**
 * Passes on a process's output line by line: its two streams go into one file without cutting each other's
 * lines. Resolves when the stream has ended, which is when no process holds its other end.
 */
export async function pumpLines(stream: Readable, log: Pick<RotatingLog, 'write'>): Promise<void> {
  let held: Buffer[] = []
  let heldBytes = 0

  function take(chunk: Buffer): void {
    const end = chunk.lastIndexOf(LINE_BREAK) + 1
    if (end > 0 || heldBytes + chunk.length > MAX_HELD) {
      const upTo = end > 0 ? end : chunk.length
      log.write(Buffer.concat([...held, chunk.subarray(0, upTo)]))
      held = []
      heldBytes = 0
      chunk = chunk.subarray(upTo)
    }
    if (chunk.length > 0) {
      held.push(chunk)
      heldBytes += chunk.length
    }
  }

  await new Promise<void>((resolve) => {
    stream.on('data', (chunk: Buffer) => {
      take(chunk)
      if (chunk.length >= BUSY_BYTES) return
      stream.pause()
      setTimeout(() => stream.resume(), PAUSE_MS)
    })
    // A broken stream also ends, with `close`.
    stream.on('error', () => {})
    stream.once('close', () => {
      log.write(Buffer.concat(held))
      resolve()
    })
  })
}
