import { canonicalLanguage, type AnalysisPool, type Language } from '@filewright/analysis'
import { extractCodeBlock, extractContent, generatePrompt, repairPrompt } from '@filewright/llm'
import type { GenerateOutcome, GeneratePayload } from '@filewright/queue'
import { AppError } from '@filewright/runtime'
import { usageOf, type Meter } from './usage.js'

export interface GenerateDeps {
  analysis: Pick<AnalysisPool, 'checkSyntax'>
}

interface Draft {
  code: string
  language: Language | null
}

export async function generate (payload: GeneratePayload, meter: Meter, signal: AbortSignal, { analysis }: GenerateDeps): Promise<GenerateOutcome> {
  const { prompt, type, language, framework, model, stream } = payload

  function draftOf (text: string): Draft {
    const { code, fence } = extractCodeBlock(text, language)
    // The fence says what was written: a Vue component is no JavaScript, whatever the request called it.
    return { code, language: canonicalLanguage(fence ?? '') ?? canonicalLanguage(language ?? '') }
  }

  async function problemOf (draft: Draft): Promise<{ line: number, message: string } | null> {
    if (draft.language === null) return null
    try {
      const syntax = await analysis.checkSyntax(draft.code, draft.language, { signal })
      return syntax.ok === false ? syntax : null
    } catch {
      // A parser that fails says nothing about the code.
      signal.throwIfAborted()
      return null
    }
  }

  const request = generatePrompt({ prompt, type, language, framework })
  const { text } = await meter.chat({ model, ...request }, signal, { stream })
  const done = (content: string): GenerateOutcome => {
    if (content.trim() === '') throw new AppError('MODEL_OUTPUT_INVALID', 'the model wrote nothing', { retryable: true })
    return { kind: 'generate', content, ...usageOf(meter, 'model') }
  }
  if (type === 'content') return done(extractContent(text))

  const draft = draftOf(text)
  const problem = await problemOf(draft)
  if (problem === null) return done(draft.code)

  // One more try, with its own error before the model's eyes. If that is no better, the first draft stands: it is what was streamed.
  const repair = repairPrompt({ prompt, type, language, framework, code: draft.code, error: problem })
  try {
    const second = draftOf((await meter.chat({ model, ...repair }, signal)).text)
    if (second.code.trim() !== '' && await problemOf(second) === null) return done(second.code)
  } catch {
    signal.throwIfAborted()
  }
  return done(draft.code)
}
