import { createClient, type Reply } from './client.js'

export interface AiEvent {
  event: string
  data: any
}

export interface EventReply {
  status: number
  headers: Headers
  events: AsyncIterable<AiEvent>
}

export type AiPath = 'generate' | 'analyze' | 'analyze/batch' | 'optimize'

/** The AI endpoints as used by a client written from the specification alone. */
export interface AiClient {
  post: (path: AiPath, body: unknown, init?: RequestInit) => Promise<Reply>
  models: () => Promise<Reply>
  /** `generate`, streamed. */
  stream: (body: unknown, init?: RequestInit) => Promise<EventReply>
}

async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<AiEvent> {
  let text = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) {
      const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? []
      yield { event, data: JSON.parse(data) }
    }
  }
}

export function createAiClient(baseUrl: string, token: string): AiClient {
  const { call } = createClient(baseUrl, token)
  const asJson = (body: unknown): { body: string; headers: Record<string, string> } => ({
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json' }
  })
  return {
    post: async (path, body, init = {}) =>
      await call('POST', `/api/ai/${path}`, { ...asJson(body), ...init }),
    models: async () => await call('GET', '/api/ai/models'),
    stream: async (body, init = {}) => {
      const { body: text, headers } = asJson(body)
      const response = await fetch(`${baseUrl}/api/ai/generate`, {
        method: 'POST',
        body: text,
        headers: { ...headers, authorization: `Bearer ${token}`, accept: 'text/event-stream' },
        ...init
      })
      if (response.body === null) throw new Error('an answer without a body')
      return {
        status: response.status,
        headers: response.headers,
        events: eventsIn(response.body as ReadableStream<Uint8Array>)
      }
    }
  }
}

/** The models that a worker uses by default. */
export const defaultModels = ['qwen2.5-coder:1.5b', 'qwen2.5-coder:7b', 'granite3.3:8b', 'qwen2.5-coder:0.5b']
