import { canonicalLanguage } from '@filewright/contracts'
import { plainAnswer } from '../clean-text.js'
import { extractContent } from '../content.js'
import { trimmed } from '../extract-code.js'
import { withRole } from '../fence-roles.js'
import { fencesIn, type Fence } from '../fences.js'
import { joinedMarkup } from '../join-parts.js'
import { isProse, withoutProse } from '../prose.js'
import { blockOf, type Block } from './blocks.js'
import { chooseBlocks } from './choose-blocks.js'
import { acceptedLanguages, type CodeRequest } from './frameworks.js'
import { judged } from './judge-code.js'
import { DATA, LENIENT, none, PROSE, type CodeReading, type Context, type Parse } from './reading.js'
import { isWrong } from './roles.js'
import { settled, type Settled } from './settle-language.js'
import { dedented } from './tidy-code.js'
import { htmlCode, unwrapped, type Piece } from './unwrap.js'
import { isWantedKind, leftOutStyle, withoutDialects } from './wanted-blocks.js'
import { MAX_BLOCKS, wholeFences } from './whole-fences.js'

/** A response whose fences are in a quotation, without the quotation marks. */
const unquoted = (answer: string): string =>
  /^> ?(?:`{3}|~{3})/m.test(answer) ? answer.replace(/^> ?/gm, '') : answer

const MAX_DEPTH = 3
/** Longer responses in several fences are not compared. */
const MAX_JOINED_CHARS = 200_000

/** Extracts the code from a model's response. Returns nothing rather than a part or a guess. */
export async function readCode(
  text: string,
  request: CodeRequest & { isCut?: boolean },
  parser: Parse
): Promise<CodeReading> {
  const { isCut = false } = request
  const results = new Map<string, ReturnType<Parse>>()
  const parse: Parse = async (code, language) => {
    const key = `${language} ${code}`
    const known = results.get(key) ?? parser(code, language)
    results.set(key, known)
    return await known
  }
  const accepted = acceptedLanguages(request)
  const [wanted = null] = accepted ?? []
  const whole = trimmed(unquoted(plainAnswer(text)))
  const context: Context = { request, isCut, accepted, wanted, parse }
  return wanted !== null && PROSE.has(wanted)
    ? readDocument(context, whole)
    : await readText(context, whole, 0)
}

/** A document keeps its fences. */
function readDocument(context: Context, answer: string): CodeReading {
  const { wanted, request } = context
  const fences = fencesIn(answer)
  const [document] = fences.filter(({ language }) => PROSE.has(canonicalLanguage(language) ?? ''))
  const only = wanted === 'text' && fences.length === 1 ? fences[0] : undefined
  const code = (document ?? only)?.code ?? extractContent(answer, request.prompt)
  return { code: trimmed(code), fence: '', parses: undefined }
}

/** Languages whose code may be an HTML element itself. */
const MARKUP: ReadonlySet<string> = new Set(['html', 'vue', 'svelte', 'astro', 'php', 'xml'])

const fenced = ({ code, tag = '' }: Piece): string => `~~~~~~${tag}\n${trimmed(code)}\n~~~~~~`

async function readText(context: Context, answer: string, depth: number): Promise<CodeReading> {
  const { wanted, request } = context
  const isData =
    wanted === null
      ? /\b(?:json|yaml|xml|config)\b/i.test(request.prompt)
      : DATA.has(wanted) || PROSE.has(wanted)
  const isMarkup = wanted === null || MARKUP.has(wanted)
  const shown = isData || isMarkup ? undefined : htmlCode(answer)
  if (shown !== undefined) return await readText(context, fenced(shown), depth + 1)
  const inside = isData || depth > MAX_DEPTH ? undefined : unwrapped(answer)
  if (inside === 'unreadable') return none('wrapper')
  if (inside !== undefined && 'text' in inside) {
    return await readText(context, trimmed(inside.text), depth + 1)
  }
  if (inside !== undefined) {
    const [piece, ...others] = inside.pieces
    if (piece === undefined) return none('wrapper')
    if (others.length === 0 && piece.file === undefined && piece.tag === undefined) {
      return await readText(context, trimmed(piece.code), depth + 1)
    }
    return await readBlocks(
      context,
      inside.pieces.map(({ code, file, tag = '' }) => {
        const [fence, ...more] = fencesIn(trimmed(code))
        const isFenced =
          fence !== undefined && more.length === 0 && fence.closed && /^\s*(?:`{3}|~{3})/.test(code)
        return blockOf({
          code: trimmed(isFenced ? fence.code : code),
          language: isFenced ? fence.language : tag.toLowerCase(),
          closed: true,
          label: '',
          prose: '',
          info: '',
          file
        })
      })
    )
  }
  if (fencesIn(answer).length > MAX_BLOCKS) return none('parts')
  const fences = (await wholeFences(context, answer)).filter(({ code }) => code.trim() !== '')
  if (fences.length > 1 && answer.length > MAX_JOINED_CHARS) return none('parts')
  if (fences.length > 0) return await readBlocks(context, fences.map(blockOf), fences)
  return await readBare(context, answer)
}

async function readBare(context: Context, answer: string): Promise<CodeReading> {
  const { wanted } = context
  const inline = /^`([^`\n]+)`$/.exec(answer.trim())?.[1]
  const freed = trimmed(withoutProse(inline ?? answer))
  // Code without a fence is indented where Markdown's rule for code is followed.
  const code = /^(?: {4}|\t)/.test(freed) ? dedented(freed) : freed
  const block = blockOf({ code, language: '', closed: true, label: '', prose: '', info: '' })
  const reading = await readBlocks(context, [block])
  const isUnsure = reading.parses !== true || LENIENT.has(wanted ?? '')
  const hasTalk = isUnsure && answer !== code && code.split('\n').some((line) => isProse(line))
  return hasTalk ? { ...reading, fault: reading.fault ?? 'parts' } : reading
}

async function readBlocks(
  context: Context,
  blocks: readonly Block[],
  fences: readonly Fence[] = []
): Promise<CodeReading> {
  const { request } = context
  const markup =
    fences.length > 1
      ? joinedMarkup(
          fences.map(withRole),
          (request.language ?? '').trim().toLowerCase(),
          (request.framework ?? '').trim().toLowerCase()
        )
      : undefined
  if (markup !== undefined) {
    const language = canonicalLanguage(markup.fence)
    return await judged(context, markup.code, language, markup.fence, blocks)
  }
  const settledBlocks = await Promise.all(blocks.map(async (block) => await settled(context, block)))
  const found = settledBlocks.filter((each) => each !== null)
  // Text without a fence word beside code that parses is output or configuration.
  const isText = ({ block, problem }: Settled): boolean =>
    problem !== undefined &&
    block.tag === '' &&
    found.some((each) => each.block.tag !== '' && each.problem === undefined)
  const pool = found.filter(
    (each) =>
      !isText(each) &&
      isWantedKind(
        context,
        each.block,
        found.map(({ block }) => block)
      )
  )
  const [only, ...others] = withoutDialects(context, pool)
  if (only === undefined) return none('language', blocks[0]?.code ?? '')
  if (others.length === 0) {
    if (isWrong(only.block)) return none('parts', only.block.code)
    const fault = leftOutStyle(only.block, blocks) ? 'files' : undefined
    return await judged(context, only.block.code, only.block.language, only.block.tag, blocks, fault)
  }
  const chosen = chooseBlocks(
    withoutDialects(context, pool).map(({ block }) => block),
    request
  )
  if ('fault' in chosen) return none(chosen.fault, only.block.code)
  const broken = pool.find(
    ({ block, problem }) =>
      problem !== undefined &&
      chosen.blocks.some((each) => each.label === block.label && each.code === block.code)
  )
  if (broken?.problem !== undefined && chosen.blocks.length > 1) return none('parts', broken.block.code)
  return await judged(
    context,
    chosen.code,
    chosen.language,
    chosen.blocks[0]?.tag ?? '',
    blocks,
    chosen.blocks.some((block) => leftOutStyle(block, blocks)) ? 'files' : undefined
  )
}
