import type { Analyzers } from '@filewright/analysis/pool'
import { canonicalLanguage, type Language } from '@filewright/contracts'
import {
  extractCodeBlock,
  extractContent,
  generatePrompt,
  repairPrompt,
  repeatsInstructions,
  type ChatResult
} from '@filewright/llm'
import type { GenerateOutcome, GeneratePayload } from '@filewright/queue'
import { AppError, withDeadline } from '@filewright/runtime'
import { usageOf, type Meter } from './usage.js'

export interface GenerateDeps {
  analysis: Pick<Analyzers, 'checkSyntax'>
  /** For one answer, over all the calls it takes. */
  answerMs: number
}

interface Draft {
  code: string
  language: Language | null
  finish: ChatResult['finish']
}

interface Problem {
  line: number
  message: string
}

export async function generate(
  payload: GeneratePayload,
  meter: Meter,
  signal: AbortSignal,
  { analysis, answerMs }: GenerateDeps
): Promise<GenerateOutcome> {
  const { prompt, type, language, framework, model, stream } = payload
  const startedAt = Date.now()
  const asked = generatePrompt({ prompt, type, language, framework })

  function draftOf({ text, finish }: ChatResult): Draft {
    const { code, fence } = extractCodeBlock(text, language)
    // The fence says what was written: a Vue component is no JavaScript, whatever the request called it.
    return { code, language: canonicalLanguage(fence) ?? canonicalLanguage(language ?? ''), finish }
  }

  async function problemOf(draft: Draft): Promise<Problem | null> {
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

  /** One more try, with its own error before the model's eyes. Null when that is no better. */
  async function repaired({ code }: Draft, error: Problem): Promise<Draft | null> {
    const restMs = Math.max(1, answerMs - (Date.now() - startedAt))
    const request = repairPrompt({ prompt, type, language, framework, code, error })
    try {
      const answer = await withDeadline(async (limited) => await meter.chat({ model, ...request }, limited), {
        ms: restMs,
        signal
      })
      const draft = draftOf(answer)
      return draft.code.trim() !== '' && (await problemOf(draft)) === null ? draft : null
    } catch {
      signal.throwIfAborted()
      return null
    }
  }

  function done(content: string, finish: ChatResult['finish']): GenerateOutcome {
    if (content.trim() === '') {
      throw new AppError('MODEL_OUTPUT_INVALID', 'the model wrote nothing', { retryable: true })
    }
    if (repeatsInstructions(content, asked)) {
      throw new AppError('MODEL_OUTPUT_INVALID', 'the model repeated its instructions')
    }
    return { kind: 'generate', content, finish, ...usageOf(meter, 'model') }
  }

  const result = await meter.chat({ model, ...asked }, signal, { stream })
  if (type === 'content') return done(extractContent(result.text), result.finish)

  const draft = draftOf(result)
  // What was cut at the output's limit would be cut there again.
  const problem = draft.code.trim() === '' || draft.finish === 'length' ? null : await problemOf(draft)
  // If the repair is no better, the first draft stands: it is what was streamed.
  const best = problem === null ? draft : ((await repaired(draft, problem)) ?? draft)
  return done(best.code, best.finish)
}
