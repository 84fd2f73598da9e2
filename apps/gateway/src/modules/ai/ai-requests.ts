import { Compile, type TSchema } from '@filewright/schema'
import {
  AnalyzeBatchRequest,
  AnalyzeRequest,
  canonicalLanguage,
  GenerateRequest,
  limits,
  OptimizeRequest
} from '@filewright/contracts'
import { refusal, reasonOf } from './ai-refusals.js'

/**
 * Validates against a contract and drops unknown properties: they may be nested too deeply for code that
 * walks them.
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
      // A lone surrogate would be lost on the way to the model and back.
      if (!text.isWellFormed()) throw refusal('invalid-field', `${field} is not valid Unicode`)
    }
    return Object.fromEntries(Object.entries(body as object).filter(([name]) => known.includes(name))) as V
  }
}

/** A header may contain only visible ASCII characters. */
const named = (language: string): string =>
  /^[\w.+# -]{1,30}$/.test(language) ? `language "${language}"` : 'the language'

function requireKnown(language: string, where = ''): void {
  if (canonicalLanguage(language) === null) {
    throw refusal(
      'invalid-field',
      `${where}${named(language)} is unknown; use a name such as javascript, python, go or sql`
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

const analyzeBatchBody = createParser<AnalyzeBatchRequest>(AnalyzeBatchRequest, ({ files, framework = '' }) =>
  Object.fromEntries([
    ['framework', framework],
    ...files.flatMap(({ path, code }, index) => [
      [`files/${index}/path`, path],
      [`files/${index}/code`, code]
    ])
  ])
)
export function parseAnalyzeBatchRequest(body: unknown): AnalyzeBatchRequest {
  const { files, ...rest } = analyzeBatchBody(body)
  const paths = new Set<string>()
  let bytes = 0
  for (const [index, { path, code, language }] of files.entries()) {
    if (paths.has(path)) throw refusal('invalid-field', `files/${index}/path is there twice`)
    paths.add(path)
    requireKnown(language, `files/${index}: `)
    bytes += Buffer.byteLength(code)
  }
  // However many files it has, a batch costs at most as much as the largest single analysis.
  if (bytes > limits.codeBytes) {
    throw refusal('too-long', `the code of all files is longer than ${limits.codeBytes} bytes`)
  }
  return { ...rest, files: files.map(({ path, code, language }) => ({ path, code, language })) }
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
