import {
  bare,
  calleeOf,
  child,
  children,
  closest,
  isType,
  keyOf,
  lastName,
  propertyOf,
  textOf,
  type ScriptNode
} from '../nodes.js'
import type { ScriptContext } from '../context.js'
import type { Verdict } from '../rule.js'
import { looksGenerated } from '../../../text/secret-names.js'
import { rulesOf } from './shared.js'

const { visit } = rulesOf('security')

const words = {
  sentence: 'A signing or encryption key is hard-coded, so everyone who can read the code can use it.',
  suggestion: 'Read the key from the environment or a secret store, and replace this one.'
}

/** Which argument of a call is its key. */
const keyArguments: readonly (readonly [call: RegExp, at: number])[] = [
  [/(?:^|\.)(?:jwt|jsonwebtoken|JWT|jsonwt)\.(?:sign|verify)$/, 1],
  [/(?:^|\.)createHmac$/, 1],
  [/(?:^|\.)create(?:C|Dec)ipher(?:iv)?$/, 1],
  [/(?:^|\.)cookieParser$/, 0],
  [/(?:^|\.)CryptoJS\.(?:AES|DES|TripleDES|Rabbit|RC4)\.(?:en|de)crypt$/, 1]
]

/** Options under which libraries take a key, and what they are given to. */
const keyOptions =
  /^(?:secret|secretOrKey|secretOrPrivateKey|jwtSecret|cookieSecret|sessionSecret|signingKey|encryptionKey)$/
const takesOptions =
  /(?:^|\.)(?:session|expressSession|cookieSession|jwt|expressJwt|JwtStrategy|Strategy|JwtModule\.register|register|JwtService|fastifyJwt|csurf|betterAuth)$/

const isPlaceholder = (text: string): boolean =>
  text.length < 3 || /^(?:test|mock|dummy|fake)|\$\{|^<.*>$|^process\.env/i.test(text)

const verdictOn = (text: string): Verdict => looksGenerated(text) || 'likely'

/** The fixed text of a value, also where a constant holds it. */
function fixedText(start: ScriptNode | null | undefined, script: ScriptContext): string | null {
  const node = bare(start ?? null)
  if (
    isType(node, 'CallExpression') &&
    /^Buffer\.from$|TextEncoder\(\)\.encode$|\.encode$/.test(calleeOf(node))
  ) {
    return fixedText(children(node, 'arguments')[0], script)
  }
  return textOf(node) ?? (isType(node, 'Identifier') ? textOf(bare(script.initOf(node))) : null)
}

export const secretRules = [
  visit('token-secret', 'error', words, 'CallExpression', (node, script) => {
    const callee = calleeOf(node)
    const at = keyArguments.find(([call]) => call.test(callee))?.[1]
    const text = at === undefined ? null : fixedText(children(node, 'arguments')[at], script)
    return text !== null && !isPlaceholder(text) && verdictOn(text)
  }),
  visit('setting-secret', 'error', words, 'Property', (node, script) => {
    if (!keyOptions.test(keyOf(node))) return false
    const text = fixedText(child(node, 'value'), script)
    if (text === null || isPlaceholder(text)) return false
    const taker = closest(
      node,
      (ancestor) =>
        isType(ancestor, 'CallExpression', 'NewExpression') && takesOptions.test(calleeOf(ancestor)),
      ['FunctionExpression', 'ArrowFunctionExpression']
    )
    return taker !== null && verdictOn(text)
  }),
  visit(
    'unverified-claims',
    'warning',
    {
      sentence: '`decode` does not verify the signature of the token, so anyone can forge its claims.',
      suggestion: 'Use `verify`, which checks the signature first.'
    },
    'CallExpression',
    (node) => {
      const callee = calleeOf(node)
      const [token, ...options] = children(node, 'arguments')
      if (
        !/(?:^|\.)(?:jwt|jsonwebtoken|JWT)\.decode$|^(?:jwtDecode|jwt_decode|decodeJwt)$/.test(callee) ||
        token === undefined
      ) {
        return false
      }
      return (
        options.every((each) => propertyOf(each, 'complete') === null) &&
        /(?:^|\.)(?:jwt|jsonwebtoken|JWT)$/.test(callee.slice(0, -lastName(callee).length - 1))
      )
    }
  )
]
