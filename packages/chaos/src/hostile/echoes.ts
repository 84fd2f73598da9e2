import type { Fault, OllamaRequest } from '@filewright/testing'

/** The outcome of a request: it is answered, its client disconnects, or its model fails. */
export type Fate = 'answered' | 'left' | 'failed'

/** Longer than disconnecting clients wait, and long enough to be hit by a kill. */
const THINKS_MS = 400

/** A model that echoes its input in the requested format; or delays, or fails, as the request's fate says. */
export function echo(request: OllamaRequest, canary: string, fate: Fate, turn: number): Fault {
  if (fate === 'left') return { kind: 'slow', firstTokenMs: THINKS_MS }
  if (fate === 'failed') {
    const text = `the model failed on ${canary}`
    return turn % 2 === 0
      ? { kind: 'status', status: 500, message: text }
      : { kind: 'error-line', message: text, afterTokens: 3 }
  }
  return { kind: 'schema-breaking', text: textOf(request, canary) }
}

function textOf({ messages }: OllamaRequest, canary: string): string {
  const asked = messages.at(-1)?.content ?? ''
  if (asked.startsWith('Task: analyze')) {
    const [, anchor = '1#000', line = '1'] = /^((\d+)#[0-9a-f]{3})/m.exec(asked) ?? []
    const message = `The loop over ${canary} can be simpler.`
    return JSON.stringify({
      findings: [
        {
          anchor,
          line: Number(line),
          category: 'bugs',
          type: 'suggestion',
          message,
          suggestion: `Use ${canary}.`
        }
      ]
    })
  }
  return `\`\`\`javascript\n${codeWith(canary).replace('let sum = 0', 'let sum = 0 // from here')}\`\`\`\n`
}

export function codeWith(canary: string): string {
  const loop = `  for (const each of list) sum += each // ${canary}`
  return `export function total (list) {\n  let sum = 0\n${loop}\n  return sum\n}\n`
}
