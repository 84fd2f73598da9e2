import type { Analyzers } from './analysis-pool/pool.js'
import {
  continuationPrompt,
  endsInside,
  generatePrompt,
  joinContinuation,
  mayBecomeRefusal,
  repairPrompt,
  type ChatRequest,
  type ChatResult
} from '@filewright/llm'
import type { GenerateOutcome, GeneratePayload } from '@filewright/queue'
import { AppError, withDeadline } from '@filewright/runtime'
import { createDraftReader, type Draft } from './draft.js'
import { whyRefused } from './why-refused.js'
import { ANOTHER_TRY, usageOf, type Meter, type MeterOptions } from './usage.js'

export interface GenerateDeps {
  analysis: Pick<Analyzers, 'checkSyntax'>
  /** For one response, over all its calls. */
  answerMs: number
}

/** The model's output if it is usable; otherwise a second attempt, then a refusal. */
export async function generate(
  payload: GeneratePayload,
  meter: Meter,
  signal: AbortSignal,
  { analysis, answerMs }: GenerateDeps
): Promise<GenerateOutcome> {
  const { prompt, type, language, framework, model, stream } = payload
  const startedAt = Date.now()
  const asked = generatePrompt({ prompt, type, language, framework })
  const read = createDraftReader(payload, { analysis, signal, asked })

  /** Another call in the remaining time. Null when it fails. */
  async function askFurther(
    request: Omit<ChatRequest, 'model'>,
    options: MeterOptions
  ): Promise<ChatResult | null> {
    const restMs = Math.max(1, answerMs - (Date.now() - startedAt))
    try {
      return await withDeadline(
        async (limited) => await meter.chat({ model, ...request }, limited, options),
        { ms: restMs, signal }
      )
    } catch {
      signal.throwIfAborted()
      return null
    }
  }

  /** A response that reached the output limit, with its continuation if possible. */
  async function continued(draft: Draft, text: string): Promise<Draft> {
    const rest = await askFurther(continuationPrompt(asked, text), { stream, at: text.length })
    if (rest === null) return draft
    for (const joined of joinContinuation(text, rest.text)) {
      const whole = await read({ text: joined, finish: rest.finish })
      if (whole.fault === undefined) return whole
    }
    return draft
  }

  /**
   * If the code does not parse, the retry includes the error; otherwise it repeats the question in other
   * words.
   */
  async function again({ fault, problem, content }: Draft): Promise<Draft | null> {
    const request =
      fault === 'syntax' && problem !== undefined
        ? repairPrompt({ prompt, type, language, framework, code: content, error: problem })
        : asked
    // A client that streams has already seen the first response, so the second is sent only as the result.
    const answer = await askFurther(
      { ...request, ...ANOTHER_TRY },
      { stream: stream && meter.shownChars() === 0, hold: mayBecomeRefusal }
    )
    if (answer === null) return null
    const draft = await read(answer)
    if (draft.fault === undefined) await meter.release()
    return draft
  }

  const result = await meter.chat({ model, ...asked }, signal, { stream, hold: mayBecomeRefusal })
  let draft = await read(result)
  if (draft.fault === undefined) await meter.release()
  if (
    draft.fault === undefined &&
    draft.finish === 'length' &&
    (type === 'content' || endsInside(result.text))
  ) {
    draft = await continued(draft, result.text)
  }
  const best = draft.fault === undefined ? draft : await again(draft)
  if (best === null || best.fault !== undefined) {
    throw new AppError(
      'MODEL_OUTPUT_INVALID',
      `the model's answer is of no use, and neither is the next: ${draft.fault ?? ''}, ${best?.fault ?? 'no answer'}`,
      { rejection: whyRefused(best?.fault ?? draft.fault) }
    )
  }
  return { kind: 'generate', content: best.content, finish: best.finish, ...usageOf(meter, 'model') }
}
