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
    analysisType: 'bugs',
    message: 'The match can be null here, and reading from null throws a TypeError.',
    suggestion: 'Check that there is a match before you read from it.'
  },
  twice: {
    ruleId: 'proof/answered-twice',
    analysisType: 'bugs',
    message: 'The function continues after this answer and answers again.',
    suggestion: 'Return after the first answer.'
  },
  endless: {
    ruleId: 'proof/endless-loop',
    analysisType: 'bugs',
    message: 'This loop does not end for some inputs.',
    suggestion: 'Make sure that each iteration comes closer to the end, or leave the loop.'
  },
  rejection: {
    ruleId: 'proof/unhandled-rejection',
    analysisType: 'bugs',
    message:
      'Nothing handles the rejection of this promise, and an unhandled rejection ends a Node.js process.',
    suggestion: 'Await or return the promise, or end the chain with `.catch()`.'
  },
  index: {
    ruleId: 'proof/past-the-end',
    analysisType: 'bugs',
    message: 'The loop also reads the element at `length`, which is one past the last one.',
    suggestion: 'Count while the index is less than the length.'
  },
  type: {
    ruleId: 'proof/unexpected-value',
    analysisType: 'bugs',
    message: 'This throws a TypeError for a value that the declared type allows.',
    suggestion: 'Handle the value, or declare that the function does not take it.'
  },
  pollution: {
    ruleId: 'proof/prototype-pollution',
    analysisType: 'security',
    message: 'A key such as `__proto__` in the input changes `Object.prototype`, and with it every object.',
    suggestion:
      'Skip the keys `__proto__`, `constructor` and `prototype`, or use objects without a prototype.'
  },
  shell: {
    ruleId: 'proof/shell-injection',
    analysisType: 'security',
    message: 'A client can run commands of its own in the shell.',
    suggestion: 'Call the program without a shell, with a list of arguments.'
  },
  sql: {
    ruleId: 'proof/sql-injection',
    analysisType: 'security',
    message: 'A client can change this SQL statement.',
    suggestion: 'Pass the value as a parameter of the statement.'
  },
  path: {
    ruleId: 'proof/path-traversal',
    analysisType: 'security',
    message: 'A client can choose a file outside the expected folder.',
    suggestion: 'Resolve the path and refuse it unless it is inside the folder.'
  },
  address: {
    ruleId: 'proof/request-from-input',
    analysisType: 'security',
    message: 'A client can choose the host to which this request goes.',
    suggestion: 'Take the host from a list of allowed ones.'
  },
  redirect: {
    ruleId: 'proof/open-redirect',
    analysisType: 'security',
    message: 'A client can choose the host to which this redirects.',
    suggestion: 'Allow only paths of this site: one slash, and no second slash or backslash after it.'
  },
  markup: {
    ruleId: 'proof/unescaped-markup',
    analysisType: 'security',
    message: 'A client can put elements into this page.',
    suggestion: 'Escape the value before it becomes part of the page.'
  }
} as const satisfies Partial<
  Record<ProofKind | 'type', Pick<Finding, 'ruleId' | 'analysisType' | 'message' | 'suggestion'>>
>
export type FoundKind = keyof typeof faultRules

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
