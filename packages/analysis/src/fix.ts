import { analyze, checkSyntax } from './analyze.js'
import { compareExports } from './exports/compare.js'
import { exportsOf } from './registry/exports.js'
import type { Language } from '@filewright/contracts'
import { isOneOf, scriptLanguages } from './language-groups.js'
import { rules } from './registry/rules.js'
import { createSource } from './text/source.js'
import type { AnalysisType, Finding } from './types.js'
import { applyEdits, type AppliedFix, type Editor } from './fix/edits.js'
import { withEveryHunk } from './diff/every-hunk.js'

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

/** One fix may make room for another; after this many rounds what is left stays. */
const maxRounds = 6
/** From `var` by way of `let` to `const` and a check that nothing is left. */
const minRounds = 3
/**
 * Characters that one request may have read again and again: large code gets fewer rounds and tries, and what
 * they gave.
 */
const maxWork = 1024 * 1024

/** Loaded for the language that is asked for, because parsers are large. */
async function editorFor(language: Language): Promise<Editor> {
  if (isOneOf(language, scriptLanguages)) {
    return (await import('./languages/script/fixes/index.js')).scriptEditor
  }
  if (language === 'python') return (await import('./languages/python/fixes/index.js')).pythonEditor
  if (language === 'css') return (await import('./languages/css/fixes.js')).cssEditor
  return (await import('./registry/tree-editor.js')).treeEditor
}

function rewrite(code: string, language: Language, editor: Editor, ruleIds: ReadonlySet<string>): FixResult {
  let current = code
  let origins = createSource(code).lines.map((_, index) => index)
  const fixes: AppliedFix[] = []
  const rounds = Math.max(minRounds, Math.min(maxRounds, Math.floor(maxWork / (code.length + 1))))
  for (let round = 0; round < rounds; round++) {
    const edited = applyEdits(current, editor.edits(current, language, ruleIds))
    if (edited.text === current) break
    const source = createSource(current)
    for (const { ruleId, description, ...edit } of edited.applied) {
      const start = edit.about ?? firstSign(current, edit)
      const isFaster = rules.find(({ id }) => id === ruleId)?.analysisType === 'performance'
      fixes.push({
        ruleId,
        line: (origins[source.lineAt(start) - 1] ?? 0) + 1,
        description,
        kind: isFaster ? 'optimize' : 'refactor'
      })
    }
    origins = edited.origins.map((line) => origins[line] ?? 0)
    current = edited.text
  }
  return {
    code: current,
    fixes: withEveryHunk(code, current, withoutSteps(fixes))
  }
}

/**
 * Where the changed text begins: an edit that takes the end of the line before along is about its own line.
 */
function firstSign(text: string, { start, end }: { start: number; end: number }): number {
  const blank = /^\s*/.exec(text.slice(start, end))![0].length
  return blank < end - start ? start + blank : start
}

/** From var to let to const is one change for the reader. */
function withoutSteps(fixes: AppliedFix[]): AppliedFix[] {
  const nowConst = new Set(fixes.filter(({ ruleId }) => ruleId === 'js/prefer-const').map(({ line }) => line))
  return fixes.filter(({ ruleId, line }) => ruleId !== 'js/no-var' || !nowConst.has(line))
}

function countByRule(findings: readonly Finding[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { ruleId } of findings) {
    // A `var` that is now a `let` may be one that could be `const`: one remark instead of another.
    const counted = ruleId === 'js/no-var' ? 'js/prefer-const' : ruleId
    counts.set(counted, (counts.get(counted) ?? 0) + 1)
  }
  return counts
}

/**
 * The code after every fix that tools can vouch for. What comes back parses, offers the same names with the
 * same parameters, and has no finding that the submitted code did not have; fixes that would break that are
 * left out.
 */
export async function fix({ code, ...options }: FixInput): Promise<FixResult> {
  if (!/\r\n/.test(code) || /(?<!\r)\n/.test(code)) return await fixText({ code, ...options })
  // Tools write LF where they write a line break, and gofmt everywhere.
  const asSubmitted = (text: string): string => text.replace(/\n/g, '\r\n')
  const { code: fixed, fixes, base } = await fixText({ code: code.replace(/\r\n/g, '\n'), ...options })
  const result = { code: asSubmitted(fixed), fixes }
  return base === undefined ? result : { ...result, base: asSubmitted(base) }
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
  const offered = await exportsOf(code, language)
  const before = countByRule(await analyze({ code, language }))

  async function holds(result: string): Promise<boolean> {
    if (
      (await checkSyntax(result, language)).ok === false ||
      !compareExports(offered, await exportsOf(result, language)).kept
    ) {
      return false
    }
    return [...countByRule(await analyze({ code: result, language }))].every(
      ([ruleId, count]) => count <= (before.get(ruleId) ?? 0)
    )
  }

  let tries = Math.max(4, Math.floor(maxWork / (code.length + 1)))

  /**
   * The most of these rules that does no harm beside those kept already: all of them, or what each half has
   * to give.
   */
  async function harmless(kept: readonly string[], wanted: readonly string[]): Promise<readonly string[]> {
    if (wanted.length === 0 || tries-- <= 0) return kept
    if (await holds(rewrite(code, language, editor, new Set([...kept, ...wanted])).code)) {
      return [...kept, ...wanted]
    }
    if (wanted.length === 1) return kept
    const half = Math.ceil(wanted.length / 2)
    return await harmless(await harmless(kept, wanted.slice(0, half)), wanted.slice(half))
  }

  function withBase(result: FixResult): FixResult {
    const anew = new Set(result.fixes.map(({ ruleId }) => ruleId).filter((ruleId) => callsAnew.has(ruleId)))
    return anew.size === 0 ? result : { ...result, base: rewrite(code, language, editor, anew).code }
  }

  try {
    const all = rewrite(code, language, editor, allowed)
    if (all.fixes.length === 0) return unchanged
    if (await holds(all.code)) return withBase(all)

    // Something in there does harm. Every set of rules that is kept was tried as a whole.
    const kept = await harmless([], [...new Set(all.fixes.map((each) => each.ruleId))].sort())
    return kept.length === 0 ? unchanged : withBase(rewrite(code, language, editor, new Set(kept)))
  } catch {
    return unchanged
  }
}
