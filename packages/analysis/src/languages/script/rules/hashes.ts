import { dotted, keyOf, lastName } from '../names.js'
import { child, children, functionTypes, isType, type ScriptNode } from '../nodes.js'
import { closest } from '../walk.js'
import type { ScriptContext } from '../context.js'
import { remember } from '../../../remember.js'
import type { Verdict } from '../rule.js'
import { isCacheKey } from '../../../text/cache-names.js'
import { fixedText, importedCallee, importOf, rulesOf } from './shared.js'

const { visit } = rulesOf('security')

export const hashRules = [
  visit.warning('weak-hash', {
    sentence: 'MD5 and SHA-1 are broken: an attacker can create two inputs with the same hash.',
    suggestion: 'Use SHA-256, or scrypt or argon2 for passwords.',
    on: 'CallExpression',
    when: (node, script) =>
      makesOldHash(node, script) &&
      // With a key, two inputs of the same hash help nobody yet; protocols ask for it.
      (isKeyed(node, script)
        ? 'doubtful'
        : !makesCacheKey(node, script) && !isHandshake(script) && protects(node, script))
  }),
  visit.info('old-hash', {
    sentence: 'MD5 and SHA-1 distinguish contents but do not protect against forgery.',
    suggestion: 'Use SHA-256 wherever a forged hash could do harm.',
    on: 'CallExpression',
    when: (node, script) =>
      makesOldHash(node, script) &&
      !isKeyed(node, script) &&
      protects(node, script) === false &&
      !makesCacheKey(node, script) &&
      !isHandshake(script)
  })
]

function makesOldHash(call: ScriptNode, script: ScriptContext): boolean {
  const callee = importedCallee(call, script)
  if (/^(?:CryptoJS|crypto-js)\.(?:Hmac)?(?:MD5|SHA1)$/.test(callee)) return true
  // Modules that are a function of this name.
  const own = child(call, 'callee')
  const module = isType(own, 'Identifier') ? importOf(own, script) : null
  if (module !== null && /^(?:md5|sha1|blueimp-md5|js-sha1)$/.test(module)) return true
  const [algorithm] = children(call, 'arguments')
  return (
    /(?:^|\.)create(?:Hash|Hmac)$|^crypto\.hash$|(?:^|\.)subtle\.digest$/.test(callee) &&
    /^(?:md[245]|sha-?1|ripemd\w*)$/i.test(fixedText(algorithm, script) ?? '')
  )
}

const isKeyed = (call: ScriptNode, script: ScriptContext): boolean =>
  /hmac\w*$/i.test(importedCallee(call, script))

/** As much of a function as tells what it is for. */
const maxPurposeChars = 2_000

const purposes =
  /passw|passwd|pwd|secret|token|sign(?:ed|ature|ing)|credential|certificate|auth|verif|integrity|user|session/i

/** A digest may protect something, or only tell one content from another. */
const digest = /digest(?!\s*\()/i

/** Whether the code around a hash speaks of something that a forged one would harm. */
function protects(call: ScriptNode, script: ScriptContext): Verdict {
  const around = closest(call, (each) => isType(each, ...functionTypes, 'Program'))
  const start = isType(around?.parent, 'VariableDeclarator', 'MethodDefinition', 'Property')
    ? around.parent
    : around
  const text = start === null ? '' : script.text(start).slice(0, maxPurposeChars)
  return purposes.test(text) ? true : digest.test(text) ? 'doubtful' : false
}

/** A hash under whose name, or in whose function, nothing is protected. */
function makesCacheKey(call: ScriptNode, script: ScriptContext): boolean {
  let chain = call
  while (
    isType(chain.parent, 'MemberExpression', 'CallExpression', 'AwaitExpression', 'TemplateLiteral') &&
    !children(chain.parent, 'arguments').includes(chain)
  ) {
    chain = chain.parent
  }
  return isCacheKey(nameOfResult(chain), script.text(chain))
}

/** The protocol of WebSockets asks for SHA-1 over a public text, and protects nothing by it. */
const isHandshake = remember((script: ScriptContext): boolean =>
  /sec-websocket-(?:accept|key)|258EAFA5-E914-47DA-95CA-C5AB0DC85B11/i.test(script.text(script.program))
)

/** What a value is kept under, or the function that answers with it. */
function nameOfResult({ parent }: ScriptNode): string {
  if (isType(parent, 'VariableDeclarator')) return dotted(child(parent, 'id'))
  if (isType(parent, 'AssignmentExpression')) return lastName(dotted(child(parent, 'left')))
  if (isType(parent, 'Property', 'PropertyDefinition')) return keyOf(parent)
  const owner = isType(parent, 'ReturnStatement')
    ? closest(parent, (each) => isType(each, ...functionTypes))
    : parent
  if (!isType(owner, ...functionTypes)) return ''
  return String(child(owner, 'id')?.name ?? child(owner.parent, 'id')?.name ?? '')
}

/** A short function that also has the way of newer versions tries that one first. */
export function isBesideModern(node: ScriptNode, script: ScriptContext): boolean {
  const inner = closest(node, (each) => isType(each, ...functionTypes))
  const outer = inner === null ? null : closest(inner, (each) => isType(each, ...functionTypes))
  return [inner, outer].some(
    (each) =>
      each !== null &&
      each.range[1] - each.range[0] < maxPurposeChars &&
      /\bBuffer\.(?:from|alloc)/.test(script.text(each))
  )
}
