import type { Analyzers } from '@filewright/analysis/pool'
import { canonicalLanguage, type Language } from '@filewright/contracts'
import {
  codeCandidates,
  codeFault,
  contentFault,
  extractContent,
  languageNamedIn,
  languagesAreRelated,
  repeatsInstructions,
  wantsPromptText,
  type AnswerFault,
  type ChatResult,
  type CodeBlock,
  type Prompt
} from '@filewright/llm'
import type { GeneratePayload } from '@filewright/queue'
import { isAppError } from '@filewright/runtime'

export interface Problem {
  line: number
  message: string
}

/** What an answer holds, and why it cannot be given to anybody if it cannot. */
export interface Draft {
  content: string
  finish: ChatResult['finish']
  fault: AnswerFault | undefined
  /** Where the code does not parse, with the fault `syntax`. */
  problem?: Problem
}

export interface DraftDeps {
  analysis: Pick<Analyzers, 'checkSyntax'>
  signal: AbortSignal
  /** What the model was asked. */
  asked: Prompt
}

export type ReadDraft = (
  answer: Pick<ChatResult, 'text' | 'finish'> & { isSandbox?: boolean }
) => Promise<Draft>

/** More readings of one answer than this are guesses. */
const MAX_CANDIDATES = 8

interface Checked extends CodeBlock {
  /** True or false of the wanted language alone, undefined if no parser can tell. */
  parses: boolean | undefined
  problem: Problem | undefined
}

/** Reads a model's answers to one request: takes out what was asked for and says what is wrong with it. */
export function createDraftReader(
  { prompt, type, language, framework }: GeneratePayload,
  { analysis, signal, asked }: DraftDeps
): ReadDraft {
  const request = { prompt, type, language: language ?? languageNamedIn(prompt) }
  const wanted = canonicalLanguage(request.language ?? '')
  const wish = { language: request.language, framework, wantsTests: /\b(?:tests?|specs?)\b/i.test(prompt) }
  const mayBePrompt = wantsPromptText(prompt)
  const leaks = (content: string): boolean => repeatsInstructions(content, asked, { mayBePrompt })

  /** The fence says what was written: a Vue component is no JavaScript, whatever the request called it. */
  function languageOf(fence: string): Language | null {
    const named = canonicalLanguage(fence)
    if (named === null || named === 'text' || named === 'markdown') return wanted ?? named
    return wanted === null || languagesAreRelated(wanted, named) ? named : wanted
  }

  async function checked(block: CodeBlock): Promise<Checked> {
    const written = languageOf(block.fence)
    if (written === null) return { ...block, parses: undefined, problem: undefined }
    try {
      const syntax = await analysis.checkSyntax(block.code, written, { signal })
      const isWanted = written === wanted && syntax.ok !== 'unknown'
      return {
        ...block,
        parses: isWanted ? syntax.ok === true : undefined,
        problem: syntax.ok === false ? syntax : undefined
      }
    } catch (error) {
      // A parser that fails says nothing about the code. On a machine that is too busy it has not failed.
      signal.throwIfAborted()
      if (isAppError(error, 'DEADLINE_EXCEEDED')) throw error
      return { ...block, parses: undefined, problem: undefined }
    }
  }

  /** The first reading that parses, else the likeliest one. */
  async function bestOf(candidates: readonly CodeBlock[]): Promise<Checked | undefined> {
    let first: Checked | undefined
    for (const candidate of candidates.slice(0, MAX_CANDIDATES)) {
      if (candidate.code.trim() === '') continue
      const read = await checked(candidate)
      if (read.problem === undefined) return read
      first ??= read
    }
    return first
  }

  return async ({ text, finish, isSandbox = false }) => {
    const isCut = finish === 'length'
    // A sample stands in for a model, in a language of its own if it has none in the one asked for, and says
    // so.
    if (isSandbox) {
      return {
        content:
          type === 'content' ? extractContent(text, prompt) : (codeCandidates(text, wish)[0]?.code ?? ''),
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
    const candidates = codeCandidates(text, wish)
    const [likeliest] = candidates
    // What was cut need not parse.
    const best =
      isCut && likeliest !== undefined
        ? { ...likeliest, parses: undefined, problem: undefined }
        : await bestOf(candidates)
    const { code, fence, parses, problem } = best ?? {
      code: '',
      fence: '',
      parses: undefined,
      problem: undefined
    }
    const fault =
      codeFault(text, { code, fence, parses, isCut }, request) ??
      (leaks(code) ? 'leak' : problem === undefined ? undefined : 'syntax')
    return { content: code, finish, fault, ...(problem === undefined ? {} : { problem }) }
  }
}
