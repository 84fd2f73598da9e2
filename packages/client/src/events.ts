import { badAnswer } from './checks.js'

export interface ServerEvent {
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
        const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? []
        if (event !== undefined && data !== undefined) yield { event, data: parse(data) }
      }
    }
  } finally {
    // A reader that stops ends the request, and the model's work with it.
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
