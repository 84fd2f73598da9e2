import type { Source } from '../../text/source.js'
import { looksGenerated } from '../../text/secret-names.js'
import type { TextHit } from '../../text/text-rule.js'
import { textRulesOf } from '../text-rules.js'

const words = {
  sentence: 'The code contains a secret, so anyone who can read the code can use it.',
  suggestion: 'Read the secret from the environment or a secret store, and revoke this one.'
}

/** Keys whose makers gave them a shape. */
const shaped = [
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_\w{60,}/,
  /\bglpat-[\w-]{20,}/,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/,
  /\b[sr]k_live_[0-9A-Za-z]{16,}/,
  /\bAIza[\w-]{35}\b/,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/,
  /\bnpm_[A-Za-z0-9]{36}\b/,
  /\bsk-(?:proj-|ant-)?[A-Za-z0-9_-]{32,}/,
  /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/
]

const keyHeader = /-----BEGIN (?:RSA |EC |OPENSSH |DSA |PGP |ENCRYPTED )?PRIVATE KEY(?: BLOCK)?-----(.*)$/

/** The header of a key, with the key behind it: programs look for the header alone, and put it before a key. */
function holdsKey(line: string, next: string): boolean {
  const rest = keyHeader.exec(line)?.[1]
  if (rest === undefined) return false
  const isKey = (text: string): boolean => /[A-Za-z0-9+/=]{32,}/.test(text.slice(0, 200))
  return rest.trim() === '' || isKey(rest) || isKey(next)
}

const passwordName = /(?:^|[_.\-a-z])(?:pass(?:word|wd|phrase)?|pwd)$/i
/** A test passes as well, and SSH_ASKPASS is a program. */
const outcomeName = /(?:test|event|state|status|result|check|ask)s?_?pass$/i
const keyName =
  /(?:secret|token|api[_-]?key|private[_-]?key|access[_-]?key|client[_-]?secret|auth[_-]?key|encryption[_-]?key|signing[_-]?key|credentials?|jwt[_-]?key)(?:[_-]?key)?$/i
const assignment =
  /(?:^|[\s,({["'`;.@$])([A-Za-z_][\w.-]{0,60})["'`]?\]?\s*(?::\s*[\w<>[\]&' |.]{1,30}=|:=|=>|===?|[:=])\s*(?:[A-Za-z.]{0,20}[("&]?\s*)?(["'`])([^"'`\n]{4,200})\2/g
const placeholder =
  /^(?:<.*>|\{\{.*\}\}|%.*%|\*+|x+|\.+|0+|[-_]+|null|none|true|false|undefined|function|object|number|boolean|symbol|bigint|string|text|hidden|required|invalid|optional|default|bearer|basic|guest|password|passwd|passphrase|secret|token|api[_-]?key|new[_-]?password|current[_-]?password)$|\$\{|\$\(|#\{|^\$|your|example|changeme|placeholder|redacted|dummy|\s|^https?:|^\/|^@|process\.env|\.\.\.|^\w+\.\w+\.\w+$|\[\^?\w-\w/i
const addressWithPassword =
  /\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s:/@"'`$<{]{1,60}:([^\s:/@"'`$<{]{3,80})@[^\s"'`]/i
/** `user:password@tcp(host)/name` */
const driverAddress = /["'`][^\s:/@"'`$<{]{1,60}:([^\s:/@"'`$<{%]{3,80})@(?:tcp|unix)\(/
const passwordPair = /\b(?:password|pwd)\s?=\s?([^\s;&"'`$<{%]{3,80})/i
const otherPair = /\b(?:host|server|user|user id|uid|dbname|database|data source)\s?=/i

/** The password in a string that says how to connect: an address, or `host=… user=… password=…`. */
function connectionPassword(line: string): string | undefined {
  const address = addressWithPassword.exec(line) ?? driverAddress.exec(line)
  if (address !== null) return address[1]
  const pair = passwordPair.exec(line)
  if (pair === null || !otherPair.test(line)) return undefined
  const isInText = /["'`][^"'`]*$/.test(line.slice(Math.max(0, pair.index - 200), pair.index))
  return isInText ? pair[1] : undefined
}

/** Services give out keys that every visitor of a page may read. */
const publicName =
  /(?:^|[_.-])(?:search|public|publishable|anon|client[_-]?side)[_-]|(?:search|public|publishable|anon)[A-Z]/i

/** `variableName.standard`, `auth-token.refreshToken` */
const pathOfNames = /^[a-z]+(?:[A-Z][a-z]+)*(?:[-_.][a-z]+(?:[A-Z][a-z]+)*)+$/

export function isSecretValue(name: string, value: string): boolean {
  if (placeholder.test(value)) return false
  const last = name.slice(name.lastIndexOf('.') + 1)
  if (outcomeName.test(last)) return false
  if (passwordName.test(last)) return !isWordList(value)
  if (!keyName.test(last) || value.length < 8) return false
  // Names of things look like words; keys mix letters and digits.
  return /\d/.test(value) && /[A-Za-z]/.test(value)
    ? !/^[a-z]+(?:[-_.][a-z0-9]+)*-?v?\d{0,2}$/.test(value)
    : /[A-Z]/.test(value) &&
        /[a-z]/.test(value) &&
        value.length >= 20 &&
        /[^A-Za-z]/.test(value) &&
        !pathOfNames.test(value)
}

/** `user.password`, `password-field`, `PasswordInput`: the name of something, not a password. */
function isWordList(value: string): boolean {
  return /pass(?:word|wd)|pwd/i.test(value) && !/\d/.test(value)
}

/** An argument of a method, unless the method only wraps it. */
const isCall =
  /(?:require|import|\.(?!from\b|of\b|valueOf\b|encode\()\w+)\(\s*["'`][^"'`]*["'`]$|\w\.encode\(\s*["'`][^"'`]*["'`]$/
const testCode =
  /^[ \t]*(?:describe|it|test|t\.test)\(|^func Test\w*\(|^[ \t]*(?:async )?def test_|^[ \t]*@Test\b|#\[test\]/m

const isComment = /^\s*(?:\/\/|#|\*|\/\*|<!--|--)/

/** The author has thought about it: apps that users install hold client secrets which protect nothing. */
const saysPublic =
  /(?:\/\/|#|\*|--).*\b(?:safe to|not (?:a |an? actual |really |truly )?(?:secret|confidential|sensitive)|public(?:ly)? (?:known|key|value|credentials?))\b/i

function* findSecrets({ lines, text }: Source): Generator<TextHit> {
  const isTest = testCode.test(text)
  let isDocumentation = false
  for (const [index, line] of lines.entries()) {
    if (line.trimStart().startsWith('/**')) isDocumentation = true
    else if (lines[index - 1]?.includes('*/') === true) isDocumentation = false
    if (line.length < 8 || line.length > 2_000) continue
    if (shaped.some((pattern) => pattern.test(line)) || holdsKey(line, lines[index + 1] ?? '')) {
      yield { line: index + 1 }
      continue
    }
    const password = connectionPassword(line)
    if (
      password !== undefined &&
      !placeholder.test(password) &&
      !/^(?:pass(?:word)?|pwd|secret)$/i.test(password)
    ) {
      yield { line: index + 1, isLikely: !looksGenerated(password) }
      continue
    }
    for (const match of line.matchAll(assignment)) {
      // The name of a module, a charset or a key of a table is no secret, and neither is what a test or an
      // example in a comment makes up.
      // `passed ? "pass" : "fail"` is a choice.
      const isChoice = /^["'`]/.test(match[0]) && /\?\s*$/.test(line.slice(0, match.index))
      if (
        !isCall.test(match[0]) &&
        !isChoice &&
        !isTest &&
        !isDocumentation &&
        isSecretValue(match[1]!, match[3]!)
      ) {
        yield {
          line: index + 1,
          isLikely:
            isComment.test(line) ||
            publicName.test(match[1]!) ||
            !looksGenerated(match[3]!) ||
            saysPublic.test(line) ||
            (isComment.test(lines[index - 1] ?? '') && saysPublic.test(lines[index - 1]!))
        }
        break
      }
    }
  }
}

/** Shells, .env files and YAML write values without quotes. */
function* findBareSecrets({ lines }: Source): Generator<TextHit> {
  for (const [index, line] of lines.entries()) {
    if (line.length > 2_000) continue
    const match =
      /^\s*(?:-\s+)?(?:export\s+|ENV\s+|ARG\s+|readonly\s+|local\s+)?([A-Za-z_][\w.-]{0,60})\s{0,4}[=:]\s{0,4}([^\s"'`#$(){}<]{6,200})\s*(?:#.*)?$/.exec(
        line
      )
    if (match !== null && isSecretValue(match[1]!, match[2]!)) {
      yield { line: index + 1, isLikely: !looksGenerated(match[2]!) }
    }
  }
}

const secret = textRulesOf('security')
/** Where values stand without quotes. */
const bareSecret = textRulesOf('security', [
  'shell',
  'dotenv',
  'yaml',
  'ini',
  'dockerfile',
  'toml',
  'fish',
  'makefile',
  'ansible',
  'helm'
])

export const secretRules = [
  secret.error('hard-coded-secret', { ...words, find: findSecrets }),
  bareSecret.error('hard-coded-secret-unquoted', { ...words, find: findBareSecrets })
]
