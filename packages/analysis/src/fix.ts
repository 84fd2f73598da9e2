import { checkSyntax } from './analyze.js'
import type { Language } from '@filewright/contracts'
import { rules } from './registry/rules.js'
import { createSource } from './text/source.js'
import type { AnalysisType } from './types.js'
import type { AppliedFix, PlacedFix } from './fix/edits.js'
import { withEveryHunk } from './diff/every-hunk.js'
import { asSubmitted, editorFor, rewriteCode } from './rewrite-code.js'
import { settle } from './settle.js'

export interface FixInput {
  code: string
  language: Language
  /** Only fixes of rules of these types; all when absent. */
  types?: readonly AnalysisType[] | undefined
}

export type { AppliedFix }

export interface FixResult {
  code: string
  fixes: AppliedFix[]
  /**
   * The submitted code with those fixes alone that call something else on purpose. Whoever runs the code
   * beside the original compares with this; absent where there are none.
   */
  base?: string
  /** Why a fix was held back, for people; without any of the code. */
  heldBack?: string
}

/**
 * Fixes of these rules hand values over in another way, as parameters instead of in the text: a run that
 * compares calls would refuse every one.
 */
const callsAnew: ReadonlySet<string> = new Set([
  'js/sql-injection',
  'js/shell-injection',
  'js/unescaped-markup'
])

/** From var to let to const is one change for the reader. */
function withoutSteps(fixes: readonly PlacedFix[]): PlacedFix[] {
  const nowConst = new Set(fixes.filter(({ ruleId }) => ruleId === 'js/prefer-const').map(({ line }) => line))
  return fixes.filter(({ ruleId, line }) => ruleId !== 'js/no-var' || !nowConst.has(line))
}

/**
 * The code after every fix that tools can vouch for. What comes back parses, offers the same names with the
 * same parameters, and has no finding that the submitted code did not have; fixes that would break that are
 * left out. Fixing the result changes nothing.
 */
export async function fix({ code, ...options }: FixInput): Promise<FixResult> {
  if (!/\r\n/.test(code) || /(?<!\r)\n/.test(code)) return await fixText({ code, ...options })
  // Tools write LF where they write a line break, and gofmt everywhere.
  const withCrLf = (text: string): string => text.replace(/\n/g, '\r\n')
  const {
    code: fixed,
    fixes,
    base,
    heldBack
  } = await fixText({ code: code.replace(/\r\n/g, '\n'), ...options })
  return {
    code: withCrLf(fixed),
    fixes,
    ...(base === undefined ? {} : { base: withCrLf(base) }),
    ...(heldBack === undefined ? {} : { heldBack })
  }
}

async function fixText({ code, language, types }: FixInput): Promise<FixResult> {
  const unchanged: FixResult = { code, fixes: [] }
  // Text that had to be cleaned before a parser could read it is not ours to rewrite.
  if (createSource(code).text !== code || (await checkSyntax(code, language)).ok === false) return unchanged

  const editor = await editorFor(language)
  const isAllowed = (type: AnalysisType): boolean => types === undefined || types.includes(type)
  const allowed = new Set(
    rules
      .filter(({ id, analysisType }) => editor.ruleIds.includes(id) && isAllowed(analysisType))
      .map(({ id }) => id)
  )
  try {
    const { fixes, ...settled } = await settle(asSubmitted(code), language, editor, allowed)
    // Named by its line in the submitted code, which the client has.
    const why = editor.heldBack?.(code, language, allowed) ?? null
    const heldBack = why === null ? {} : { heldBack: why }
    if (settled.code === code) return { ...unchanged, ...heldBack }
    const result = {
      code: settled.code,
      fixes: withEveryHunk(code, settled.code, withoutSteps(fixes)),
      ...heldBack
    }
    const anew = new Set(fixes.map(({ ruleId }) => ruleId).filter((ruleId) => callsAnew.has(ruleId)))
    if (anew.size === 0) return result
    return { ...result, base: rewriteCode(asSubmitted(code), language, editor, anew).code }
  } catch {
    return unchanged
  }
}
