import type { ExportedSignature } from './types.js'

export interface ExportsComparison {
  kept: boolean
  /** Names that are gone. */
  missing: string[]
  /** Names whose parameters or result differ. */
  changed: string[]
}

/**
 * Whether all that `before` offers is still there, called in the same way. New names are no harm; null tells
 * nothing and compares as kept.
 */
export function compareExports(
  before: readonly ExportedSignature[] | null,
  after: readonly ExportedSignature[] | null
): ExportsComparison {
  if (before === null || after === null) return { kept: true, missing: [], changed: [] }
  const bySignature = (list: readonly ExportedSignature[], name: string): string =>
    list
      .filter((each) => each.name === name && each.signature !== '')
      .map((each) => each.signature)
      .sort()
      .join('|')
  const names = [...new Set(before.map(({ name }) => name))]
  const missing = names.filter((name) => !after.some((each) => each.name === name))
  const changed = names.filter(
    (name) => !missing.includes(name) && bySignature(before, name) !== bySignature(after, name)
  )
  return { kept: missing.length === 0 && changed.length === 0, missing, changed }
}
