import { remember } from '../../../remember.js'
import { calleeOf, dotted, lastName } from '../names.js'
import { child, functionTypes, isType, type ScriptNode } from '../nodes.js'
import { closest, walk } from '../walk.js'
import { rulesOf } from './shared.js'

const { visit, lint } = rulesOf('security')

const secretWords = /token|secret|password|passwd|api_?key|session|nonce|otp|salt|csrf|reset|invite/i

export const randomnessRules = [
  visit.warning('insecure-random', {
    sentence: 'Math.random is predictable, so an attacker can guess a secret generated with it.',
    suggestion: 'Use crypto.randomUUID, crypto.randomBytes or crypto.getRandomValues.',
    on: 'CallExpression[callee.object.name="Math"][callee.property.name="random"]',
    when: (node) => {
      const owner = closest(node, (ancestor) =>
        isType(
          ancestor,
          'VariableDeclarator',
          'AssignmentExpression',
          'Property',
          'FunctionDeclaration',
          'MethodDefinition'
        )
      )
      const name = dotted(child(owner, 'id') ?? child(owner, 'left') ?? child(owner, 'key'))
      if (isOrder(node)) return false
      return secretWords.test(lastName(name)) || (owner !== null && isReturnedSecret(owner, name))
    }
  }),
  lint.warning('security/detect-pseudoRandomBytes', {
    sentence: 'crypto.pseudoRandomBytes does not guarantee unpredictable bytes.',
    suggestion: 'Use crypto.randomBytes.'
  })
]

/** `list.sort(() => Math.random() - 0.5)` */
function isOrder(random: ScriptNode): boolean {
  const callback = closest(random, (each) => isType(each, ...functionTypes))
  return isType(callback?.parent, 'CallExpression') && /\.(?:sort|toSorted)$/.test(calleeOf(callback.parent))
}

/** The names that a function returns. */
const returnedNames = remember(
  (code: ScriptNode): ReadonlySet<string> =>
    new Set(
      [...walk(code)].flatMap((each) =>
        isType(each, 'ReturnStatement') ? [dotted(child(each, 'argument')).split('.')[0]!] : []
      )
    )
)

/** `generateToken () { let text = ''; …; return text }`: the function says what its result is. */
function isReturnedSecret(owner: ScriptNode, name: string): boolean {
  const code = closest(owner, (each) => isType(each, ...functionTypes))
  const made = dotted(child(code, 'id') ?? child(code?.parent, 'key') ?? child(code?.parent, 'id'))
  return (
    code !== null &&
    name !== '' &&
    /^(?:generate|create|make|new|random|gen)\w*(?:token|secret|password|api_?key|session_?id|nonce|otp)$/i.test(
      made
    ) &&
    returnedNames(code).has(name)
  )
}
