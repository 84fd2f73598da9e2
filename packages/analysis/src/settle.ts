import type { Language } from '@filewright/contracts'
import { findEvery } from './analyze.js'
import { compareExports } from './exports/compare.js'
import type { Editor } from './fix/edits.js'
import { exportsOf } from './registry/exports.js'
import { rewriteCode, type Rewritten } from './rewrite-code.js'
import type { Finding } from './types.js'

/**
 * A pass may leave fixes to the next one, because its rounds or tries ran out, or because a fix does no harm once
 * others are made.
 */
const MAX_PASSES = 3
/**
 * Characters that one pass may have read again to find the fixes that do harm. A try reads the code about five
 * times, and takes up to 20 µs of the processor for a character of it.
 */
const MAX_CHARS_TRIED = 256 * 1024
const READS_PER_TRY = 5

/** Once the branch that returns is left out, the next branch of the chain gets the remark. */
const elseRule = /^py\/superfluous-else-\w+$/

function countByRule(findings: readonly Finding[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { ruleId } of findings) {
    const counted = elseRule.test(ruleId) ? 'py/superfluous-else' : ruleId
    counts.set(counted, (counts.get(counted) ?? 0) + 1)
  }
  return counts
}

/** Whether the code has no finding that it did not have before. */
function hasNoNewFinding(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): boolean {
  return [...after].every(
    ([ruleId, count]) =>
      count <= (before.get(ruleId) ?? 0) ||
      // A `var` that is now a `let` may be one that could be `const`: one remark instead of another.
      (ruleId === 'js/prefer-const' && before.has('js/no-var'))
  )
}

/**
 * Passes until one changes nothing: a second run, whose only pass is that one, changes nothing either. Code that
 * does not settle stays as submitted.
 */
export async function settle(
  submitted: Rewritten,
  language: Language,
  editor: Editor,
  ruleIds: ReadonlySet<string>
): Promise<Rewritten> {
  let current = submitted
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const next = await harmlessRewrite(current, language, editor, ruleIds)
    if (next.code === current.code) return current
    current = next
  }
  return submitted
}

/** The code with the fixes that do no harm, as far as the tries go. Depends on nothing but the code. */
async function harmlessRewrite(
  from: Rewritten,
  language: Language,
  editor: Editor,
  ruleIds: ReadonlySet<string>
): Promise<Rewritten> {
  const all = rewriteCode(from, language, editor, ruleIds)
  if (all.code === from.code) return from
  const offered = await exportsOf(from.code, language)
  const before = countByRule(await findEvery({ code: from.code, language }))

  async function holds(code: string): Promise<boolean> {
    if (!compareExports(offered, await exportsOf(code, language)).kept) return false
    return hasNoNewFinding(before, countByRule(await findEvery({ code, language })))
  }

  if (await holds(all.code)) return all

  let tries = Math.floor(MAX_CHARS_TRIED / (from.code.length + 1) / READS_PER_TRY)
  let best = from

  /**
   * Adds to the rules that are kept already the most of these that does no harm beside them: all of them, or
   * what each half has to give.
   */
  async function add(kept: readonly string[], wanted: readonly string[]): Promise<readonly string[]> {
    if (wanted.length === 0 || tries-- <= 0) return kept
    const tried = rewriteCode(from, language, editor, new Set([...kept, ...wanted]))
    if (await holds(tried.code)) {
      best = tried
      return [...kept, ...wanted]
    }
    if (wanted.length === 1) return kept
    const half = Math.ceil(wanted.length / 2)
    return await add(await add(kept, wanted.slice(0, half)), wanted.slice(half))
  }

  const used = [...new Set(all.fixes.slice(from.fixes.length).map(({ ruleId }) => ruleId))].sort()
  const half = Math.ceil(used.length / 2)
  if (used.length > 1) await add(await add([], used.slice(0, half)), used.slice(half))
  return best
}
