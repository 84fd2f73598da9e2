import type { Language } from '@filewright/contracts'
import { unitsOf } from '@filewright/analysis/parsing'

/** A top-level function, class or statement. */
export interface CodePart {
  name: string
  start: number
  end: number
  /** 1-based. */
  firstLine: number
  lastLine: number
}

/** The parts of the code, without its imports. Null if no parser of ours can split the code. */
export function partsOf({ code, language }: { code: string; language: Language }): CodePart[] | null {
  const units = unitsOf(code, language)
  if (units === null) return null
  return units
    .filter(({ isImport, owner }) => !isImport && owner === null)
    .map(({ name, start, end, node }) => ({
      name,
      start,
      end,
      firstLine: node.range().start.line + 1,
      lastLine: node.range().end.line + 1
    }))
}
