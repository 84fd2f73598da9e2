import type { Analyzers } from './analysis-pool/pool.js'
import {
  codeFault,
  contentFault,
  extractCode,
  extractContent,
  languageNamedIn,
  readCode,
  repeatsInstructions,
  wantsPromptText,
  type AnswerFault,
  type ChatResult,
  type Parse,
  type Prompt
} from '@filewright/llm'
import type { GeneratePayload } from '@filewright/queue'
import { isAppError } from '@filewright/runtime'

export interface Problem {
  line: number
  message: string
}

/** The content of a response, or why it is unusable. */
export interface Draft {
  content: string
  finish: ChatResult['finish']
  fault: AnswerFault | undefined
  /** Set if the code does not parse, with the fault `syntax`. */
  problem?: Problem
}

export interface DraftDeps {
  analysis: Pick<Analyzers, 'checkSyntax'>
  signal: AbortSignal
  /** The prompt of the model. */
  asked: Prompt
}

export type ReadDraft = (
  answer: Pick<ChatResult, 'text' | 'finish'> & { isSandbox?: boolean }
) => Promise<Draft>

const noParser: Parse = async () => ({ ok: 'unknown' })

/** Faults of the whole response take precedence over faults in its code. */
const OF_THE_ANSWER: ReadonlySet<AnswerFault> = new Set([
  'refusal',
  'talk',
  'echo',
  'placeholder',
  'repetition'
])

/** Reads a model's responses to one request: extracts the content and reports what is wrong with it. */
export function createDraftReader(
  { prompt, type, language, framework }: GeneratePayload,
  { analysis, signal, asked }: DraftDeps
): ReadDraft {
  const request = { prompt, type, framework, language: language ?? languageNamedIn(prompt) }
  const mayBePrompt = wantsPromptText(prompt)
  const leaks = (content: string): boolean => repeatsInstructions(content, asked, { mayBePrompt })

  const parse: Parse = async (code, written) => {
    try {
      return await analysis.checkSyntax(code, written, { signal })
    } catch (error) {
      // A parser that crashes says nothing about the code. Being too busy is not a crash.
      signal.throwIfAborted()
      if (isAppError(error, 'DEADLINE_EXCEEDED')) throw error
      return { ok: 'unknown' }
    }
  }

  return async ({ text, finish, isSandbox = false }) => {
    const isCut = finish === 'length'
    // A sandbox sample replaces a model's output. It may be in another language than requested, and says so.
    if (isSandbox) {
      return {
        content: type === 'content' ? extractContent(text, prompt) : extractCode(text, language),
        finish,
        fault: undefined
      }
    }
    if (type === 'content') {
      const content = extractContent(text, prompt)
      return {
        content,
        finish,
        fault: contentFault(content, request, isCut) ?? (leaks(content) ? 'leak' : undefined)
      }
    }
    // Truncated code need not parse.
    const {
      code,
      fence,
      parses,
      problem,
      fault: unfit
    } = await readCode(text, { ...request, isCut }, isCut ? noParser : parse)
    const ofAnswer = codeFault(text, { code, fence, parses, isCut }, request)
    const fault =
      ofAnswer !== undefined && (unfit === undefined || OF_THE_ANSWER.has(ofAnswer))
        ? ofAnswer
        : (unfit ?? (leaks(code) ? 'leak' : problem === undefined ? undefined : 'syntax'))
    return { content: code, finish, fault, ...(problem === undefined ? {} : { problem }) }
  }
}
