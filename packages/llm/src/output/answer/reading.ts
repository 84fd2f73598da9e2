import type { Language } from '@filewright/contracts'
import type { PartsFault } from './choose-blocks.js'
import type { CodeRequest } from './frameworks.js'

export interface SyntaxProblem {
  line: number
  message: string
}

/** A parser's result: whether the code parses, where it does not, or that there is no parser. */
export type Parse = (
  code: string,
  language: Language
) => Promise<{ ok: true } | { ok: 'unknown' } | ({ ok: false } & SyntaxProblem)>

export type ReadFault = PartsFault | 'language' | 'module' | 'wrapper'

/** The code of a response, or why there is none. */
export interface CodeReading {
  code: string
  /** The fence's word, or the detected language. */
  fence: string
  parses: boolean | undefined
  problem?: SyntaxProblem | undefined
  fault?: ReadFault | undefined
}

/** Shared by all steps of a reading. */
export interface Context {
  request: CodeRequest
  isCut: boolean
  /** The languages that a response may use; null when the request names none. */
  accepted: readonly Language[] | null
  /** The first of them. */
  wanted: Language | null
  parse: Parse
}

export const none = (fault: ReadFault | undefined, code = ''): CodeReading => ({
  code,
  fence: '',
  parses: undefined,
  fault
})
export const DATA: ReadonlySet<string> = new Set(['json', 'yaml', 'toml', 'xml', 'csv', 'dotenv', 'ini'])
export const PROSE: ReadonlySet<string> = new Set([
  'markdown',
  'text',
  'restructuredtext',
  'asciidoc',
  'latex'
])
/** Parsers that accept nearly every text. */
export const LENIENT: ReadonlySet<string> = new Set(['shell', 'html', 'sql'])
