import type { Readable } from 'node:stream'
import { ModelError } from '../model-error.js'

const NEWLINE = 10
/**
 * The end of a body follows its last line at once; a runtime that keeps it open gets a new connection next
 * time.
 */
const END_MS = 100

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Complete lines from a body. `ollama` would grow one string without limit on a body without line breaks, and
 * split it again with every chunk.
 */
export async function* linesOf(body: AsyncIterable<Buffer>, maxLineBytes: number): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let heldBytes = 0
  for await (const chunk of body) {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      yield Buffer.concat([...held, chunk.subarray(from, end)])
      held = []
      heldBytes = 0
      from = end + 1
    }
    if (from < chunk.length) {
      held.push(chunk.subarray(from))
      heldBytes += chunk.length - from
      if (heldBytes > maxLineBytes) {
        throw new ModelError('too-large', `a line of the model's answer is longer than ${maxLineBytes} bytes`)
      }
    }
  }
  if (heldBytes > 0) yield Buffer.concat(held)
}

/** A connection can be reused only if the body was read to its end. */
export async function readEnd(lines: AsyncGenerator<Buffer>, body: Readable): Promise<void> {
  const late = setTimeout(() => {
    body.destroy()
  }, END_MS)
  // Anything after the last line is not part of the response.
  await lines.next().catch(() => {})
  clearTimeout(late)
}
