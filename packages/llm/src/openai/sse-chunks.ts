import type { Readable } from 'node:stream'
import { ModelError } from '../model-error.js'
import { isRecord, linesOf, readEnd } from '../transport/lines.js'
import type { ChatChunk } from '../transport/read-chat.js'
import { messageIn, ownWords } from '../transport/response-failure.js'

export interface SseOptions {
  maxLineBytes: number
  /** Called before waiting for each line except the first. */
  onWait: () => void
  onLine: () => void
}

const KNOWN_FIELD = /^(?::|event:|id:|retry:)/
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

function eventIn(line: string): Record<string, unknown> | 'done' | undefined {
  if (KNOWN_FIELD.test(line)) return undefined
  if (!line.startsWith('data:')) throw new ModelError('protocol', "a line of the model's answer is no event")
  const data = line.slice('data:'.length).trim()
  if (data === '[DONE]') return 'done'
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch {
    // Without its cause: Node's message quotes the text, which must not be logged.
    throw new ModelError('protocol', "an event of the model's answer is not JSON")
  }
  if (!isRecord(value)) throw new ModelError('protocol', "an event of the model's answer is not an object")
  if (value['error'] !== undefined && value['error'] !== null) {
    throw new ModelError(
      'failed',
      `the model failed while answering${ownWords(messageIn(data).slice(0, 500))}`
    )
  }
  return value
}

/**
 * The text, finish reason and cost of a completion. `part` is `delta` in a stream and `message` in a complete
 * response.
 */
export function readCompletion(
  value: Record<string, unknown>,
  part: 'delta' | 'message'
): { text: unknown; reason: string | undefined; usage: Record<string, unknown> } {
  const [choice] = Array.isArray(value['choices']) ? (value['choices'] as unknown[]) : []
  const { finish_reason: reason, [part]: content } = (isRecord(choice) ? choice : {}) as Record<
    string,
    unknown
  >
  return {
    text: isRecord(content) ? (content['content'] ?? '') : '',
    reason: typeof reason === 'string' ? reason : undefined,
    usage: isRecord(value['usage']) ? value['usage'] : {}
  }
}

export function lastChunk(reason: string | undefined, usage: Record<string, unknown>): ChatChunk {
  const { prompt_tokens: prompt, completion_tokens: output } = usage
  return {
    done: true,
    done_reason: reason,
    eval_count: isCount(output) ? output : undefined,
    prompt_eval_count: isCount(prompt) ? prompt : undefined
  }
}

/** The events of a streamed completion as chunks of a response. */
export async function* sseChunks(
  body: Readable,
  { maxLineBytes, onWait, onLine }: SseOptions
): AsyncGenerator<ChatChunk> {
  const lines = linesOf(body as AsyncIterable<Buffer>, maxLineBytes)
  let reason: string | undefined
  let usage: Record<string, unknown> = {}
  for await (const line of lines) {
    const text = line.toString('utf8').trim()
    if (text === '') continue
    onLine()
    const event = eventIn(text)
    if (event === 'done') {
      await readEnd(lines, body)
      yield lastChunk(reason, usage)
      return
    }
    if (event !== undefined) {
      const read = readCompletion(event, 'delta')
      reason = read.reason ?? reason
      usage = { ...usage, ...read.usage }
      yield { message: { content: read.text }, done: false }
    }
    onWait()
  }
  // Some servers close the connection instead of sending the end marker.
  if (reason !== undefined) yield lastChunk(reason, usage)
}
