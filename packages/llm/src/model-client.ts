import type { ModelId } from '@filewright/contracts'

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** A JSON schema as the model runtime takes it: plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface ChatRequest {
  model: ModelId
  messages: readonly ChatMessage[]
  /** Constrains the output. The model does not see it, so the prompt has to say the same. */
  format?: JsonSchema
  /** Default: the client's own. */
  maxOutputTokens?: number
  /** Texts at which the model is to end its answer. They are not part of it. */
  stop?: readonly string[]
  /** How the answer begins. Sent to runtimes that go on from a begun answer; the others get no word of it. */
  prefill?: string
  /** Default 0: the same request should give the same answer. */
  temperature?: number
  /** Default 1, for the same reason. */
  seed?: number
}

export interface ChatOptions {
  signal: AbortSignal
  /** Called with each piece of text, one at a time; the model is read no faster than this returns. */
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
  /** The answer is a fixed sample of the sandbox model. */
  isSandbox: boolean
  /** `length`: the output was cut at its token limit. */
  finish: 'stop' | 'length'
}

export interface PullProgress {
  status: string
  completedBytes?: number
  totalBytes?: number
}

export interface ProbeResult {
  version: string
  /** Runtime models that the configuration names and the runtime does not have. */
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
  /** Ends the connections that are kept between calls, after the calls under way. */
  close: () => Promise<void>
}
