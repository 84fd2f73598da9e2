import type { Language } from '@filewright/contracts'
import { withCode, type Block } from './blocks.js'
import type { CodeRequest } from './frameworks.js'
import { joinedCode, withoutOwnImports } from './join-blocks.js'
import { borrows, isAlternative, isBetter, isInserted, isWorse, roleOf, type Role } from './roles.js'
import { startsWordOf } from './words.js'

/** Why a response's blocks give no single text. */
export type PartsFault = 'parts' | 'files'
export type Chosen = { blocks: Block[]; code: string; language: Language | null } | { fault: PartsFault }

const WANTS_PROGRAM =
  /\b(?:program|script|cli|command[- ]line|server|app|application|bot|game|tool|main|prints?|reads?|page|endpoints?|api|routes?)\b/i
const WANTS_TESTS = /\b(?:tests?|specs?)\b/i
const WANTS_QUERY = /\b(?:query|select|report)\b/i
const TYPE = /^[ \t]*(?:\w+[ \t]+){0,8}(?:class|interface|enum|record|struct)[ \t]+\w/m
const DOCUMENT = /^(?:vue|svelte|html|astro|xml|json|yaml|toml|ini|dockerfile)$/
const STEP = /^(?:[#*\s]*)(?:step\s*\d|\d+[.)]\s)/i
const MODULES = /^(?:javascript|jsx|typescript|tsx|python|vue|svelte|php|ruby|rust|java|csharp|c|cpp|kotlin)$/

const linesOf = (code: string): string[] =>
  code
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:\/\/|#|--|\/\*|\.{3})/.test(line))

/** Whether every line of a block is also in one of the others. */
function isExcerpt(block: Block, others: readonly Block[]): boolean {
  const lines = linesOf(block.code)
  return others.some(({ code }) => {
    const known = new Set(linesOf(code))
    return lines.length > 0 && lines.every((line) => known.has(line))
  })
}

const isSubset = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  [...a].every((name) => b.has(name))

const ONE =
  /\b(?:write|create|implement|build|give|make)\b[^.]{0,200}?\b(?:a|an|the)\s+(?:[\w-]+\s+){0,4}(?:function|method|query|one-liner)\b/i
const MORE =
  /\b(?:functions|methods|queries|and (?:a|an|another|its|the)|with (?:a|an|its)|helpers?|class|types?)\b/i
/** Whether a function that does not use the others is a second solution. */
const isAnotherAnswer = (block: Block, prompt: string): boolean =>
  ONE.test(prompt) &&
  !MORE.test(prompt) &&
  !WANTS_TESTS.test(prompt) &&
  block.outline.functions.size > 0 &&
  !block.isFragment &&
  !isInserted(block) &&
  !isBetter(block)

/** Whether a block replaces all blocks before it: the text says so, and it does not need them. */
function replacesAll(block: Block, parts: readonly Block[], prompt: string): boolean {
  if (!isBetter(block) && !parts.some(isWorse)) return false
  return parts.every(
    ({ outline }) =>
      borrows(block, outline.declared).length === 0 &&
      ![...outline.functions].some((name) => startsWordOf(name, prompt))
  )
}

/** Statements unrelated to the rest: an example, or part of something missing. */
const isStray = ({ outline, language }: Block, prompt: string): boolean =>
  outline.functions.size === 0 && MODULES.test(language ?? '') && !WANTS_PROGRAM.test(prompt)

/** The parts of the program in order, each in its last version; null where that is unclear. */
function latest(programs: readonly Block[], prompt: string): Block[] | null {
  let parts: Block[] = []
  for (const block of programs) {
    if (parts.length === 0) {
      parts = [block]
      continue
    }
    if (isExcerpt(block, parts)) continue
    const names = block.outline.declared
    const rivals = parts.filter(({ outline }) => [...outline.declared].some((name) => names.has(name)))
    const isWhole = parts.every((part) => isSubset(part.outline.declared, names) || isExcerpt(part, [block]))
    if (rivals.length === 0) {
      const isApart = parts.every(({ outline }) => borrows(block, outline.declared).length === 0)
      const isLent = parts.some((part) => borrows(part, names).length > 0)
      if (isWhole && isExcerpt(parts[0] ?? block, [block])) parts = [block]
      else if (replacesAll(block, parts, prompt) && !isLent) parts = [block]
      else if (isApart && !isLent && (isAlternative(block) || isAnotherAnswer(block, prompt))) continue
      else if (isInserted(block) && !isLent) return null
      else if (isApart && !isLent && isStray(block, prompt)) return null
      else parts.push(block)
    } else if (isWhole) {
      if (!isAlternative(block)) parts = [block]
    } else if (
      isAlternative(block) &&
      isSubset(names, new Set(parts.flatMap(({ outline }) => [...outline.declared])))
    ) {
      continue
    } else if (rivals.length === 1 && isSubset(rivals[0]?.outline.declared ?? new Set(), names)) {
      parts = parts.map((part) => (part === rivals[0] ? block : part))
    } else return null
  }
  return parts.length > 1 && parts.some(({ isFragment }) => isFragment) ? null : parts
}

/** Whether two blocks declare the same names: then one is another version. */
function declareTwice(blocks: readonly Block[]): boolean {
  const names = blocks.flatMap(({ outline }) => [...outline.declared])
  return new Set(names).size < names.length
}

/** Consecutive steps, unless one of them belongs inside another. */
function inSteps(programs: readonly Block[]): Block[] | null {
  return programs.some((block) => block.isFragment || isInserted(block)) ? null : [...programs]
}

/** The one text that the blocks of a response form, all in requested languages. */
export function chooseBlocks(all: readonly Block[], request: CodeRequest): Chosen {
  const { prompt, type } = request
  const wantsTests = WANTS_TESTS.test(prompt)
  const wantsProgram = type === 'api' || WANTS_PROGRAM.test(prompt)
  const roles = new Map<Block, Role>(
    all.map((block) => [
      block,
      roleOf(
        block,
        all.filter((other) => other !== block),
        prompt,
        wantsProgram
      )
    ])
  )
  const isSql = all.every(({ language }) => /sql$/.test(language ?? ''))
  const isSequence = all.every(({ label }) => STEP.test(label))
  const kept = all.filter((block) => {
    const role = roles.get(block)
    if (role === 'test') return wantsTests
    if (role === 'given') return isSql && !WANTS_QUERY.test(prompt)
    return role === 'program'
  })
  const programs = kept.length > 0 ? kept : all.filter((block) => roles.get(block) !== 'wrong')
  const [only, ...others] = programs
  if (only === undefined) return { fault: 'parts' }
  if (kept.length === 0 && others.length > 0) return { fault: 'parts' }
  const parts = isSequence && !declareTwice(programs) ? inSteps(programs) : latest(programs, prompt)
  if (parts === null) return { fault: 'parts' }
  const [first] = parts
  if (first === undefined) return { fault: 'parts' }
  const dropped = all.filter((block) => !parts.includes(block))
  const chosen =
    parts.length === 1
      ? { blocks: parts, code: first.code, language: first.language }
      : joinedParts(parts, isSql)
  if ('fault' in chosen) return chosen
  const known = dropped.filter(
    (block) => !(isSql && roles.get(block) === 'given') && !isExcerpt(block, parts)
  )
  return dependsOnDropped(chosen.blocks, known)
    ? { fault: dropped.some(({ file }) => file !== undefined) ? 'files' : 'parts' }
    : chosen
}

/** Whether the text would use what only a left-out block declares. */
function dependsOnDropped(parts: readonly Block[], dropped: readonly Block[]): boolean {
  const known = new Set(parts.flatMap(({ outline }) => [...outline.declared, ...outline.imported]))
  return dropped.some(({ outline }) =>
    parts.some((part) => borrows(part, outline.functions).some((name) => !known.has(name) && name.length > 2))
  )
}

function joinedParts(parts: readonly Block[], isSql: boolean): Chosen {
  const language = languageOfAll(parts)
  if (language === undefined) return { fault: 'parts' }
  const files = new Set(parts.flatMap(({ file }) => (file === undefined ? [] : [file.toLowerCase()])))
  const fault: PartsFault = files.size > 1 ? 'files' : 'parts'
  // A response has one document or several.
  if (DOCUMENT.test(language ?? '')) return { fault }
  const freed = withoutOwnImports(parts, (block, code) => withCode(block, code, block.language))
  if (freed === null) return { fault }
  // Files that do not use each other are several programs.
  const isLinked = parts.every((part) => part.file === undefined || freed.linked.has(part))
  if (files.size > 1 && !isLinked && !isSql && MODULES.test(language ?? '')) return { fault }
  // A method outside a class is accepted by some parsers but never compiles.
  if (/^(?:java|csharp)$/.test(language ?? '') && !parts.every(({ code }) => TYPE.test(code))) {
    return { fault }
  }
  const code = joinedCode(freed.blocks, language)
  if (code === null || (code.match(/^export\s+default\b/gm) ?? []).length > 1) return { fault }
  if (
    language === 'java' &&
    (code.match(/^public\s+(?:final\s+|abstract\s+)*(?:class|interface|enum|record)\b/gm) ?? []).length > 1
  ) {
    return { fault }
  }
  return { blocks: freed.blocks, code, language }
}

/** The language of the joined text: the one that can contain all parts. */
function languageOfAll(parts: readonly Block[]): Language | null | undefined {
  const languages = [
    ...new Set(parts.map(({ language }) => language).filter((language) => language !== null))
  ]
  const scripts: Language[] = ['javascript', 'jsx', 'typescript', 'tsx']
  if (languages.length <= 1) return languages[0] ?? null
  if (!languages.every((language) => scripts.includes(language))) return undefined
  return languages.includes('tsx') || (languages.includes('typescript') && languages.includes('jsx'))
    ? 'tsx'
    : languages.includes('typescript')
      ? 'typescript'
      : 'jsx'
}
