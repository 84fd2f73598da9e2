import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import {
  AnalyzeRequest,
  canonicalLanguage,
  GenerateRequest,
  limits,
  OptimizeRequest
} from '@filewright/contracts'
import { AppError } from '@filewright/runtime'

/**
 * Checks against a contract, without a word on what is wrong: the endpoint has one sentence for all of it.
 * What the contract does not name is left behind: it may be nested deeper than anything that walks through it
 * can bear.
 */
function createParser<V>(
  schema: TSchema & { properties: object },
  textsOf: (body: V) => string[]
): (body: unknown) => V {
  const validator = Compile(schema)
  const known = Object.keys(schema.properties)
  return (body) => {
    if (!validator.Check(body)) throw new AppError('INVALID_AI_REQUEST', 'the body does not match its schema')
    for (const text of textsOf(body as V)) {
      if (Buffer.byteLength(text) > limits.promptBytes) {
        throw new AppError('INVALID_AI_REQUEST', 'a text is too long')
      }
      // A lone surrogate would not survive the way to the model and back.
      if (!text.isWellFormed()) throw new AppError('INVALID_AI_REQUEST', 'a text is not valid Unicode')
    }
    return Object.fromEntries(Object.entries(body as object).filter(([name]) => known.includes(name))) as V
  }
}

function requireKnown(language: string): void {
  if (canonicalLanguage(language) === null) throw new AppError('INVALID_AI_REQUEST', 'unknown language')
}

export const parseGenerateRequest = createParser<GenerateRequest>(
  GenerateRequest,
  ({ prompt, language = '', framework = '' }) => [prompt, language, framework]
)

const analyzeBody = createParser<AnalyzeRequest>(AnalyzeRequest, ({ code, framework = '' }) => [
  code,
  framework
])
export function parseAnalyzeRequest(body: unknown): AnalyzeRequest {
  const request = analyzeBody(body)
  requireKnown(request.language)
  return request
}

const optimizeBody = createParser<OptimizeRequest>(OptimizeRequest, ({ code, framework = '' }) => [
  code,
  framework
])
export function parseOptimizeRequest(body: unknown): OptimizeRequest {
  const request = optimizeBody(body)
  requireKnown(request.language)
  return request
}
