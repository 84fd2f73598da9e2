import type { Readable } from 'node:stream'
import { ModelError } from '../model-error.js'
import { ownWords } from './response-failure.js'

const NEWLINE = 10
/**
 * The end of a body follows its last line at once; a runtime that keeps it open gets a new connection next
 * time.
 */
const END_MS = 100

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Whole lines out of a body. `ollama` would grow one string without bound on a body without line ends, and
 * split it anew with every chunk.
 */
async function* linesOf(body: AsyncIterable<Buffer>, maxLineBytes: number): AsyncGenerator<Buffer> {
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

/** A connection can be used again only if the body was read to its end. */
async function readEnd(lines: AsyncGenerator<Buffer>, body: Readable): Promise<void> {
  const late = setTimeout(() => {
    body.destroy()
  }, END_MS)
  // Whatever comes after the last line is not part of the answer.
  await lines.next().catch(() => {})
  clearTimeout(late)
}

export interface JsonLinesOptions {
  maxLineBytes: number
  /** Before each line is waited for, but the first. */
  onWait: () => void
  onLine: () => void
}

/**
 * Passes on a body line by line once each line is known to be a JSON object without an error in it. `ollama`
 * itself prints lines that it cannot parse to the console, model text and all, and goes on without them.
 */
export async function* jsonLines(
  body: Readable,
  { maxLineBytes, onWait, onLine }: JsonLinesOptions
): AsyncGenerator<Uint8Array> {
  const lines = linesOf(body as AsyncIterable<Buffer>, maxLineBytes)
  for await (const line of lines) {
    const text = line.toString('utf8').trim()
    if (text === '') continue
    onLine()
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      // Without its cause: Node's message quotes the text, and that is nothing for a log.
      throw new ModelError('protocol', "a line of the model's answer is not JSON")
    }
    if (!isRecord(value)) throw new ModelError('protocol', "a line of the model's answer is not an object")
    if ('error' in value) {
      throw new ModelError(
        'failed',
        `the model failed while answering${ownWords(String(value['error']).slice(0, 500))}`
      )
    }
    if (value['done'] === true) await readEnd(lines, body)
    yield Buffer.concat([line, Buffer.of(NEWLINE)])
    onWait()
  }
}
