import { createHash } from 'node:crypto'

/** Bodies of Ollama's API, as far as clients depend on them. */
export interface OllamaMessage {
  role: string
  content: string
}

export interface OllamaOptions {
  num_ctx?: number
  num_predict?: number
  temperature?: number
  seed?: number
}

/** A chat or generate request; the latter as a chat of one system and one user message. */
export interface OllamaRequest {
  model: string
  messages: OllamaMessage[]
  stream: boolean
  format?: unknown
  options: OllamaOptions
}

export interface ModelName {
  name: string
  digest: string
}

export const OLLAMA_VERSION = '0.12.6'

/** `llama3` is `llama3:latest`. */
export function canonicalName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).includes(':') ? name : `${name}:latest`
}

export function digestOf(name: string): string {
  return createHash('sha256').update(name).digest('hex')
}

/**
 * Splits text into pieces about as long as a model's tokens: up to five letters with the space before them, a
 * digit, a symbol, a run of spaces. Joined, they are the text.
 */
export function piecesOf(text: string): string[] {
  return text.match(/ ?\p{L}{1,5}|\p{N}|\s+|[^\s\p{L}\p{N}]/gu) ?? []
}

export function countTokens(messages: readonly OllamaMessage[]): number {
  return messages.reduce((sum, { content }) => sum + piecesOf(content).length + 4, 3)
}

function details(): object {
  return {
    parent_model: '',
    format: 'gguf',
    family: 'sandbox',
    families: ['sandbox'],
    parameter_size: '0',
    quantization_level: 'F16'
  }
}

const MODIFIED_AT = '2026-01-01T00:00:00Z'

export function tagRecord(name: string): object {
  return {
    name,
    model: name,
    modified_at: MODIFIED_AT,
    size: 1_024,
    digest: digestOf(name),
    details: details()
  }
}

export function runningRecord(name: string): object {
  return { ...tagRecord(name), expires_at: new Date(Date.now() + 300_000).toISOString(), size_vram: 0 }
}

export function showRecord(name: string): object {
  return {
    modelfile: `FROM ${name}`,
    parameters: '',
    template: '{{ .Prompt }}',
    details: details(),
    model_info: { 'general.architecture': 'sandbox', 'sandbox.context_length': 131_072 },
    capabilities: ['completion'],
    modified_at: MODIFIED_AT
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function messagesIn(body: Record<string, unknown>): OllamaMessage[] {
  const { messages, prompt, system } = body
  if (Array.isArray(messages)) {
    return messages.filter(isRecord).map(({ role, content }) => ({
      role: String(role),
      content: typeof content === 'string' ? content : ''
    }))
  }
  return [
    ...(typeof system === 'string' ? [{ role: 'system', content: system }] : []),
    ...(typeof prompt === 'string' && prompt !== '' ? [{ role: 'user', content: prompt }] : [])
  ]
}

export function requestIn(body: unknown): OllamaRequest | undefined {
  if (!isRecord(body) || typeof body['model'] !== 'string' || body['model'] === '') return undefined
  return {
    model: body['model'],
    messages: messagesIn(body),
    stream: body['stream'] !== false,
    ...(body['format'] === undefined || body['format'] === '' ? {} : { format: body['format'] }),
    options: isRecord(body['options']) ? (body['options'] as OllamaOptions) : {}
  }
}
