import { canonicalLanguage, type Language } from '@filewright/contracts'
import { isBeside } from '../fence-languages.js'
import type { Block } from './blocks.js'
import { DATA, PROSE, type Context } from './reading.js'
import { isCommand } from './roles.js'
import type { Settled } from './settle-language.js'

/** Of JavaScript and TypeScript versions, only those in the requested language. */
export function withoutDialects(context: Context, pool: readonly Settled[]): Settled[] {
  const { wanted } = context
  const isTyped = (tag: string): boolean => /^(?:ts|tsx|typescript)$/.test(tag)
  const isOwn = ({ block }: Settled): boolean =>
    block.tag === '' || isTyped(block.tag) === /^t/.test(wanted ?? '')
  if (!/^(?:javascript|jsx|typescript|tsx)$/.test(wanted ?? '')) return [...pool]
  const own = pool.filter(isOwn)
  const names = new Set(own.flatMap(({ block }) => [...block.outline.functions]))
  return pool.filter(
    (each) => own.includes(each) || ![...each.block.outline.functions].some((name) => names.has(name))
  )
}

/** Commands, output and data accompany a program, unless they were requested. */
export function isWantedKind(context: Context, block: Block, all: readonly Block[]): boolean {
  const { accepted, wanted } = context
  if (all.length === 1) return true
  if (accepted !== null) {
    const isOutput =
      isBeside(block.tag) && canonicalLanguage(block.tag) !== wanted && block.outline.functions.size === 0
    return !isOutput && (wanted === 'shell' || !isCommand(block))
  }
  const programs = all.filter(
    (each) =>
      !isBeside(each.tag) &&
      !isCommand(each) &&
      !PROSE.has(each.language ?? '') &&
      !DATA.has(each.language ?? '')
  )
  if (programs.length === 0) return true
  if (!programs.includes(block)) return false
  const longest = programs.reduce((best, each) => (each.code.length > best.code.length ? each : best))
  const isScript = (language: Language | null): boolean =>
    /^(?:javascript|jsx|typescript|tsx)$/.test(language ?? '')
  return (
    block.language === longest.language ||
    block.tag === '' ||
    (isScript(block.language) && isScript(longest.language))
  )
}

/** Whether a style sheet that the code needs would be lost. */
export function leftOutStyle({ code, language }: Block, blocks: readonly Block[]): boolean {
  if (!/^(?:javascript|jsx|typescript|tsx)$/.test(language ?? '')) return false
  const sheets = blocks.filter((block) => /^(?:css|scss|sass|less)$/.test(block.language ?? ''))
  const classes = [...code.matchAll(/class(?:Name)?=([^>\n]*)/g)].map(([, value = '']) => value).join(' ')
  const used = new Set([...(classes.match(/[\w-]+/g) ?? []), ...(classes.match(/\w+/g) ?? [])])
  return sheets.some((sheet) =>
    [...sheet.code.matchAll(/\.([A-Za-z][\w-]*)/g)].some(([, name = '']) => used.has(name))
  )
}
