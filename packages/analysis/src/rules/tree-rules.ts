import type { Language } from '@filewright/contracts'
import { callee, callKinds } from '../tree/calls.js'
import type { TreeNode, TreeRule } from '../tree/tree.js'
import type { AnalysisType } from '../types.js'
import { makersOf, type Own } from './makers.js'

type Given = Omit<Own<TreeRule>, 'kinds' | 'when'> & {
  readonly kinds?: string | readonly string[]
  /** Calls of what is written so, in place of `kinds`. */
  readonly calls?: RegExp
  readonly when?: TreeRule['when']
}

/** Makers of tree rules that share a language and a type. */
export const treeRulesOf = (prefix: string, language: Language, analysisType: AnalysisType) =>
  makersOf(
    prefix,
    { languages: [language], analysisType },
    (head, { calls, kinds = callKinds[language] ?? [], when = () => true, ...own }: Given): TreeRule => ({
      ...head,
      engine: 'tree',
      kinds: typeof kinds === 'string' ? [kinds] : kinds,
      when: calls === undefined ? when : (node, tree) => calls.test(callee(node)) && when(node, tree),
      ...own
    })
  )

export type TreeRuleMakers = ReturnType<typeof treeRulesOf>

/** The name in a declaration or an import, for the words about it. */
export function neverUsed(
  verb: 'declared' | 'imported',
  nameOf: (node: TreeNode) => string
): Pick<TreeRule, 'message'> {
  return { message: (node) => `\`${nameOf(node)}\` is ${verb} and never used.` }
}

/** A value that differs from itself is no number: `x != x` asks for that. */
export const notANumber = (comparison: TreeNode): true | 'likely' =>
  comparison.field('operator')?.text() === '!=' ? 'likely' : true

/** Words for what goes wrong in the same way in every language. */
export const words = {
  sql: {
    sentence: 'Values are concatenated into this SQL statement, so input can change what it does.',
    suggestion:
      'Pass the values as query parameters. Choose columns and directions for ORDER BY from an allowlist.'
  },
  shell: {
    sentence: 'Values are concatenated into this shell command, so input can run other commands.',
    suggestion: 'Run the program with an argument list and without a shell.'
  },
  weakHash: {
    sentence: 'MD5 and SHA-1 are broken: an attacker can create two inputs with the same hash.',
    suggestion: 'Use SHA-256, or a password hash such as Argon2 or bcrypt for passwords.'
  },
  weakCipher: {
    sentence: 'This cipher or mode is broken and does not protect the data.',
    suggestion: 'Use AES-GCM or ChaCha20-Poly1305.'
  },
  tls: {
    sentence:
      'TLS certificate verification is disabled, so an attacker on the network can intercept the connection.',
    suggestion: 'Keep verification enabled, and add your own CA to the trusted roots if you need one.'
  },
  cors: {
    sentence: "CORS allows every origin, so any website can read the responses from a visitor's browser.",
    suggestion: 'Allow only the origins that need access.'
  },
  path: {
    sentence: 'This file path contains client input, so it can point outside its directory (path traversal).',
    suggestion:
      'Use only the base name of the input, or check that the resolved path stays inside the directory.'
  },
  redirect: {
    sentence: 'The redirect target comes from the request, so an attacker can send users to another site.',
    suggestion: 'Redirect only to paths on this site or to URLs on an allowlist.'
  },
  requestAddress: {
    sentence:
      'The URL of this outgoing request contains client input, so it can reach internal services (SSRF).',
    suggestion: 'Choose the host from an allowlist.'
  },
  random: {
    sentence: 'This random number generator is predictable, so an attacker can guess secrets made with it.',
    suggestion: 'Use a cryptographically secure random number generator.'
  },
  deserialize: {
    sentence: 'Deserializing untrusted data with this API can run arbitrary code.',
    suggestion: 'Use a data format such as JSON and validate it against a schema.'
  },
  secretKey: {
    sentence: 'This signing or encryption key is hard-coded, so anyone who can read the code can use it.',
    suggestion: 'Read the key from the environment or a secret store, and rotate this one.'
  },
  unverifiedToken: {
    sentence: 'This token is accepted without verifying its signature.',
    suggestion: 'Verify the signature, and accept only a fixed list of algorithms.'
  },
  stringLoop: {
    sentence: 'String concatenation in a loop copies the whole string on every iteration.',
    suggestion: 'Collect the parts and join them once.'
  },
  queryLoop: {
    sentence: 'This query runs on every iteration of the loop (N+1 queries).',
    suggestion: 'Fetch all rows with one query (IN, JOIN or a batch) before the loop.'
  },
  regexLoop: {
    sentence: 'This regular expression is compiled on every iteration of the loop.',
    suggestion: 'Compile the pattern once, before the loop.'
  },
  regex: {
    sentence: 'This regular expression can take exponential time on input that almost matches.',
    suggestion: 'Remove the nested or overlapping repetition from the pattern.'
  },
  swallowed: {
    sentence: 'The error is caught and ignored, so a failure looks like success.',
    suggestion: 'Handle the error, log it, or propagate it.'
  },
  unreachable: { sentence: 'This code is unreachable.', suggestion: 'Remove the unreachable code.' },
  offByOne: {
    sentence: 'The loop reads one element past the end.',
    suggestion: 'Use < instead of <= in the loop condition.'
  },
  loopDirection: {
    sentence: 'The loop counter moves away from its limit.',
    suggestion: 'Count in the other direction, or reverse the comparison.'
  },
  decimalMode: {
    sentence: 'The file mode is a decimal number, so it sets different permissions than it shows.',
    suggestion: 'Write the mode in octal, such as 0o644.'
  },
  unthrown: {
    sentence: 'This exception is created but not thrown, so the code continues.',
    suggestion: 'Write throw before it, or remove it.'
  },
  exposedStack: {
    sentence: 'The response contains a stack trace, which reveals internals of the service.',
    suggestion: 'Log the error and respond with a generic message.'
  },
  leak: {
    sentence: 'This resource is not closed on every path, so it can stay open.',
    suggestion: 'Close it on every path.'
  },
  unusedImport: { sentence: 'This import is never used.', suggestion: 'Remove the import.' },
  unused: { sentence: 'This name is declared and never used.', suggestion: 'Remove the declaration.' },
  selfCompare: {
    sentence: 'This value is compared with itself.',
    suggestion: 'Compare it with the other value.'
  },
  elseReturn: {
    sentence: 'The else after a return is unnecessary.',
    suggestion: 'Remove the else and outdent its body.'
  }
} as const
