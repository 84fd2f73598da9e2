import { ModelError, type ModelFailure } from '../model-error.js'

// Ollama's words for a model that it has and cannot run on this machine.
const UNLOADABLE = /more system memory|out of memory|unable to load model|runner process has terminated/i

function reasonOf(status: number, message: string): ModelFailure {
  if (status === 404) return /not found|does not exist/i.test(message) ? 'missing' : 'protocol'
  if (status === 429 || status === 503) return 'overloaded'
  if (status >= 500) return UNLOADABLE.test(message) ? 'unloadable' : 'failed'
  return 'refused'
}

export function messageIn(body: string): string {
  try {
    // Ollama says `{"error":"…"}`, OpenAI `{"error":{"message":"…"}}`, vLLM `{"message":"…"}`.
    const { error, message } = JSON.parse(body) as { error?: unknown; message?: unknown }
    const said =
      typeof error === 'object' && error !== null
        ? (error as { message?: unknown }).message
        : (error ?? message)
    if (typeof said === 'string') return said
  } catch {
    // A proxy's HTML page, or nothing at all: the text itself has to do.
  }
  return body
}

const HARMLESS = new RegExp(`${UNLOADABLE.source}|not found|file does not exist|does not exist`, 'i')

/** Of what a runtime says only words of its own: it may repeat the prompt, and that is nothing for a log. */
export function ownWords(message: string): string {
  const words = HARMLESS.exec(message)?.[0].toLowerCase()
  return words === undefined ? '' : `: ${words}`
}

/** What an HTTP answer other than 200 means. */
export function responseFailure(status: number, body: string): ModelError {
  const message = messageIn(body).trim().slice(0, 500)
  return new ModelError(reasonOf(status, message), `the model runtime answered ${status}${ownWords(message)}`)
}
