import { calleeOf, keyOf, propertyOf } from '../names.js'
import { bare, child, children, isType, type ScriptNode } from '../nodes.js'
import { closest } from '../walk.js'
import type { ScriptContext } from '../context.js'
import type { Verdict } from '../rule.js'
import { looksGenerated } from '../../../text/secret-names.js'
import { fixedText, importedCallee, rulesOf } from './shared.js'

const { visit } = rulesOf('security')

const words = {
  sentence: 'A signing or encryption key is hard-coded, so everyone who can read the code can use it.',
  suggestion: 'Read the key from the environment or a secret store, and replace this one.'
}

/** Which argument of a call is its key. */
const keyArguments: readonly (readonly [call: RegExp, at: number])[] = [
  [/(?:^|\.)(?:jwt|jsonwebtoken|JWT|jsonwt)\.(?:sign|verify)$/, 1],
  [/(?:^|\.)jose\.jwtVerify$/, 1],
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

/** The text that a key is made of. */
function keyText(start: ScriptNode | null | undefined, script: ScriptContext): string | null {
  const node = bare(start)
  if (
    isType(node, 'CallExpression') &&
    /^Buffer\.from$|TextEncoder\(\)\.encode$|\.encode$/.test(calleeOf(node))
  ) {
    return keyText(children(node, 'arguments')[0], script)
  }
  const init = isType(node, 'Identifier') ? bare(script.initOf(node)) : null
  return isType(init, 'CallExpression') ? keyText(init, script) : fixedText(node, script)
}

export const secretRules = [
  visit.error('token-secret', {
    ...words,
    on: 'CallExpression',
    when: (node, script) => {
      const callee = importedCallee(node, script)
      const at = keyArguments.find(([call]) => call.test(callee))?.[1]
      const text = at === undefined ? null : keyText(children(node, 'arguments')[at], script)
      return text !== null && !isPlaceholder(text) && verdictOn(text)
    }
  }),
  visit.error('setting-secret', {
    ...words,
    on: 'Property',
    when: (node, script) => {
      if (!keyOptions.test(keyOf(node))) return false
      const text = keyText(child(node, 'value'), script)
      if (text === null || isPlaceholder(text)) return false
      const taker = closest(
        node,
        (ancestor) =>
          isType(ancestor, 'CallExpression', 'NewExpression') && takesOptions.test(calleeOf(ancestor)),
        ['FunctionExpression', 'ArrowFunctionExpression']
      )
      return taker !== null && verdictOn(text)
    }
  }),
  visit.warning('unverified-claims', {
    sentence: '`decode` does not verify the signature of the token, so anyone can forge its claims.',
    suggestion: 'Use `verify`, which checks the signature first.',
    on: 'CallExpression',
    when: (node, script) => {
      const callee = importedCallee(node, script)
      const [token, ...options] = children(node, 'arguments')
      return (
        /(?:^|\.)(?:jwt|jsonwebtoken|JWT)\.decode$/.test(callee) &&
        token !== undefined &&
        options.every((each) => propertyOf(each, 'complete') === null)
      )
    }
  })
]
