import { declaredNames } from './declared-names.js'
import type { Fence } from './fences.js'

/** A fence and its role in the response. */
export interface RoledFence extends Fence {
  names: ReadonlySet<string>
  isTest: boolean
  /** Shows how to call the program, or its output. */
  isUsage: boolean
  /** Its file name, if the response has one. */
  file: string | undefined
}

const TEST_LABEL = /\b(?:unit |integration )?(?:tests?|specs?|test cases?)\b/i
const TEST_CODE =
  /^[ \t]*(?:describe|it|test)[ \t]{0,4}\([ \t]{0,4}['"`]|^[ \t]*(?:import|from) (?:unittest|pytest)\b|^[ \t]*def test_|^func Test\w*\(\w+ \*testing\.|^[ \t]*@Test\b|^import .{0,60}['"](?:node:test|vitest|@jest\/globals|tap)['"]/m
const USAGE_LABEL =
  /\b(?:usage|examples?|how (?:to|you) (?:use|run|call)|you can (?:now )?(?:use|run|call|test|try)|try it|outputs?|prints?|result|run (?:it|the)|call it|to run|install)\b/i
const FILE_NAME =
  /(?:^|[\s`*"'(/])([\w-]+(?:[./][\w-]+)*\.(?:[cm]?[jt]sx?|py|go|java|rs|sql|sh|css|scss|html?|php|rb|cs|kt|swift|vue|svelte|c|h|cpp|hpp))\b/i
const COMMENT = /^[ \t]*(?:\/\/|#|--|\/\*|<!--)/

function fileOf({ label, code }: Fence): string | undefined {
  const first = code.split('\n', 1)[0] ?? ''
  const inComment = COMMENT.test(first) && first.length < 80 ? FILE_NAME.exec(first)?.[1] : undefined
  return (inComment ?? (label.length < 120 ? FILE_NAME.exec(label)?.[1] : undefined))?.toLowerCase()
}

export function withRole(fence: Fence): RoledFence {
  const names = declaredNames(fence.code)
  const file = fileOf(fence)
  const isTest =
    TEST_LABEL.test(file ?? '') ||
    TEST_CODE.test(fence.code) ||
    (names.size === 0 && TEST_LABEL.test(fence.label))
  return { ...fence, names, file, isTest, isUsage: USAGE_LABEL.test(fence.label) && names.size === 0 }
}

/** Whether two pieces of code are two versions of one. */
export function areVersions(a: RoledFence, b: RoledFence): boolean {
  if (a.file !== undefined && b.file !== undefined && a.file !== b.file) return false
  const shared = [...a.names].filter((name) => b.names.has(name)).length
  return shared > 0 && shared * 2 >= Math.min(a.names.size, b.names.size)
}

const BETTER =
  /\b(?:better|improved|optimi[sz]ed|(?:more )?efficient|faster|final|refactored|cleaner|corrected|fixed|updated|revised|complete|full|alternative(?:ly)?|another (?:way|approach|version|option)|or,? using|recommended|production|version)\b/i
const WORSE =
  /\b(?:na[iï]ve|simple|basic|brute[- ]force|first (?:attempt|version|draft)|quick|straightforward|original)\b/i

/** Whether `later` replaces everything before it: the text says so, and it does not need the rest. */
export function replaces(later: RoledFence, earlier: readonly RoledFence[]): boolean {
  if (!BETTER.test(later.label) && !earlier.some(({ label }) => WORSE.test(label))) return false
  const words = new Set((later.code.match(/[A-Za-z_$][\w$]*/g) ?? []).map((word) => word.toLowerCase()))
  return (
    later.names.size > 0 &&
    earlier.every(({ names }) => [...names].every((name) => later.names.has(name) || !words.has(name)))
  )
}
