import { calleeOf, dotted, keyOf, lastName } from '../names.js'
import { bare, child, children, functionTypes, isType, quasiText, textOf, type ScriptNode } from '../nodes.js'
import { closest, contains, enclosingFunction } from '../walk.js'
import type { ScriptContext } from '../context.js'
import { filtersScripts, hasOpenHostDot, regexWords } from '../../../text/regex-slips.js'
import { loggedSecret, namesSecret } from '../../../text/secret-names.js'
import { words } from '../../../rules/tree-rules.js'
import { ofPatterns, patternOf, pieces, rulesOf } from './shared.js'

const { visit } = rulesOf('security')

const host = /^(?:https?:\/\/)?\.?(?:[\w-]+\.)+(?:com|org|net|io|dev|edu|gov|co\.uk|de)$/i
const address = /(?:url|uri|href|host|hostname|origin|referr?er|domain|link)$/i
const answer = /(?:^|\.)(?:res|response|reply)(?:\.\w+\(\))*\.(?:send|end|json|write)$/
const answerBody = /^(?:ctx|context)(?:\.response)?\.body$/
const logs = /(?:^|\.)(?:console|log|logger|winston|\w*Logger)\.(?:log|info|warn|error|debug|trace|verbose)$/

/** Checks that let through what they should stop, and answers that say too much. */
export const checkRules = [
  visit.info('partial-host-check', {
    sentence: 'The check matches the host anywhere in the URL, so a URL of another site passes it.',
    suggestion: 'Parse the URL with `new URL` and compare its whole host.',
    on: 'CallExpression[callee.property.name=/^(?:includes|indexOf|startsWith|endsWith)$/]',
    when: (node) => {
      const text = textOf(children(node, 'arguments')[0])
      if (text === null || !host.test(text)) return false
      const subject = lastName(dotted(child(child(node, 'callee'), 'object')).replace(/\(\)$/, ''))
      if (!address.test(subject)) return false
      switch (lastName(calleeOf(node))) {
        case 'startsWith':
          return /^https?:/i.test(text)
        case 'endsWith':
          return !/^\.|:/.test(text)
        default:
          return true
      }
    }
  }),
  visit.warning('partial-scheme-check', {
    sentence: 'The check rejects only `javascript:`, but `data:` and `vbscript:` URLs can also run scripts.',
    suggestion: 'Allow a list of schemes, such as `http:` and `https:`.',
    on: 'CallExpression[callee.property.name=/^(?:startsWith|indexOf)$/]',
    when: (node, script) =>
      /^javascript:?$/i.test(textOf(children(node, 'arguments')[0]) ?? '') &&
      !/vbscript|data:|https?/i.test(script.text(enclosingFunction(node) ?? node))
  }),
  visit.warning('message-without-origin', {
    sentence: 'The `message` listener does not check `event.origin`, so any window can send it messages.',
    suggestion: 'Compare `event.origin` with the expected origin.',
    on: 'CallExpression[callee.property.name="addEventListener"], AssignmentExpression[left.property.name="onmessage"]',
    when: (node, script) => {
      const [name, handler] = isType(node, 'CallExpression')
        ? [calleeOf(node), children(node, 'arguments')[1] ?? null]
        : [dotted(child(node, 'left')), child(node, 'right')]
      if (!/^(?:window|globalThis)\.(?:addEventListener|onmessage)$/.test(name)) return false
      if (isType(node, 'CallExpression') && textOf(children(node, 'arguments')[0]) !== 'message') return false
      const code = functionOf(handler, script)
      const event = children(code, 'params')[0]
      if (code === null || event === undefined) return false
      if (isType(event, 'ObjectPattern')) {
        const taken = children(event, 'properties').map(keyOf)
        return taken.includes('data') && !taken.includes('origin') && !taken.includes('source')
      }
      const text = script.text(code)
      return new RegExp(`\\b${String(event.name)}\\.data\\b`).test(text) && !/origin|\.source\b/i.test(text)
    }
  }),
  visit.warning('exposed-stack', {
    ...words.exposedStack,
    on: 'MemberExpression[property.name="stack"]',
    when: (node) => {
      if (!/(?:^|\.)(?:e|ex|err|error|exception)\.stack$/i.test(dotted(node))) return false
      // A condition mostly asks whether this is production.
      const around = closest(
        node,
        (each) =>
          isType(each, 'ConditionalExpression', 'LogicalExpression') ||
          (isType(each, 'CallExpression') && answer.test(calleeOf(each))) ||
          (isType(each, 'AssignmentExpression') && answerBody.test(dotted(child(each, 'left')))),
        functionTypes
      )
      return isType(around, 'CallExpression', 'AssignmentExpression')
    }
  }),
  visit.warning('escapes-once', {
    sentence: '`replace` with a string replaces only the first occurrence, so the others stay unescaped.',
    suggestion: 'Use replaceAll, or a regular expression with the `g` flag.',
    on: 'CallExpression[callee.property.name="replace"][arguments.length=2]',
    when: (node) => {
      const [from, to] = children(node, 'arguments').map((each) => textOf(each))
      if (from == null || to == null || !/^["'`<>&\\$|]$/.test(from)) return false
      return /^&#?\w+;$/.test(to) || to === `\\${from}` || to === from + from
    }
  }),
  visit.warning('markup-filter', {
    ...regexWords.scriptFilter,
    on: 'CallExpression[callee.property.name=/^replace(?:All)?$/]',
    when: (node) => {
      const pattern = patternOf(children(node, 'arguments')[0])
      return pattern !== null && filtersScripts(pattern) && textOf(children(node, 'arguments')[1]) === ''
    }
  }),
  visit.warning('host-pattern', {
    ...regexWords.hostDot,
    ...ofPatterns((pattern) => hasOpenHostDot(pattern.replaceAll('\\/', '/')))
  }),
  visit.warning('root-served', {
    sentence: 'express.static serves the whole program directory, including source code and configuration.',
    suggestion: 'Serve a directory that contains only public files.',
    on: 'CallExpression[callee.property.name="static"]',
    when: (node) =>
      calleeOf(node) === 'express.static' &&
      /^(?:__dirname|process\.cwd\(\)|import\.meta\.dirname)$/.test(dotted(children(node, 'arguments')[0]))
  }),
  visit.warning('secret-logged', {
    ...loggedSecret,
    calls: logs,
    when: (node) => children(node, 'arguments').flatMap(partsOf).find(isSecret) ?? false
  }),
  visit.info('biased-random', {
    sentence: 'The remainder of a random byte favors small values.',
    suggestion: 'Use crypto.randomInt.',
    on: 'BinaryExpression[operator="%"][left.type="MemberExpression"][left.computed=true]',
    when: (node, script) => {
      const bytes = bare(child(child(node, 'left'), 'object'))
      const made = isType(bytes, 'Identifier') ? script.initOf(bytes) : bytes
      const count = child(node, 'right')?.value
      // 256 divides evenly by powers of two.
      return (
        isType(made, 'CallExpression') &&
        /(?:^|\.)randomBytes$/.test(calleeOf(made)) &&
        !(typeof count === 'number' && Number.isInteger(Math.log2(count)))
      )
    }
  }),
  visit.warning('bare-cookie', {
    sentence: 'The session cookie is readable by scripts or sent over unencrypted connections.',
    suggestion: 'Add HttpOnly, Secure and SameSite to the cookie.',
    on: 'CallExpression[callee.property.name=/^(?:setHeader|set|header|append)$/]',
    when: (node) => {
      const [name, value] = children(node, 'arguments')
      if (!/^set-cookie$/i.test(textOf(name) ?? '')) return false
      const text = isType(value, 'TemplateLiteral')
        ? quasiText(value)
        : (textOf(value) ?? pieces(value)?.texts.join(''))
      return (
        text != null &&
        /^\w*(?:sess|auth|token|sid)\w*=/i.test(text) &&
        !/max-age=0|expires=thu, 01/i.test(text) &&
        !(/httponly/i.test(text) && /secure/i.test(text))
      )
    }
  })
]

/** A function, or the one that a name stands for. */
function functionOf(handler: ScriptNode | null, script: ScriptContext): ScriptNode | null {
  const node = bare(handler)
  if (isType(node, ...functionTypes)) return node
  if (!isType(node, 'Identifier')) return null
  const declared = script.variableOf(node)?.defs[0]?.node
  const made = isType(declared, 'VariableDeclarator') ? child(declared, 'init') : declared
  return isType(made, ...functionTypes) ? made : null
}

/** What an argument of a log is put together from. */
function partsOf(argument: ScriptNode): ScriptNode[] {
  return isType(argument, 'ObjectExpression')
    ? children(argument, 'properties').flatMap((each) => child(each, 'value') ?? [])
    : (pieces(argument)?.dynamic ?? [argument])
}

function isSecret(part: ScriptNode): boolean {
  const node = bare(part)
  return (
    isType(node, 'Identifier', 'MemberExpression') &&
    namesSecret(lastName(dotted(node))) &&
    !contains(node, ({ type }) => type === 'CallExpression')
  )
}
