import { hasOnlyTests } from './tests.js'
import type { Block } from './blocks.js'
import { isWordOf } from './words.js'

const USAGE =
  /\b(?:usage|examples?|sample (?:call|run)|demo|how (?:to|you(?: can)?) (?:use|call|run)|use it (?:like|as|in)|try it|outputs?|prints?|results?|console|expected|test it|verify|renders? as)\b/i
const RUN =
  /\b(?:you can (?:now )?(?:use|run|call|test|try)|run (?:it|the|with)|call it|to run|install|then run|start (?:it|the server)|compile)\b/i
/** Shown as something not to do. */
const WRONG =
  /❌|\b(?:don['’]?t (?:do|use|write)|do not (?:do|use|write)|never (?:do|use|write)|avoid|wrong|incorrect|bad|vulnerable|insecure|buggy|broken|anti-?pattern|not like this|instead of (?:this|writing|doing)|before)\b[^.\n]{0,40}:?\**$/i
const GIVEN =
  /\b(?:assum(?:e|es|ing)|given|suppose|supposing|sample (?:data|input)|test data|example (?:data|input)|seed|your (?:existing|current)|existing (?:code|table|schema|file)|if you have|let's say|input file)\b/i
const INSERTED =
  /\b(?:add|insert|put|place|paste|include|append)\b.{0,60}\b(?:inside|into|within|to the (?:top|end|bottom|start)|above|below|before|after|in (?:the|your)|to (?:your|the))\b|\b(?:replace|change|modify|update|swap)\b.{0,60}\b(?:with|to|line|lines|the|your|this)\b/i
const ALTERNATIVE =
  /\b(?:alternative(?:ly)?|another (?:way|approach|version|option|variant|solution)|or,? (?:if|with|using|a|an|in|as|even|more|shorter|simply|you)|(?:shorter|one-liner|concise|compact|different) (?:version|variant|way|approach|form|solution)|one-?liner|(?:if|in case) you(?:['’]d)? (?:prefer|want|need|like|can(?:not|['’]t)|don['’]t|use|are)|option (?:\d|[b-z])|(?:version|approach|method|solution|variant) (?:[2-9]|two|b)|optional(?:ly)?|bonus|for (?:older|comparison|reference)|equivalent|without (?:using )?\w+)\b|^or:?$/i
const BETTER =
  /\b(?:better|improved|optimi[sz]ed|(?:more )?efficient|faster|refactored|cleaner|corrected|correct (?:version|code|way)|fixed|fixes|revised|instead|(?:final|updated|complete|full|recommended|production|whole|entire)(?:-ready)? (?:version|code|solution|implementation|program|script|file|listing|example)|(?:all|it) together|✅)\b|✅/i
const CORRECTS =
  /\b(?:wait|oops|sorry|mistake|bug|wrong|actually|correct(?:ed|ion)?|fix(?:ed|es)?|typo|should (?:be|have)|forgot)\b/i
const WORSE =
  /\b(?:na[iï]ve|simple|basic|brute[- ]force|first (?:attempt|version|draft|try)|quick|straightforward|original|slow)\b/i
const MAIN =
  /\b(?:main|program|endpoints?|routes?|handlers?|component|server|app|entry|final|function|class)\b/i

const last = (prose: string): string => prose.split(/(?<=[.!?])\s+|\n/).at(-1) ?? ''

/** "If you need …": a response to another request. */
const CONDITIONAL = /^(?:if|in case|for|when|should you)\b.{0,80}\b(?:you|older|need|want|prefer)\b/i

export const isAlternative = ({ prose }: Block): boolean =>
  (CONDITIONAL.test(last(prose)) || (ALTERNATIVE.test(prose) && !BETTER.test(last(prose)))) &&
  !CORRECTS.test(prose)
export const isBetter = ({ prose }: Block): boolean => BETTER.test(prose) || CORRECTS.test(prose)
export const isWorse = ({ label }: Block): boolean => WORSE.test(label)
export const isWrong = ({ label }: Block): boolean => WRONG.test(label.replace(/[*_#`]/g, '').trim())
export const isInserted = ({ label }: Block): boolean => INSERTED.test(label)
export const isGiven = ({ label }: Block): boolean => GIVEN.test(label)

const COMMAND =
  /^\s*(?:[$#>] )?(?:sudo )?(?:npm|npx|yarn|pnpm|bun|pip3?|pipx|poetry|uv|cd|mkdir|touch|go (?:run|get|mod|build|test|install)|cargo|rustc|javac|java -|python3? [\w./-]+|node [\w./-]+|deno|docker|curl|git|brew|apt(?:-get)?|chmod|export \w+=|source |\.\/\w|g\+\+|gcc|dotnet|php artisan|composer|bundle|gem|rails|uvicorn|flask run|psql|sqlite3)\b/

/** Whether a block is terminal commands, whatever its fence says. */
export function isCommand({ code, language }: Block): boolean {
  const lines = code.split('\n').filter((line) => line.trim() !== '' && !/^\s*#/.test(line))
  if (lines.length > 0 && lines.every((line) => COMMAND.test(line))) return true
  return language === 'shell' || /^\s*\$ /.test(code)
}

export type Role = 'program' | 'test' | 'usage' | 'wrong' | 'given'

/** The given names that a block uses but neither declares nor imports. */
export const borrows = ({ outline }: Block, names: ReadonlySet<string>): string[] =>
  [...names].filter(
    (name) => outline.used.has(name) && !outline.declared.has(name) && !outline.imported.has(name)
  )

const namesOf = (blocks: readonly Block[], key: 'functions' | 'declared'): Set<string> =>
  new Set(blocks.flatMap(({ outline }) => [...outline[key]]))

const MAIN_GUARD = /^if __name__\s*==/m
const SHOWS =
  /^\s*(?:console\.\w+\(|print(?:ln|f)?[!(]|fmt\.Print|System\.out\.|assert\b|expect\(|puts |echo )/

/** The purpose of a block. */
export function roleOf(block: Block, others: readonly Block[], prompt: string, wantsProgram: boolean): Role {
  const { outline, label, code } = block
  if (isWrong(block)) return 'wrong'
  if (hasOnlyTests(block)) return 'test'
  if (others.length === 0) return 'program'
  if (isGiven(block) && !/\b(?:function|class|solution)\b/i.test(label)) return 'given'
  const borrowed = borrows(block, namesOf(others, 'declared'))
  const lentTo = others.some(
    (other) => borrows(other, new Set([...outline.declared, ...outline.imported])).length > 0
  )
  const functionsOfOthers = namesOf(others, 'functions')
  const isCalledFor = [...outline.functions].some((name) => isWordOf(name, prompt))
  const isUsage = USAGE.test(label)
  if (outline.functions.size > 0) {
    return isUsage && !isCalledFor && borrowed.length > 0 && !lentTo ? 'usage' : 'program'
  }
  if (lentTo || MAIN_GUARD.test(code)) return 'program'
  // Text without a fence word that shares no name with the program is output or configuration.
  if (block.tag === '' && borrowed.length === 0 && others.some(({ tag }) => tag !== '')) return 'usage'
  if (isUsage) return 'usage'
  // A variable of another block is accessible only within the same program.
  if (borrowed.some((name) => !functionsOfOthers.has(name))) return 'program'
  if (RUN.test(label)) return 'usage'
  if (MAIN.test(label) || wantsProgram) return 'program'
  const lines = code
    .split('\n')
    .filter((line) => /^\S/.test(line) && !/^(?:\/\/|#|import |from |const .*require)/.test(line))
  const isShown = lines.every(
    (line) => SHOWS.test(line) || /^(?:(?:const|let|var) )?[\w{},: ]+ :?= /.test(line) || /^[\]})]/.test(line)
  )
  return borrowed.length > 0 && isShown ? 'usage' : 'program'
}
