import type { Language } from '@filewright/contracts'
import type { TreeNode, TreeRule } from '../tree/tree.js'
import type { AnalysisType, RuleInfo, Severity } from '../types.js'

/** A maker of tree rules that share a language and a type. */
export function treeRulesOf(prefix: string, language: Language, analysisType: AnalysisType) {
  return (
    id: string,
    severity: Severity,
    words: Pick<RuleInfo, 'sentence' | 'suggestion'>,
    kinds: string | readonly string[],
    when: TreeRule['when'],
    rest: Pick<TreeRule, 'only' | 'message'> = {}
  ): TreeRule => ({
    id: `${prefix}/${id}`,
    engine: 'tree',
    languages: [language],
    analysisType,
    severity,
    ...words,
    kinds: typeof kinds === 'string' ? [kinds] : kinds,
    when,
    ...rest
  })
}

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
    sentence: 'SQL is built from strings, so a value can change the statement (SQL injection).',
    suggestion: 'Pass values as query parameters.'
  },
  shell: {
    sentence: 'A shell command is built from strings, so a value can run other commands (command injection).',
    suggestion: 'Run the program with a list of arguments and without a shell.'
  },
  weakHash: {
    sentence: 'MD5 and SHA-1 are broken: two inputs with the same hash can be made.',
    suggestion: 'Use SHA-256, or a password hash such as argon2 or scrypt for passwords.'
  },
  weakCipher: {
    sentence: 'This cipher or its mode no longer protects what it encrypts.',
    suggestion: 'Use AES-GCM or ChaCha20-Poly1305.'
  },
  tls: {
    sentence: "The check of the server's certificate is switched off, so anyone on the way can read along.",
    suggestion: 'Leave certificate checks on; add your own authority if you need one.'
  },
  cors: {
    sentence: "Every website may call this service from a visitor's browser.",
    suggestion: 'Name the origins that may call.'
  },
  markup: {
    sentence: 'A value goes into a page without being escaped.',
    suggestion: 'Render pages with a template that escapes, or escape the value first.'
  },
  path: {
    sentence: 'A file path is built from user input, so it can escape its directory (path traversal).',
    suggestion: 'Use only the base name, or resolve the path and check that it stays inside its directory.'
  },
  redirect: {
    sentence: 'The redirect target comes from user input (open redirect).',
    suggestion: 'Redirect only to paths of this site or to URLs from a list.'
  },
  requestAddress: {
    sentence:
      'The URL of an outgoing request comes from user input, so a client can reach internal services (SSRF).',
    suggestion: 'Choose the URL from a list of allowed hosts.'
  },
  random: {
    sentence: 'The random numbers are predictable, so a secret made from them can be guessed.',
    suggestion: 'Use the cryptographic random source of the language.'
  },
  deserialize: {
    sentence: 'This deserializer can execute code embedded in its input.',
    suggestion: 'Use a plain data format such as JSON and validate it against a schema.'
  },
  secretKey: {
    sentence:
      'A key that signs or encrypts is written into the code, where everyone who can read the code can use it.',
    suggestion: 'Read the key from the environment or a secret store, and replace this one.'
  },
  unverifiedToken: {
    sentence: 'A token is accepted without a check of its signature.',
    suggestion: 'Verify tokens with a fixed list of signed algorithms.'
  },
  alwaysTrue: {
    sentence: 'A value always differs from one of two others, so this condition is always true.',
    suggestion: 'Ask for both comparisons at once.'
  },
  alwaysFalse: {
    sentence: 'A value never equals two others at once, so this condition is always false.',
    suggestion: 'Ask for either of the comparisons.'
  },
  asyncCondition: {
    sentence: 'The call gives something to wait for, which is always true: nobody waits for its answer.',
    suggestion: 'Await the call.'
  },
  unusedResult: {
    sentence: 'The call changes nothing and its result is thrown away.',
    suggestion: 'Use the result, or remove the call.'
  },
  lockAcrossAwait: {
    sentence: 'A lock of threads is held while this waits, which can stop every other task.',
    suggestion: 'Use a lock that is made for async code, or release it first.'
  },
  stringLoop: {
    sentence: 'A text is copied and grows by a piece in every round of a loop.',
    suggestion: 'Collect the pieces and join them once.'
  },
  queryLoop: {
    sentence: 'A query runs once for every round of the loop.',
    suggestion: 'Fetch all rows with one query (IN, JOIN or a batch) before the loop.'
  },
  regexLoop: {
    sentence: 'The same regular expression is compiled in every round of the loop.',
    suggestion: 'Compile the pattern once, before the loop.'
  },
  regex: {
    sentence: 'This regular expression can take exponential time on text that almost matches.',
    suggestion: 'Remove the nested or overlapping repetition from the pattern.'
  },
  swallowed: {
    sentence: 'The error is caught and dropped, so a failure looks like success.',
    suggestion: 'Handle the error, log it, or let it pass.'
  },
  unreachable: { sentence: 'This code can never run.', suggestion: 'Remove code that can never run.' },
  offByOne: {
    sentence: 'The loop runs one step past the last element.',
    suggestion: 'Compare the index with < length.'
  },
  loopDirection: {
    sentence: 'The index moves away from the end of the loop.',
    suggestion: 'Count in the other direction, or turn the comparison around.'
  },
  decimalMode: {
    sentence: 'The file mode is a decimal number, so it sets other permissions than intended.',
    suggestion: 'Write the mode as an octal number, such as 0o644.'
  },
  exposedStack: {
    sentence: 'The response contains a stack trace, which reveals internals of the service.',
    suggestion: 'Log the error and respond with a fixed message.'
  },
  leak: {
    sentence: 'What is opened here is not closed when something fails.',
    suggestion: 'Close it on every path.'
  },
  unusedImport: { sentence: 'An import is never used.', suggestion: 'Remove imports that nothing uses.' },
  unused: { sentence: 'A name is declared and never used.', suggestion: 'Remove names that nothing uses.' },
  selfCompare: { sentence: 'A value is compared with itself.', suggestion: 'Compare with the other value.' },
  booleanCompare: {
    sentence: 'A value is compared with true or false.',
    suggestion: 'Use the value itself, or its negation.'
  },
  elseReturn: {
    sentence: 'The else after a return is not needed.',
    suggestion: 'Drop the else and dedent its body.'
  },
  parameters: {
    sentence: 'A function takes very many parameters.',
    suggestion: 'Group parameters into an object.'
  }
} as const
