import { analysisTypes, type AnalysisResult, type GenerationType } from '@filewright/contracts'
import type { ChatResult, ModelClient } from '@filewright/llm'
import type { AnalyzePayload, GeneratePayload } from '@filewright/queue'
import { analyze, type AnalyzeDeps } from '../analyze.js'
import { generate, type GenerateDeps } from '../generate.js'
import { createMeter } from '../usage.js'
import type { RecordedCase } from './recorded-cases.js'

const ANSWER_MS = 60_000

/** A scripted model: the nth text for the nth call, the last one from then on. */
export function replayingModel(
  answers: ReadonlyArray<Pick<ChatResult, 'text' | 'finish'>>
): Pick<ModelClient, 'chat'> {
  let calls = 0
  return {
    chat: async (_request, { onText }) => {
      const { text, finish } = answers[Math.min(calls++, answers.length - 1)] ?? {
        text: '',
        finish: 'stop' as const
      }
      await onText?.(text, false)
      return {
        text,
        finish,
        model: 'recorded',
        isSandbox: false,
        promptTokens: 0,
        outputTokens: 0,
        tokensUsed: 0
      }
    }
  }
}

/** The result of generate for a recorded response: the content, or null when it is refused. */
export async function replayGenerate(
  { fields, sections }: RecordedCase,
  { analysis }: Pick<GenerateDeps, 'analysis'>
): Promise<string | null> {
  const { prompt = '', type = 'code', language = 'javascript', framework = '', finish } = fields
  const payload: GeneratePayload = {
    v: 1,
    id: 'recorded',
    requestId: 'recorded',
    kind: 'generate',
    model: 'alpha-4o-mini',
    stream: false,
    prompt,
    type: type as GenerationType,
    ...(language === '' ? {} : { language }),
    ...(framework === '' ? {} : { framework })
  }
  const first = {
    text: sections['answer'] ?? '',
    finish: finish === 'length' ? ('length' as const) : ('stop' as const)
  }
  const then = sections['then'] === undefined ? [] : [{ text: sections['then'], finish: 'stop' as const }]
  const meter = createMeter({ model: replayingModel([first, ...then]), report: async () => {} })
  try {
    return (await generate(payload, meter, new AbortController().signal, { analysis, answerMs: ANSWER_MS }))
      .content
  } catch (error) {
    if ((error as { code?: unknown }).code === 'MODEL_OUTPUT_INVALID') return null
    throw error
  }
}

/** The result of analyze for a recorded response. Asked again, the model confirms its findings. */
export async function replayAnalyze(
  { fields, sections }: RecordedCase,
  { analysis }: Pick<AnalyzeDeps, 'analysis'>
): Promise<AnalysisResult> {
  const payload: AnalyzePayload = {
    v: 1,
    id: 'recorded',
    requestId: 'recorded',
    kind: 'analyze',
    model: 'alpha-4o-mini',
    code: sections['code'] ?? '',
    language: fields['language'] ?? 'javascript',
    analysisTypes: [...analysisTypes]
  }
  const answers = [sections['answer'], sections['then']]
    .filter((text) => text !== undefined)
    .map((text) => ({ text, finish: 'stop' as const }))
  const meter = createMeter({ model: replayingModel(answers), report: async () => {} })
  const { body } = await analyze(payload, meter, new AbortController().signal, {
    analysis,
    logger: { warn: () => {} },
    answerMs: ANSWER_MS
  })
  return body
}
