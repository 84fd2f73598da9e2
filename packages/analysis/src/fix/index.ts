import { analyze, checkSyntax } from '../analyze.js'
import { originalLines } from '../describe-diff.js'
import { rules } from '../engines/index.js'
import { compareExports, exportsOf } from '../exports/index.js'
import { isOneOf, scriptLanguages, type Language } from '../languages.js'
import { createSource } from '../text/source.js'
import type { AnalysisType, Finding } from '../types.js'
import { cssEdits, cssFixes } from './css.js'
import { applyEdits, type Edit } from './edits.js'
import { pythonEdits, pythonFixes } from './python.js'
import { scriptEdits, scriptFixes } from './script.js'
import { treeEdits, treeFixes } from './tree.js'

export interface FixInput {
  code: string
  language: Language
  /** Only fixes of rules of these types; all when absent. */
  types?: readonly AnalysisType[] | undefined
}

export interface AppliedFix {
  ruleId: string
  /** In the submitted code. */
  line: number
  description: string
  kind: 'refactor' | 'optimize'
}

export interface FixResult {
  code: string
  fixes: AppliedFix[]
}

/** One fix may make room for another; after this many rounds what is left stays. */
const maxRounds = 6

const fixable = new Set([...scriptFixes, 'js/filter-first', 'js/filter-count', ...pythonFixes, ...treeFixes, ...cssFixes])

function editsFor (text: string, language: Language, ruleIds: ReadonlySet<string>): Edit[] {
  if (isOneOf(language, scriptLanguages)) return scriptEdits(text, language, ruleIds)
  if (language === 'python') return pythonEdits(text, ruleIds)
  if (language === 'css') return cssEdits(text, ruleIds)
  return treeEdits(text, language, ruleIds)
}

function rewrite (code: string, language: Language, ruleIds: ReadonlySet<string>): FixResult {
  let current = code
  const fixes: AppliedFix[] = []
  for (let round = 0; round < maxRounds; round++) {
    const { text, applied } = applyEdits(current, editsFor(current, language, ruleIds))
    if (text === current) break
    const source = createSource(current)
    const origins = originalLines(code, current)
    for (const { start, ruleId, description } of applied) {
      const line = source.lineAt(start)
      const isFaster = rules.find(({ id }) => id === ruleId)?.analysisType === 'performance'
      fixes.push({ ruleId, line: origins[line - 1] ?? line, description, kind: isFaster ? 'optimize' : 'refactor' })
    }
    current = text
  }
  return { code: current, fixes: withoutSteps(fixes).sort((a, b) => a.line - b.line || (a.ruleId < b.ruleId ? -1 : 1)) }
}

/** From var to let to const is one change to whoever reads the result. */
function withoutSteps (fixes: AppliedFix[]): AppliedFix[] {
  const nowConst = new Set(fixes.filter(({ ruleId }) => ruleId === 'js/prefer-const').map(({ line }) => line))
  return fixes.filter(({ ruleId, line }) => ruleId !== 'js/no-var' || !nowConst.has(line))
}

function countByRule (findings: readonly Finding[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { ruleId } of findings) counts.set(ruleId, (counts.get(ruleId) ?? 0) + 1)
  return counts
}

/**
 * The code after every fix that tools can vouch for. What comes back parses, offers the same names with the same parameters, and has
 * no finding that the submitted code did not have; fixes that would break that are left out.
 */
export async function fix ({ code, language, types }: FixInput): Promise<FixResult> {
  const unchanged: FixResult = { code, fixes: [] }
  // Text that had to be cleaned before a parser could read it is not ours to rewrite.
  if (createSource(code).text !== code || (await checkSyntax(code, language)).ok === false) return unchanged

  const allowed = new Set(rules.filter((rule) => fixable.has(rule.id) && (types === undefined || types.includes(rule.analysisType))).map(({ id }) => id))
  const offered = await exportsOf(code, language)
  const before = countByRule(await analyze({ code, language }))

  async function holds (result: string): Promise<boolean> {
    if ((await checkSyntax(result, language)).ok === false || !compareExports(offered, await exportsOf(result, language)).kept) return false
    return [...countByRule(await analyze({ code: result, language }))].every(([ruleId, count]) => count <= (before.get(ruleId) ?? 0))
  }

  try {
    const all = rewrite(code, language, allowed)
    if (all.fixes.length === 0) return unchanged
    if (await holds(all.code)) return all

    // Something in there does harm: go rule by rule and keep those that do none.
    const kept = new Set<string>()
    for (const ruleId of new Set(all.fixes.map((each) => each.ruleId))) {
      const attempt = rewrite(code, language, new Set([...kept, ruleId]))
      if (await holds(attempt.code)) kept.add(ruleId)
    }
    const result = rewrite(code, language, kept)
    return result.fixes.length > 0 && await holds(result.code) ? result : unchanged
  } catch {
    return unchanged
  }
}
