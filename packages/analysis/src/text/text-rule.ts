import type { Language } from '@filewright/contracts'
import type { RuleInfo } from '../types.js'
import type { Source } from './source.js'

export interface TextHit {
  line: number
  message?: string
  isLikely?: boolean
}

/** A rule that needs the text only. */
export interface TextRule extends RuleInfo {
  readonly engine: 'text'
  readonly find: (source: Source, language: Language) => Iterable<number | TextHit>
}
