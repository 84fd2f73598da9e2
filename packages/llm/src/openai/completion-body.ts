import { messagesFor } from '../messages-for.js'
import type { ChatRequest } from '../model-client.js'

/** Fields that some servers reject. */
const OPTIONAL_FIELDS = [
  'response_format',
  'stream_options',
  'seed',
  'max_tokens',
  'temperature',
  'stop',
  'continue_final_message',
  'add_generation_prompt'
] as const
export type OptionalField = (typeof OPTIONAL_FIELDS)[number]

export interface BodyOptions {
  maxOutputTokens: number
  rejected: ReadonlySet<OptionalField>
  prefill: boolean
}

/** A request in OpenAI's format, without the fields that the server has rejected. */
export function completionBody(
  model: string,
  request: ChatRequest,
  { maxOutputTokens, rejected, prefill }: BodyOptions
): object {
  const { format, temperature = 0, seed = 1, stop } = request
  const isBegun = prefill && request.prefill !== undefined
  const optional: Partial<Record<OptionalField, unknown>> = {
    stream_options: { include_usage: true },
    seed,
    temperature,
    max_tokens: maxOutputTokens,
    ...(stop === undefined ? {} : { stop }),
    // vLLM's option for it; llama.cpp continues a final assistant message by itself.
    ...(isBegun ? { continue_final_message: true, add_generation_prompt: false } : {}),
    ...(format === undefined
      ? {}
      : { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: format } } })
  }
  return {
    model,
    messages: messagesFor(request, prefill),
    stream: true,
    ...Object.fromEntries(
      Object.entries(optional).filter(([field]) => !rejected.has(field as OptionalField))
    ),
    // The newer name of the same limit.
    ...(rejected.has('max_tokens') ? { max_completion_tokens: maxOutputTokens } : {})
  }
}

/** The field that an error names and that was not left out yet. */
export function rejectedField(
  message: string,
  rejected: ReadonlySet<OptionalField>
): OptionalField | undefined {
  const isNamed = (field: OptionalField): boolean =>
    message.includes(field) ||
    (field === 'response_format' && /json_schema|structured output|grammar/i.test(message))
  return OPTIONAL_FIELDS.find((field) => !rejected.has(field) && isNamed(field))
}
