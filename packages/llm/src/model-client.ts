import type { ModelId } from '@filewright/contracts'

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** A JSON schema as the model runtime accepts it: plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface ChatRequest {
  model: ModelId
  messages: readonly ChatMessage[]
  /** Constrains the output. The model does not see it, so the prompt has to say the same. */
  format?: JsonSchema
  /** Default: the client's own. */
  maxOutputTokens?: number
  /** Stop sequences. They are not part of the response. */
  stop?: readonly string[]
  /** How the response starts. Sent only to runtimes that can continue a response. */
  prefill?: string
  /** Default 0: the same request should give the same response. */
  temperature?: number
  /** Default 1, for the same reason. */
  seed?: number
}

export interface ChatOptions {
  signal: AbortSignal
  /** Called with each chunk of text, one at a time; the model is read no faster than this returns. */
  onText?: (delta: string, isSandbox: boolean) => void | Promise<void>
  /** For the log. */
  requestId?: string | undefined
}

export interface TokenUsage {
  promptTokens: number
  outputTokens: number
  /** Prompt and output together. */
  tokensUsed: number
}

export interface ChatResult extends TokenUsage {
  text: string
  /** The runtime's model that answered: the mapped one or its fallback. */
  model: string
  /** The response is a fixed sample of the sandbox model. */
  isSandbox: boolean
  /** `length`: the output was truncated at its token limit. */
  finish: 'stop' | 'length'
}

export interface PullProgress {
  status: string
  completedBytes?: number
  totalBytes?: number
}

export interface ProbeResult {
  version: string
  /** Configured models that the runtime does not have. */
  missing: string[]
}

export interface ModelClient {
  /**
   * Fails with a ModelError, or with INVALID_AI_REQUEST before anything is sent when the request cannot fit
   * the context.
   */
  chat: (request: ChatRequest, options: ChatOptions) => Promise<ChatResult>
  probe: (signal?: AbortSignal) => Promise<ProbeResult>
  /** @param model the runtime's name, as `probe` reports it. */
  pull: (model: string, onProgress: (progress: PullProgress) => void, signal: AbortSignal) => Promise<void>
  /** Closes idle connections, after the running calls. */
  close: () => Promise<void>
}
