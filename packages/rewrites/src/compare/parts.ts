import type { Language } from '@filewright/contracts'
import { unitsOf } from '@filewright/analysis/parsing'

/** A function, class or statement at the top of the code. */
export interface CodePart {
  name: string
  start: number
  end: number
  /** From 1. */
  firstLine: number
  lastLine: number
}

/** What code is made of, without its imports. Null for code that no parser of ours can take apart. */
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
