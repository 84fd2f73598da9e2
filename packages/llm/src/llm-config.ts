import { Type, type Static } from '@filewright/schema'
import type { ModelId } from '@filewright/contracts'
import type { OllamaClientOptions } from './ollama/ollama-client.js'
import type { OpenAiClientOptions } from './openai/openai-client.js'

export const providers = ['ollama', 'openai'] as const
export type Provider = (typeof providers)[number]

const modelName = (fallback: string, id: ModelId) =>
  Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^[A-Za-z0-9][A-Za-z0-9._:/-]*$',
    default: fallback,
    description: `Model that answers for ${id}, as named in the runtime`
  })

const providerOf = (id: ModelId) =>
  Type.Optional(Type.Enum([...providers], { description: `Runtime of ${id}; default MODEL_PROVIDER` }))

const milliseconds = (fallback: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: 3_600_000, default: fallback, description })

/**
 * Settings for all code that calls models. The default models are small, code-trained and free to use
 * commercially.
 */
export const llmConfig = {
  OLLAMA_HOST: Type.String({
    minLength: 1,
    default: 'http://127.0.0.1:11434',
    description: 'Address of Ollama'
  }),
  MODEL_ALPHA_4O_MINI: modelName('qwen2.5-coder:1.5b', 'alpha-4o-mini'),
  MODEL_ALPHA_4O: modelName('qwen2.5-coder:7b', 'alpha-4o'),
  MODEL_BETA_3: modelName('granite3.3:8b', 'beta-3'),
  MODEL_GAMMA: modelName('qwen2.5-coder:0.5b', 'gamma'),
  MODEL_FALLBACK: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^[A-Za-z0-9][A-Za-z0-9._:/-]*$',
    default: 'qwen2.5-coder:1.5b',
    description: 'Ollama model that answers if the mapped one is missing or does not fit into memory'
  }),
  MODEL_PROVIDER: Type.Enum([...providers], {
    default: 'ollama',
    description:
      "Runtime of the models: `ollama`, or `openai` for a server with OpenAI's chat completions API (vLLM, llama.cpp, LM Studio, hosted ones)"
  }),
  MODEL_ALPHA_4O_MINI_PROVIDER: providerOf('alpha-4o-mini'),
  MODEL_ALPHA_4O_PROVIDER: providerOf('alpha-4o'),
  MODEL_BETA_3_PROVIDER: providerOf('beta-3'),
  MODEL_GAMMA_PROVIDER: providerOf('gamma'),
  OPENAI_BASE_URL: Type.String({
    minLength: 1,
    default: 'http://127.0.0.1:8000/v1',
    description: "Address of the server with OpenAI's API, including the version"
  }),
  OPENAI_API_KEY: Type.Optional(
    Type.String({ maxLength: 4_096, description: 'Key for that server, if it needs one' })
  ),
  MODEL_PREFILL: Type.Boolean({
    default: false,
    description:
      "Start the model's response with the opening code fence; for runtimes and chat templates that continue a last message of the assistant (Ollama, vLLM, llama.cpp; not OpenAI itself)"
  }),
  OLLAMA_PULL: Type.Boolean({ default: false, description: 'Pull missing models when the worker starts' }),
  OLLAMA_NUM_CTX: Type.Integer({
    minimum: 2_048,
    maximum: 1_048_576,
    default: 32_768,
    description: 'Largest context given to a model, in tokens; memory grows with it'
  }),
  OLLAMA_NUM_PREDICT: Type.Integer({
    minimum: 64,
    maximum: 131_072,
    default: 4_096,
    description: 'Maximum tokens in one response of a model'
  }),
  OLLAMA_MAX_OUTPUT_BYTES: Type.Integer({
    minimum: 4_096,
    maximum: 67_108_864,
    default: 1_048_576,
    description: 'Maximum bytes of text accepted from one response'
  }),
  OLLAMA_CONNECT_TIMEOUT_MS: milliseconds(1_000, 'Longest wait for a connection to Ollama'),
  OLLAMA_FIRST_TOKEN_TIMEOUT_MS: milliseconds(
    60_000,
    'Longest wait for the first token; includes loading the model'
  ),
  OLLAMA_IDLE_TIMEOUT_MS: milliseconds(15_000, 'Longest pause between two tokens'),
  OLLAMA_TOTAL_TIMEOUT_MS: milliseconds(120_000, 'Longest time for a complete response, including a repair')
}

export const LlmConfig = Type.Object(llmConfig)
export type LlmConfig = Static<typeof LlmConfig>

/** The runtime of each catalogue entry. */
export function providersOf(config: LlmConfig): Record<ModelId, Provider> {
  const fallback = config.MODEL_PROVIDER
  return {
    'alpha-4o-mini': config.MODEL_ALPHA_4O_MINI_PROVIDER ?? fallback,
    'alpha-4o': config.MODEL_ALPHA_4O_PROVIDER ?? fallback,
    'beta-3': config.MODEL_BETA_3_PROVIDER ?? fallback,
    gamma: config.MODEL_GAMMA_PROVIDER ?? fallback
  }
}

/** What both clients need from the environment. */
function commonOptionsOf(config: LlmConfig, fallback?: string): Omit<OllamaClientOptions, 'logger' | 'host'> {
  const mapped = (model: string) => ({ model, ...(fallback === undefined ? {} : { fallback }) })
  return {
    models: {
      'alpha-4o-mini': mapped(config.MODEL_ALPHA_4O_MINI),
      'alpha-4o': mapped(config.MODEL_ALPHA_4O),
      'beta-3': mapped(config.MODEL_BETA_3),
      gamma: mapped(config.MODEL_GAMMA)
    },
    timeouts: {
      connectMs: config.OLLAMA_CONNECT_TIMEOUT_MS,
      firstTokenMs: config.OLLAMA_FIRST_TOKEN_TIMEOUT_MS,
      idleMs: config.OLLAMA_IDLE_TIMEOUT_MS,
      totalMs: config.OLLAMA_TOTAL_TIMEOUT_MS
    },
    contextCap: config.OLLAMA_NUM_CTX,
    defaultOutputTokens: config.OLLAMA_NUM_PREDICT,
    maxOutputBytes: config.OLLAMA_MAX_OUTPUT_BYTES,
    prefill: config.MODEL_PREFILL
  }
}

/** Client options from the environment. */
export function ollamaOptionsOf(config: LlmConfig): Omit<OllamaClientOptions, 'logger'> {
  return { host: config.OLLAMA_HOST, ...commonOptionsOf(config, config.MODEL_FALLBACK) }
}

/** The fallback is an Ollama model: an entry at another runtime has none. */
export function openAiOptionsOf(config: LlmConfig): Omit<OpenAiClientOptions, 'logger'> {
  return { baseUrl: config.OPENAI_BASE_URL, apiKey: config.OPENAI_API_KEY, ...commonOptionsOf(config) }
}
