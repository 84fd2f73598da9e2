import type { GenerateOutcome, InferenceOutcome } from '@filewright/queue'
import type { InjectResponse, TestGateway } from './test-gateway.js'

export const generated: GenerateOutcome = {
  kind: 'generate',
  content: 'const a = 1',
  finish: 'stop',
  engine: 'model',
  modelUsed: 'qwen',
  tokensUsed: 42
}
/** The property names of a response, sorted. */
export const generatedKeys = ['content', 'created_at', 'id', 'model', 'tokens_used', 'type']
export const analyzed: Extract<InferenceOutcome, { kind: 'analyze' }> = {
  kind: 'analyze',
  engine: 'static',
  tokensUsed: 0,
  body: { analysis: [{ type: 'warning', message: 'm', line: 1 }], score: 90, suggestions: ['s'] }
}
export const optimized: Extract<InferenceOutcome, { kind: 'optimize' }> = {
  kind: 'optimize',
  engine: 'model+static',
  tokensUsed: 7,
  body: { optimized_code: 'c', changes: [{ type: 'refactor', description: 'd', line: 1 }], improvements: [] }
}

/** Sends a request to an AI endpoint. */
export const post = async (
  gateway: TestGateway,
  path: string,
  payload: unknown,
  headers = {}
): Promise<InjectResponse> =>
  await gateway.app.inject({
    method: 'POST',
    url: `/api/ai/${path}`,
    headers: {
      authorization: `Bearer ${await gateway.token('none')}`,
      'content-type': 'application/json',
      ...headers
    },
    payload: typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload)
  })
