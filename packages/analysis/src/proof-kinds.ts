import { isOneOf, scriptLanguages } from './language-groups.js'
import type { Language } from '@filewright/contracts'
import type { Finding } from './types.js'

/** What running the code can show. */
export const proofKinds = [
  'shell',
  'sql',
  'nosql',
  'code',
  'path',
  'address',
  'redirect',
  'markup',
  'template',
  'pollution',
  'redos',
  'null',
  'index',
  'throw',
  'twice',
  'endless',
  'rejection'
] as const
export type ProofKind = (typeof proofKinds)[number]

const byRule: Readonly<Record<string, ProofKind>> = {
  'js/shell-injection': 'shell',
  'js/sql-injection': 'sql',
  'js/query-object-from-input': 'nosql',
  'js/code-from-input': 'code',
  'js/no-eval': 'code',
  'js/no-new-func': 'code',
  'js/implied-eval': 'code',
  'js/run-in-context': 'code',
  'js/path-traversal': 'path',
  'js/request-from-input': 'address',
  'js/open-redirect': 'redirect',
  'js/unescaped-markup': 'markup',
  'js/template-from-input': 'template',
  'js/prototype-pollution': 'pollution',
  'js/unchecked-deep-write': 'pollution',
  'js/catastrophic-regex': 'redos',
  'js/unchecked-match': 'null',
  'js/off-by-one': 'index',
  'js/past-the-end': 'index',
  'js/no-unsafe-optional-chaining': 'throw',
  'js/no-const-assign': 'throw',
  'js/class-called': 'throw',
  'js/await-on-member': 'throw',
  'js/callback-twice': 'twice',
  'js/duplicate-handler-response': 'twice',
  'js/for-direction': 'endless',
  'js/no-unmodified-loop-condition': 'endless',
  'js/moves-outer-index': 'endless',
  'js/no-constant-condition': 'endless',
  'js/floating-promise': 'rejection'
}

/**
 * Faults that a run of the code showed and that no rule reports. They are found only by running the code, so they
 * are not rules of an analyzer.
 */
export const faultRules = {
  null: {
    ruleId: 'proof/null-match',
    message: 'The match can be null here, and reading from null throws a TypeError.',
    suggestion: 'Check that there is a match before you read from it.'
  },
  twice: {
    ruleId: 'proof/answered-twice',
    message: 'The function continues after this answer and answers again.',
    suggestion: 'Return after the first answer.'
  },
  endless: {
    ruleId: 'proof/endless-loop',
    message: 'This loop does not end for some inputs.',
    suggestion: 'Make sure that each iteration comes closer to the end, or leave the loop.'
  }
} as const satisfies Partial<Record<ProofKind, Pick<Finding, 'ruleId' | 'message' | 'suggestion'>>>

/** How models call them. */
const byWords: ReadonlyArray<readonly [RegExp, ProofKind]> = [
  [/prototype pollution|__proto__/i, 'pollution'],
  [/\bno-?sql injection/i, 'nosql'],
  [/\bsql injection/i, 'sql'],
  [/(?:command|shell|os) injection|arbitrary (?:shell )?commands?/i, 'shell'],
  [/path traversal|directory traversal/i, 'path'],
  [/open redirect/i, 'redirect'],
  [/\bssrf\b|server-side request forgery/i, 'address'],
  [/\bxss\b|cross-site scripting/i, 'markup'],
  [/template injection/i, 'template'],
  [/code injection|arbitrary code|\beval\b/i, 'code'],
  [/\bredos\b|catastrophic backtracking/i, 'redos']
]

/** The kind of a finding that a run of the code may prove; null for all others. */
export function proofKindOf(
  { ruleId, message }: Pick<Finding, 'ruleId' | 'message'>,
  language: Language
): ProofKind | null {
  if (!isOneOf(language, scriptLanguages)) return null
  if (Object.hasOwn(byRule, ruleId)) return byRule[ruleId]!
  if (!ruleId.startsWith('model/')) return null
  return byWords.find(([words]) => words.test(message))?.[1] ?? null
}
