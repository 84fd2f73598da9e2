import type { Readable } from 'node:stream'
import { ModelError } from '../model-error.js'
import { isRecord, linesOf, readEnd } from '../transport/lines.js'
import { ownWords } from '../transport/response-failure.js'

const NEWLINE = 10

export interface JsonLinesOptions {
  maxLineBytes: number
  /** Called before waiting for each line except the first. */
  onWait: () => void
  onLine: () => void
}

/**
 * Passes on a body line by line once each line is known to be a JSON object without an error. `ollama` itself
 * prints lines that it cannot parse to the console, including model text, and continues without them.
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
      // Without its cause: Node's message quotes the text, which must not be logged.
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
