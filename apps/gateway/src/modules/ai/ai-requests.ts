import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import {
  AnalyzeRequest,
  canonicalLanguage,
  GenerateRequest,
  limits,
  OptimizeRequest
} from '@filewright/contracts'
import { refusal, reasonOf } from './ai-refusals.js'

/**
 * Checks against a contract. What the contract does not name is left behind: it may be nested deeper than
 * anything that walks through it can bear.
 */
function createParser<V>(
  schema: TSchema & { properties: object },
  textsOf: (body: V) => Record<string, string>
): (body: unknown) => V {
  const validator = Compile(schema)
  const known = Object.keys(schema.properties)
  return (body) => {
    if (!validator.Check(body)) throw refusal('invalid-field', reasonOf(validator.Errors(body)))
    for (const [field, text] of Object.entries(textsOf(body as V))) {
      if (Buffer.byteLength(text) > limits.promptBytes) {
        throw refusal('too-long', `${field} is longer than ${limits.promptBytes} bytes`)
      }
      // A lone surrogate would not survive the way to the model and back.
      if (!text.isWellFormed()) throw refusal('invalid-field', `${field} is not valid Unicode`)
    }
    return Object.fromEntries(Object.entries(body as object).filter(([name]) => known.includes(name))) as V
  }
}

/** In a header only visible ASCII may stand. */
const named = (language: string): string =>
  /^[\w.+# -]{1,30}$/.test(language) ? `language "${language}"` : 'the language'

function requireKnown(language: string): void {
  if (canonicalLanguage(language) === null) {
    throw refusal(
      'invalid-field',
      `${named(language)} is unknown; use a name such as javascript, python, go or sql`
    )
  }
}

export const parseGenerateRequest = createParser<GenerateRequest>(
  GenerateRequest,
  ({ prompt, language = '', framework = '' }) => ({ prompt, language, framework })
)

const analyzeBody = createParser<AnalyzeRequest>(AnalyzeRequest, ({ code, framework = '' }) => ({
  code,
  framework
}))
export function parseAnalyzeRequest(body: unknown): AnalyzeRequest {
  const request = analyzeBody(body)
  requireKnown(request.language)
  return request
}

const optimizeBody = createParser<OptimizeRequest>(OptimizeRequest, ({ code, framework = '' }) => ({
  code,
  framework
}))
export function parseOptimizeRequest(body: unknown): OptimizeRequest {
  const request = optimizeBody(body)
  requireKnown(request.language)
  return request
}
