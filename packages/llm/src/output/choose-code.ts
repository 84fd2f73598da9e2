import type { CodeBlock } from './code-block.js'
import { isBeside, sameLanguage } from './fence-languages.js'
import { areVersions, replaces, withRole, type RoledFence } from './fence-roles.js'
import type { Fence } from './fences.js'
import { joinedMarkup } from './join-parts.js'

/** What is known about the request of a response. */
export interface CodeWish {
  language?: string | undefined
  framework?: string | undefined
  /** The request itself asks for tests. */
  wantsTests?: boolean
}

/** A later piece that is much shorter than the one it resembles is an excerpt, not a version. */
const EXCERPT_SHARE = 0.4
/** More fences than this are not a response to one request. */
const MAX_FENCES = 40
const STEP = /^(?:[#*\s]*)(?:step\s*\d|\d+[.)]\s)/i

function longest<F extends Fence>(fences: readonly F[]): F | undefined {
  return fences.reduce<F | undefined>(
    (best, fence) => (best === undefined || fence.code.length > best.code.length ? fence : best),
    undefined
  )
}

/** Fences in the language, otherwise those that are not commands or output, otherwise any. */
function inLanguage(fences: readonly RoledFence[], language: string | undefined): RoledFence[] {
  const named = language === undefined ? [] : fences.filter((fence) => sameLanguage(fence.language, language))
  if (named.length > 0) return named
  const programs = fences.filter((fence) => !isBeside(fence.language))
  // Without a requested language, the language of the longest counts: a style sheet beside a component is not
  // the component.
  const leading = longest(programs)
  return leading === undefined
    ? [...fences]
    : programs.filter(
        ({ language: each }) =>
          each === '' || each === leading.language || sameLanguage(each, leading.language)
      )
}

/** The pieces of the program in order, each in its last version. */
function latest(fences: readonly RoledFence[]): RoledFence[] {
  let parts: RoledFence[] = []
  for (const fence of fences) {
    const older = parts.findIndex((part) => areVersions(part, fence))
    const isExcerpt = older !== -1 && fence.code.length < (parts[older]?.code.length ?? 0) * EXCERPT_SHARE
    if (isExcerpt) continue
    if (parts.length > 0 && replaces(fence, parts)) parts = [fence]
    else if (older !== -1) parts[older] = fence
    else parts.push(fence)
  }
  return parts
}

const commentMarks: ReadonlyArray<readonly [language: RegExp, open: string, close: string]> = [
  [/^(?:python|py|ruby|rb|shell|bash|sh|yaml|yml)$/, '# ', ''],
  [/^(?:sql|postgresql|mysql|sqlite)$/, '-- ', ''],
  [/^(?:html|vue|svelte|xml)$/, '<!-- ', ' -->'],
  [/^(?:css|scss)$/, '/* ', ' */']
]

function joined(parts: readonly RoledFence[]): string {
  return parts
    .map(({ code, file, language }) => {
      const text = code.replace(/^\s*\n/, '').trimEnd()
      if (file === undefined || (text.split('\n', 1)[0] ?? '').toLowerCase().includes(file)) return text
      const [, open, close] = commentMarks.find(([known]) => known.test(language)) ?? [null, '// ', '']
      return `${open}${file}${close}\n${text}`
    })
    .join('\n\n')
}

const isSql = ({ language }: RoledFence): boolean => sameLanguage(language, 'sql')

/**
 * What a response with several fences may mean, most likely first: the program before its tests and examples,
 * the last of several versions, the parts of one program joined. A caller with a parser takes the first that
 * parses.
 */
export function chooseCode(
  fences: readonly Fence[],
  { language, framework = '', wantsTests = false }: CodeWish
): Array<CodeBlock & { from?: Fence }> {
  const filled = fences
    .filter(({ code }) => code.trim() !== '')
    .slice(0, MAX_FENCES)
    .map(withRole)
  const markup = joinedMarkup(filled, (language ?? '').trim().toLowerCase(), framework.trim().toLowerCase())
  const pool = inLanguage(filled, language)
  const programs = pool.filter(({ isTest, isUsage }) => !isUsage && (wantsTests || !isTest))
  const declaring = programs.filter(({ names }) => names.size > 0)
  // SQL statements and numbered steps act without declaring anything.
  const isSequence =
    programs.length > 1 && (programs.every(isSql) || programs.every(({ label }) => STEP.test(label)))
  const parts = latest(isSequence ? programs : declaring)

  const block = (fence: RoledFence): CodeBlock & { from: Fence } => ({
    code: fence.code,
    fence: fence.language,
    from: fence
  })
  const candidates: Array<CodeBlock & { from?: Fence }> = markup === undefined ? [] : [markup]
  const [first] = parts
  if (parts.length > 1 && first !== undefined) candidates.push({ code: joined(parts), fence: first.language })
  else if (first !== undefined) candidates.push(block(first))
  for (const group of [parts, programs, pool]) {
    const best = longest(group)
    if (best !== undefined) candidates.push(block(best))
  }
  // Where a mark in a string seems to end the first fence, the others are pieces of it.
  if (pool[0] !== undefined) candidates.push(block(pool[0]))
  return candidates.filter(
    ({ code }, index) => candidates.findIndex((other) => other.code === code) === index
  )
}
