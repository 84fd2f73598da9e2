import { ModelError, type ModelFailure } from '../model-error.js'

// Ollama's messages for a model that it has and cannot run on this machine.
const UNLOADABLE = /more system memory|out of memory|unable to load model|runner process has terminated/i

function reasonOf(status: number, message: string): ModelFailure {
  if (status === 404) return /not found|does not exist/i.test(message) ? 'missing' : 'protocol'
  if (status === 429 || status === 503) return 'overloaded'
  if (status >= 500) return UNLOADABLE.test(message) ? 'unloadable' : 'failed'
  return 'refused'
}

export function messageIn(body: string): string {
  try {
    // Ollama sends `{"error":"…"}`, OpenAI `{"error":{"message":"…"}}`, vLLM `{"message":"…"}`.
    const { error, message } = JSON.parse(body) as { error?: unknown; message?: unknown }
    const said =
      typeof error === 'object' && error !== null
        ? (error as { message?: unknown }).message
        : (error ?? message)
    if (typeof said === 'string') return said
  } catch {
    // A proxy's HTML page, or nothing: the text itself is used.
  }
  return body
}

const HARMLESS = new RegExp(`${UNLOADABLE.source}|not found|file does not exist|does not exist`, 'i')

/** Only known words of a runtime's message: it may repeat the prompt, which must not be logged. */
export function ownWords(message: string): string {
  const words = HARMLESS.exec(message)?.[0].toLowerCase()
  return words === undefined ? '' : `: ${words}`
}

/** The meaning of an HTTP response other than 200. */
export function responseFailure(status: number, body: string): ModelError {
  const message = messageIn(body).trim().slice(0, 500)
  return new ModelError(reasonOf(status, message), `the model runtime answered ${status}${ownWords(message)}`)
}
