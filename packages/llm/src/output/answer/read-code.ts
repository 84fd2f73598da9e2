import { canonicalLanguage, type Language } from '@filewright/contracts'
import { plainAnswer } from '../clean-text.js'
import { isBeside } from '../fence-languages.js'
import { fencesIn, longerReadings, type Fence } from '../fences.js'
import { languageBySigns, signCount } from '../language-signs.js'
import { joinedMarkup } from '../join-parts.js'
import { extractContent } from '../content.js'
import { trimmed } from '../extract-code.js'
import { isProse, withoutProse } from '../prose.js'
import { withRole } from '../fence-roles.js'
import { blockOf, languageOfFile, withCode, type Block } from './blocks.js'
import { chooseBlocks, type PartsFault } from './choose-blocks.js'
import { acceptedLanguages, isOtherFramework, type CodeRequest } from './frameworks.js'
import { isNamedIn, localImports } from './local-modules.js'
import { isCommand, isWrong } from './roles.js'
import { masked } from './outline.js'
import { dedented, hasPrompts, looksLikeDiff, tidied, unescaped } from './tidy-code.js'
import { unwrapped } from './unwrap.js'

export interface SyntaxProblem {
  line: number
  message: string
}

/** What a parser says of code: whether it parses, where it does not, or that there is no parser. */
export type Parse = (
  code: string,
  language: Language
) => Promise<{ ok: true } | { ok: 'unknown' } | ({ ok: false } & SyntaxProblem)>

/** An answer whose fences stand in a quotation, without its marks. */
const unquoted = (answer: string): string =>
  /^> ?(?:`{3}|~{3})/m.test(answer) ? answer.replace(/^> ?/gm, '') : answer

/** Whether signs of code are escaped, where no string or markup explains it. */
function hasEntities(code: string, language: Language | null): boolean {
  const isMarkup =
    /^(?:html|vue|svelte|xml|astro|markdown|text|php|erb|jinja)$/.test(language ?? '') ||
    /<[A-Za-z>/]/.test(code)
  return !isMarkup && /&(?:lt|gt|amp|quot);/.test(masked(code, language))
}

const BRACES = /^(?:kotlin|swift|c|cpp|csharp|php|dart|scala|groovy|objectivec|solidity|zig|vue|svelte)$/

/** Whether each bracket that is opened is closed, where no parser is there to tell. */
function isBalanced(code: string, language: Language | null): boolean {
  if (!BRACES.test(language ?? '')) return true
  const text = masked(code, language)
  const count = (sign: string): number => text.split(sign).length
  return count('(') === count(')') && count('{') === count('}') && count('[') === count(']')
}

const WANTS_FUNCTION =
  /\b(?:write|create|implement|build)\b[^.]{0,60}\b(?:function|method|class|component|hook)\b/i
const FUNCTION = /\b(?:function|class|def|lambda|interface|type)\b|=>|\)\s*\{/

/** Whether code only calls what it should be. */
const lacksFunction = (code: string, language: Language | null, prompt: string): boolean =>
  WANTS_FUNCTION.test(prompt) &&
  /^(?:javascript|jsx|typescript|tsx|python)$/.test(language ?? '') &&
  !FUNCTION.test(masked(code, language))

export type ReadFault = PartsFault | 'language' | 'module' | 'wrapper'

/** The code that an answer gives, or why it gives none. */
export interface CodeReading {
  code: string
  /** The word on the fence, or the language that was recognised. */
  fence: string
  parses: boolean | undefined
  problem?: SyntaxProblem | undefined
  fault?: ReadFault | undefined
}

/** A block in the language that it certainly is in. */
interface Settled {
  block: Block
  problem?: SyntaxProblem
}

const none = (fault: ReadFault | undefined, code = ''): CodeReading => ({
  code,
  fence: '',
  parses: undefined,
  fault
})
const DATA: ReadonlySet<string> = new Set(['json', 'yaml', 'toml', 'xml', 'csv', 'dotenv', 'ini'])
const PROSE: ReadonlySet<string> = new Set(['markdown', 'text', 'restructuredtext', 'asciidoc', 'latex'])
/** Parsers that read nearly every text. */
const LENIENT: ReadonlySet<string> = new Set(['shell', 'html', 'sql'])
const MAX_BLOCKS = 40
const MAX_DEPTH = 3
/** Longer answers in several fences are not compared with each other. */
const MAX_JOINED_CHARS = 200_000

/** Reads the code out of a model's answer to a request. Gives nothing rather than a part or a guess. */
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
  return wanted !== null && PROSE.has(wanted) ? readDocument(whole) : await readText(whole, 0)

  /** A document keeps the fences in it. */
  function readDocument(answer: string): CodeReading {
    const fences = fencesIn(answer)
    const [document] = fences.filter(({ language }) => PROSE.has(canonicalLanguage(language) ?? ''))
    const only = wanted === 'text' && fences.length === 1 ? fences[0] : undefined
    const code = (document ?? only)?.code ?? extractContent(answer, request.prompt)
    return { code: trimmed(code), fence: '', parses: undefined }
  }

  async function readText(answer: string, depth: number): Promise<CodeReading> {
    const isData =
      wanted === null
        ? /\b(?:json|yaml|xml|config)\b/i.test(request.prompt)
        : DATA.has(wanted) || PROSE.has(wanted)
    const inside = isData || depth > MAX_DEPTH ? undefined : unwrapped(answer)
    if (inside === 'unreadable') return none('wrapper')
    if (inside !== undefined && 'text' in inside) return await readText(trimmed(inside.text), depth + 1)
    if (inside !== undefined) {
      const [piece, ...others] = inside.pieces
      if (piece === undefined) return none('wrapper')
      if (others.length === 0 && piece.file === undefined && piece.tag === undefined) {
        return await readText(trimmed(piece.code), depth + 1)
      }
      return await readBlocks(
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
    const fences = (await wholeFences(answer)).filter(({ code }) => code.trim() !== '')
    if (fences.length > 1 && answer.length > MAX_JOINED_CHARS) return none('parts')
    if (fences.length > 0) return await readBlocks(fences.map(blockOf), fences)
    return await readBare(answer)
  }

  /** Fences of which a mark inside a string did not end any. */
  async function wholeFences(answer: string): Promise<Fence[]> {
    const lines = answer.split('\n')
    const whole: Fence[] = []
    let rest = fencesIn(answer)
    for (let fence = rest.shift(); fence !== undefined && whole.length <= MAX_BLOCKS; fence = rest.shift()) {
      const language = canonicalLanguage(fence.language) ?? wanted
      const longer =
        language === null || fence.code.trim() === '' ? undefined : await longerThan(answer, fence, language)
      whole.push(longer === undefined ? fence : { ...fence, code: longer, closed: true })
      if (longer === undefined) continue
      const end = fence.start + 1 + longer.split('\n').length
      rest = fencesIn('\n'.repeat(end + 1) + lines.slice(end + 1).join('\n'))
    }
    return whole
  }

  /** A fence's code up to a later mark, if it parses only with what follows. */
  async function longerThan(answer: string, fence: Fence, language: Language): Promise<string | undefined> {
    if ((await parse(tidied(fence.code, language), language)).ok !== false) return undefined
    for (const reading of longerReadings(answer, fence)) {
      if ((await parse(reading, language)).ok === true) return reading
    }
    return undefined
  }

  async function readBare(answer: string): Promise<CodeReading> {
    const inline = /^`([^`\n]+)`$/.exec(answer.trim())?.[1]
    const freed = trimmed(withoutProse(inline ?? answer))
    // Code without a fence is indented where Markdown's rule for code is kept.
    const code = /^(?: {4}|\t)/.test(freed) ? dedented(freed) : freed
    const block = blockOf({ code, language: '', closed: true, label: '', prose: '', info: '' })
    const reading = await readBlocks([block])
    const isUnsure = reading.parses !== true || LENIENT.has(wanted ?? '')
    const hasTalk = isUnsure && answer !== code && code.split('\n').some((line) => isProse(line))
    return hasTalk ? { ...reading, fault: reading.fault ?? 'parts' } : reading
  }

  /** A block in the language that it certainly is in; null for one that nobody asked for. */
  async function settled(block: Block): Promise<Settled | null> {
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
    if (!isNeutral && !accepted.includes(named) && !(await isMistagged(block, named))) return null
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

  /** Whether the word on a fence is wrong, and the code is in a language that was asked for. */
  async function isMistagged({ code, tag }: Block, named: Language): Promise<boolean> {
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

  async function readBlocks(blocks: readonly Block[], fences: readonly Fence[] = []): Promise<CodeReading> {
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
      return await judged(markup.code, language, markup.fence, blocks)
    }
    const settledBlocks = await Promise.all(blocks.map(settled))
    const found = settledBlocks.filter((each) => each !== null)
    // Without a word on its fence, text beside code that parses is output or configuration.
    const isText = ({ block, problem }: Settled): boolean =>
      problem !== undefined &&
      block.tag === '' &&
      found.some((each) => each.block.tag !== '' && each.problem === undefined)
    const pool = found.filter(
      (each) =>
        !isText(each) &&
        isWantedKind(
          each.block,
          found.map(({ block }) => block)
        )
    )
    const [only, ...others] = withoutDialects(pool)
    if (only === undefined) return none('language', blocks[0]?.code ?? '')
    if (others.length === 0) {
      if (isWrong(only.block)) return none('parts', only.block.code)
      const fault = leftOutStyle(only.block, blocks) ? 'files' : undefined
      return await judged(only.block.code, only.block.language, only.block.tag, blocks, fault)
    }
    const chosen = chooseBlocks(
      withoutDialects(pool).map(({ block }) => block),
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
      chosen.code,
      chosen.language,
      chosen.blocks[0]?.tag ?? '',
      blocks,
      chosen.blocks.some((block) => leftOutStyle(block, blocks)) ? 'files' : undefined
    )
  }

  /** Of versions in JavaScript and in TypeScript only those in the language that was asked for. */
  function withoutDialects(pool: readonly Settled[]): Settled[] {
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

  /** Commands, output and data stand beside a program, unless they were asked for. */
  function isWantedKind(block: Block, all: readonly Block[]): boolean {
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

  /** Whether a style sheet of the answer that the code needs would be lost. */
  function leftOutStyle({ code, language }: Block, blocks: readonly Block[]): boolean {
    if (!/^(?:javascript|jsx|typescript|tsx)$/.test(language ?? '')) return false
    const sheets = blocks.filter((block) => /^(?:css|scss|sass|less)$/.test(block.language ?? ''))
    const classes = [...code.matchAll(/class(?:Name)?=([^>\n]*)/g)].map(([, value = '']) => value).join(' ')
    const used = new Set([...(classes.match(/[\w-]+/g) ?? []), ...(classes.match(/\w+/g) ?? [])])
    return sheets.some((sheet) =>
      [...sheet.code.matchAll(/\.([A-Za-z][\w-]*)/g)].some(([, name = '']) => used.has(name))
    )
  }

  /** The last look at the one text: its language, its syntax, its framework and its modules. */
  async function judged(
    code: string,
    language: Language | null,
    tag: string,
    blocks: readonly Block[],
    fault?: ReadFault
  ): Promise<CodeReading> {
    const text = trimmed(code)
    const fence = tag === '' && language !== null && wanted === null ? '' : tag
    const result = language === null ? { ok: 'unknown' as const } : await parse(text, language)
    const isAsked = accepted === null || (language !== null && accepted.includes(language))
    const reading: CodeReading = {
      code: text,
      fence: isAsked && accepted !== null && language !== null && tag !== '' ? language : fence,
      parses: isAsked && accepted !== null && result.ok !== 'unknown' ? result.ok : undefined,
      problem: result.ok === false ? result : undefined,
      fault
    }
    if (fault !== undefined || text === '') return reading
    if (!isAsked || (await isForeign(text, language)) || isOtherFramework(text, request)) {
      return { ...reading, fault: 'language' }
    }
    if (hasEntities(text, language)) return { ...reading, fault: 'parts' }
    if (!isCut && result.ok === 'unknown' && !isBalanced(text, language)) {
      return { ...reading, fault: 'parts' }
    }
    if (lacksFunction(text, language, request.prompt)) return { ...reading, fault: 'parts' }
    if (
      language !== 'diff' &&
      !PROSE.has(language ?? '') &&
      (looksLikeDiff(text) || hasPrompts(text, language))
    ) {
      return { ...reading, fault: 'parts' }
    }
    if (result.ok === false) return reading
    const specifiers = new Set(localImports(text, language).map(({ specifier }) => specifier))
    const isMissing = [...specifiers].some((specifier) => !isNamedIn(request.prompt, specifier))
    if (isMissing) return { ...reading, fault: blocks.length > 1 ? 'files' : 'module' }
    return reading
  }

  /** Whether code that was not refused by a parser of the wanted language is in another one all the same. */
  async function isForeign(code: string, language: Language | null): Promise<boolean> {
    if (accepted === null || language === null || PROSE.has(language) || DATA.has(language)) return false
    if (language === 'html') {
      return (
        !/^\s*<[a-z!]/i.test(code) || /^[ \t]*(?:import|export)[ \t].*['"]/m.test(code.split('<', 1)[0] ?? '')
      )
    }
    const own = await parse(code, language)
    if (own.ok === true && !LENIENT.has(language)) {
      return (
        /^(?:javascript|jsx|typescript|tsx)$/.test(language) &&
        /^print\(/m.test(code) &&
        !/\bfunction print\b/.test(code)
      )
    }
    const signed = languageBySigns(code)
    if (own.ok === 'unknown' || own.ok === true) {
      if (signCount(code, language) > 0) return false
      for (const other of ['python', 'javascript', 'go', 'rust', 'java'] as const) {
        if (other !== language && signCount(code, other) > 0 && (await parse(code, other)).ok === true) {
          return true
        }
      }
    }
    return signed !== undefined && !accepted.includes(signed)
  }
}
