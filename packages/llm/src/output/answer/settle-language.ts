import type { Language } from '@filewright/contracts'
import { languageBySigns, signCount } from '../language-signs.js'
import { withoutProse } from '../prose.js'
import { languageOfFile, withCode, type Block } from './blocks.js'
import { LENIENT, PROSE, type Context, type SyntaxProblem } from './reading.js'
import { dedented, tidied, unescaped } from './tidy-code.js'

/** A block in its certain language. */
export interface Settled {
  block: Block
  problem?: SyntaxProblem
}

/** A block in its certain language; null for one that was not requested. */
export async function settled(context: Context, block: Block): Promise<Settled | null> {
  const { accepted, parse } = context
  const ofFile = block.file === undefined || block.tag !== '' ? null : languageOfFile(block.file)
  if (accepted !== null && ofFile !== null && !accepted.includes(ofFile)) return null
  const named = block.language
  const isNeutral = named === null || PROSE.has(named) || named === 'diff'
  if (accepted === null) {
    const language = isNeutral ? (languageBySigns(block.code) ?? named) : named
    const code = tidied(block.code, language)
    const result = language === null ? { ok: 'unknown' as const } : await parse(code, language)
    return { block: withCode(block, code, language), ...(result.ok === false ? { problem: result } : {}) }
  }
  if (!isNeutral && !accepted.includes(named) && !(await isMistagged(context, block, named))) return null
  const order =
    accepted.includes(named ?? 'text') && named !== null
      ? [named, ...accepted.filter((each) => each !== named)]
      : accepted
  let first: Settled | undefined
  for (const language of order) {
    for (const code of new Set([
      tidied(block.code, language),
      dedented(tidied(block.code, language)),
      unescaped(block.code),
      ...(block.isClosed ? [] : [withoutProse(block.code)])
    ])) {
      const result = await parse(code, language)
      if (result.ok === true) return { block: withCode(block, code, language) }
      first ??= {
        block: withCode(block, code, language),
        ...(result.ok === false ? { problem: result } : {})
      }
      if (result.ok === 'unknown') break
    }
  }
  return first ?? null
}

/** Whether the fence's word is wrong, and the code is in a requested language. */
async function isMistagged(context: Context, { code, tag }: Block, named: Language): Promise<boolean> {
  const { accepted, wanted, parse } = context
  if (accepted === null) return true
  const isJoinedMarkup = named === 'html' && accepted.some((each) => each === 'vue' || each === 'svelte')
  if (isJoinedMarkup) return /^\s*<(?:script|template|style)\b/i.test(code)
  if (tag === '') return false
  const isSuper = /^(?:typescript|tsx)$/.test(named) && /^(?:javascript|jsx)$/.test(wanted ?? '')
  const isScript =
    isSuper || (/^(?:javascript|jsx)$/.test(named) && /^(?:typescript|tsx)$/.test(wanted ?? ''))
  for (const language of accepted) {
    const result = await parse(tidied(code, language), language)
    if (result.ok !== true) continue
    if (isScript) return true
    if (LENIENT.has(language) && signCount(code, language) === 0) continue
    const own = await parse(code, named)
    if (
      own.ok === false ||
      (own.ok === 'unknown' && signCount(code, language) > 0 && signCount(code, named) === 0)
    ) {
      return true
    }
  }
  return false
}
