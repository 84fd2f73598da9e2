import { badAnswer } from './checks.js'

export interface ServerEvent {
  /** Absent if the stream sent none. */
  id?: string
  /** Empty for an id without an event. */
  event: string
  data: unknown
}

/** The events of the service's text/event-stream: one data line each. */
export async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    while (true) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const found = fieldsOf(part)
        if (found !== null) yield found
      }
    }
  } finally {
    // A reader that stops ends the request, and the model's work with it.
    await reader.cancel().catch(() => {})
  }
}

const FIELDS = /^(?:id: (?<id>[\w-]{1,64})\n?)?(?:event: (?<event>[\w.]+)\ndata: (?<data>[^\n]*))?$/

function fieldsOf(part: string): ServerEvent | null {
  const { id, event, data } = FIELDS.exec(part)?.groups ?? {}
  if (event === undefined && id === undefined) return null
  return {
    event: event ?? '',
    data: data === undefined ? null : parse(data),
    ...(id === undefined ? {} : { id })
  }
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    throw badAnswer('an event is not JSON')
  }
}
