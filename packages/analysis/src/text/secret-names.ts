const secretName =
  /^(?:\w*(?:[pP]assword|PASSWORD|[pP]asswd|[pP]assphrase)|(?:\w*_)?(?:secret|pwd)|(?:\w*[a-z])?Secret|\w*(?:[aA]pi|[pP]rivate|[sS]ecret)_?[kK]ey|\w*(?:[aA]ccess|[rR]efresh|[aA]uth)_?[tT]oken|\w*[cC]redit_?[cC]ard(?:_?[nN]umber)?|cvv|ssn)$/

/** Questions about a secret and protected forms of it have its name, too. */
const harmless =
  /^(?:is|has|no|needs?|requires?|show|hide|use|valid|missing|forgot|reset)(?:_|[A-Z])|[mM]ask|[hH]ash|[eE]nc(?:oded|rypted)|[rR]edacted|[sS]ecure/

/** Whether a name says that its value is a secret in the clear. */
export function namesSecret(name: string): boolean {
  return secretName.test(name) && !harmless.test(name)
}

const sampleWords =
  /s[e3]cr[e3]t|p[a4@]ss|pwd|admin|test|demo|sample|example|dummy|fake|foo|bar|qwerty|abc|123|user|hunter|change|dev|%[\da-f]{2}/i

/** An identifier: some services give such keys out, and much more is numbered this way. */
const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i

/** A pattern or a template, as in `timeToken = '\\d{2}[:.]'`. */
const patternMarks = /\\|\[[^\]]*\]|\{[^}]*\}|\(\?/

/**
 * Keys that a machine made are long and mix letters with digits. Words, and what people make of them, may be a
 * sample that somebody is to replace.
 */
export const looksGenerated = (value: string): boolean =>
  value.length >= 12 &&
  /\d/.test(value) &&
  /\p{L}/u.test(value) &&
  !sampleWords.test(value) &&
  !patternMarks.test(value) &&
  !uuid.test(value)

export const loggedSecret = {
  sentence: 'A secret is written to a log, so everyone who can read the log can see it.',
  suggestion: 'Remove the secret from the log message, or log only whether it is set.'
} as const
