import { badAnswer } from './checks.js'

export interface ServerEvent {
  event: string
  data: unknown
}

/** The events of a text/event-stream as the service writes it: one line of data each. */
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
        const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? []
        if (event !== undefined && data !== undefined) yield { event, data: parse(data) }
      }
    }
  } finally {
    // A reader that leaves ends the request, and with it the model's work.
    await reader.cancel().catch(() => {})
  }
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    throw badAnswer('an event is not JSON')
  }
}
