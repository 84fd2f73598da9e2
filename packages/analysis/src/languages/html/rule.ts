import type { RuleInfo } from '../../types.js'

/** A rule of HTMLHint under our type and words. */
export interface HintRule extends RuleInfo {
  readonly engine: 'hint'
  readonly rule: string
  readonly options?: unknown
}

export interface HtmlTag {
  name: string
  line: number
  /** Where the element ends; infinite when that is not known. */
  endLine: number
  /** Names in lower case; null for an attribute without a value. */
  attributes: ReadonlyMap<string, string | null>
}

/** A rule of ours about single tags, or about the whole page. */
export interface TagRule extends RuleInfo {
  readonly engine: 'tag'
  readonly tags: string | null
  readonly when: (tag: HtmlTag, all: readonly HtmlTag[]) => boolean
}

export type HtmlRule = HintRule | TagRule
