import { constantText } from '../constants.js'
import { calleeOf, dotted, lastName } from '../names.js'
import { bare, child, children, functionTypes, isType, textOf, type ScriptNode } from '../nodes.js'
import { closest, contains, enclosingFunction, enclosingLoop, walk } from '../walk.js'
import type { ScriptContext } from '../context.js'
import { isCatastrophicRegex } from '../../../text/regex-danger.js'
import { isTruthValue, rulesOf } from './shared.js'
import { callbackOfEach } from './loop-performance.js'

const { visit: visitForSecurity } = rulesOf('security')

const { visit } = rulesOf('performance')

export const performanceRules = [
  visit.warning('sync-io-in-handler', {
    sentence: 'A synchronous call blocks the event loop, so no other request is processed until it returns.',
    suggestion: 'Use the asynchronous version (node:fs/promises, execFile) and await it.',
    on: 'CallExpression',
    when: (node) => {
      const name = lastName(calleeOf(node))
      if (
        !/^(?:readFile|writeFile|appendFile|readdir|stat|lstat|exists|mkdir|unlink|rm|copyFile|exec|execFile|spawn|pbkdf2|scrypt|gzip|gunzip|deflate|inflate|brotliCompress)Sync$/.test(
          name
        )
      ) {
        return false
      }
      for (let owner = enclosingFunction(node); owner !== null; owner = enclosingFunction(owner)) {
        // A look whether a file is there is short: it matters where requests wait for it.
        if (isHandler(owner)) return true
        // Elsewhere nothing may wait for this process: a command line does one thing after the other.
        if (owner.async === true && name !== 'existsSync' && !runsOnce(owner)) return 'doubtful'
      }
      return false
    }
  }),
  visit.info('string-building-in-loop', {
    sentence: 'String concatenation in a loop builds a new string on every iteration.',
    suggestion: 'Collect the parts in an array and join them.',
    on: 'AssignmentExpression[left.type="Identifier"]',
    when: (node, script) => {
      const loop = enclosingLoop(node) ?? callbackOfEach(node)
      if (loop === null) return false
      const target = child(node, 'left')!
      const grows =
        node.operator === '+=' ||
        (node.operator === '=' && startsWithName(child(node, 'right'), String(target.name)))
      return grows && startedAsText(target, script) && !declaredInside(target, loop, script)
    }
  }),
  visit.info('lookup-in-loop', {
    sentence:
      'The array is searched from its start for every element of another one, which takes quadratic time.',
    suggestion: 'Build a Set or Map once and look up the elements there.',
    on: 'CallExpression',
    when: (node, script) => {
      const callee = bare(child(node, 'callee'))
      const list = bare(child(callee, 'object'))
      if (!isType(callee, 'MemberExpression') || !isType(list, 'Identifier')) return false
      const method = lastName(dotted(callee))
      if (
        !/^(?:includes|indexOf|find|findIndex|some)$/.test(method) ||
        !/(?:[^s]s|List|Array)$/.test(String(list.name)) ||
        /^[A-Z_]+$/.test(String(list.name))
      ) {
        return false
      }
      if (
        /(?:args|options|settings|words|chars|class|address|status|params|props|vowels|letters|digits)$/i.test(
          String(list.name)
        )
      ) {
        return false
      }
      const round = enclosingLoop(node) ?? callbackRound(node, method)
      if (round === null || declaredInside(list, round, script)) return false
      const init = bare(script.initOf(list))
      if (
        isType(init, 'ArrayExpression', 'NewExpression') ||
        textOf(init) !== null ||
        !isKnownList(list, script)
      ) {
        return false
      }
      return children(node, 'arguments').length > 0
    }
  }),
  visit.warning('spread-in-reduce', {
    sentence:
      'Spreading the accumulator copies the whole result for every element, which takes quadratic time.',
    suggestion: 'Change the accumulator in place, or build the result in a loop.',
    on: 'CallExpression[callee.property.name="reduce"]',
    when: (node) => {
      const callback = children(node, 'arguments')[0]
      const accumulator = children(callback, 'params')[0]
      if (!isType(callback, ...functionTypes) || !isType(accumulator, 'Identifier')) return false
      // A list that is written down is short.
      const list = bare(child(child(node, 'callee'), 'object'))
      const entries = isType(list, 'CallExpression') ? children(list, 'arguments')[0] : undefined
      if (isType(list, 'ArrayExpression') || isType(entries, 'ObjectExpression')) return false
      const startsAsText = textOf(children(node, 'arguments')[1]) !== null
      for (const inner of walk(child(callback, 'body')!)) {
        if (
          isType(inner, 'SpreadElement') &&
          child(inner, 'argument')?.name === accumulator.name &&
          isType(inner.parent, 'ObjectExpression', 'ArrayExpression')
        ) {
          // Once, while the module loads, few elements are copied.
          return [{ node: inner, isDoubtful: enclosingFunction(node) === null }]
        }
        // `Object.assign({}, all, …)` and `all.concat(list)` copy as well. The latter often joins a few short arrays.
        if (isType(inner, 'CallExpression')) {
          const callee = calleeOf(inner)
          const [first, second] = children(inner, 'arguments')
          const isConcat = callee === `${String(accumulator.name)}.concat` && !startsAsText
          const isAssign =
            callee === 'Object.assign' &&
            isType(first, 'ObjectExpression') &&
            second?.name === accumulator.name
          if (isConcat || isAssign) return [{ node: inner, isDoubtful: isConcat }]
        }
      }
      return false
    }
  }),
  visitForSecurity.warning('catastrophic-regex', {
    sentence: 'This regular expression can take exponential time on a string that almost matches (ReDoS).',
    suggestion: 'Remove the nested or overlapping quantifiers.',
    on: ':matches(Literal[regex], NewExpression[callee.name="RegExp"], CallExpression[callee.name="RegExp"])',
    when: (node, script) => {
      const pattern = isType(node, 'Literal')
        ? (node.regex as { pattern: string }).pattern
        : constantText(children(node, 'arguments')[0], script)
      return pattern !== null && isCatastrophicRegex(pattern)
    }
  }),
  visit.info('json-clone', {
    sentence: 'Cloning through JSON is slow and loses dates, maps and undefined.',
    suggestion: 'Use structuredClone.',
    on: 'CallExpression[callee.object.name="JSON"][callee.property.name="parse"]',
    when: (node) => {
      const inner = bare(children(node, 'arguments')[0])
      return (
        isType(inner, 'CallExpression') &&
        calleeOf(inner) === 'JSON.stringify' &&
        children(inner, 'arguments').length === 1
      )
    }
  }),
  visit.info('filter-first', {
    sentence: '`filter()[0]` tests every element although only the first match is used.',
    suggestion: 'Use `find`.',
    on: `:matches(${[
      'MemberExpression[computed=true][property.value=0][object.callee.property.name="filter"]',
      'CallExpression[callee.property.name="at"][arguments.0.value=0][callee.object.callee.property.name="filter"]',
      'CallExpression[callee.property.name="shift"][callee.object.callee.property.name="filter"]',
      'VariableDeclarator[id.type="ArrayPattern"][id.elements.length=1][init.callee.property.name="filter"]'
    ].join(', ')})`,
    // The others come with a rest element: `const [first, ...others] = …`.
    when: (node) => !isType(children(child(node, 'id'), 'elements')[0], 'RestElement')
  }),
  visit.info('filter-count', {
    sentence: '`filter().length` tests and copies every element only to find out whether one matches.',
    suggestion: 'Use `some`.',
    on: ':matches(BinaryExpression[left.property.name="length"][left.object.callee.property.name="filter"], MemberExpression[property.name="length"][object.callee.property.name="filter"])',
    when: (node) => {
      if (isType(node, 'MemberExpression')) return isTruthValue(node)
      const limit = child(node, 'right')?.value
      return (
        (limit === 0 && /^(?:>|[!=]==?)$/.test(String(node.operator))) ||
        (limit === 1 && /^(?:>=|<)$/.test(String(node.operator)))
      )
    }
  }),
  visit.info('shift-in-loop', {
    sentence: '`unshift` moves all other elements, so calling it in a loop takes quadratic time.',
    suggestion: 'Use `push` and reverse the array once after the loop.',
    on: 'CallExpression[callee.property.name="unshift"]',
    when: (node) => isType(enclosingLoop(node), 'ForStatement', 'ForOfStatement')
  }),
  visit.warning('effect-without-dependencies', {
    sentence:
      'The effect sets state and has no dependency array, so it can cause an endless loop of renders.',
    suggestion: 'Pass a dependency array to useEffect.',
    on: 'CallExpression[arguments.length=1]',
    when: (node) =>
      /^(?:React\.)?useEffect$/.test(calleeOf(node)) &&
      contains(
        node,
        (inner) =>
          isType(inner, 'CallExpression') &&
          /^set(?!Timeout|Interval|Immediate)[A-Z]/.test(calleeOf(inner)) &&
          !isHeldBack(inner, node)
      )
  })
]

/** Set only under a condition, or by a timer: the effect need not run again at once. */
function isHeldBack(call: ScriptNode, effect: ScriptNode): boolean {
  const holder = closest(
    call,
    (each) =>
      each === effect ||
      isType(each, 'IfStatement', 'ConditionalExpression', 'LogicalExpression') ||
      (isType(each, 'CallExpression') && /(?:^|\.)set(?:Timeout|Interval)$/.test(calleeOf(each)))
  )
  return holder !== null && holder !== effect
}

function isHandler(owner: ScriptNode): boolean {
  const names = children(owner, 'params').map((parameter) => String(parameter.name))
  return (
    /^_?(?:req|request|ctx)$/.test(names[0] ?? '') &&
    (names.length === 1 || /^_?(?:res|response|reply|next|h)$/.test(names[1] ?? ''))
  )
}

/** What a program does before there is anything to hold up. */
function runsOnce(owner: ScriptNode): boolean {
  const { parent } = owner
  const name = dotted(
    child(owner, 'id') ?? child(parent, 'key') ?? child(parent, 'id') ?? child(parent, 'left')
  )
  return /^_?(?:main|run|start|init|initiali[sz]e|setup|set[Uu]p|bootstrap|cli|build|install|configure|normalize)(?:[A-Z_]\w*)?$/.test(
    lastName(name)
  )
}

function startsWithName(expression: ScriptNode | null, name: string): boolean {
  let node = expression
  while (isType(node, 'BinaryExpression') && node.operator === '+') node = child(node, 'left')
  return node !== expression && isType(node, 'Identifier') && node.name === name
}

function startedAsText(identifier: ScriptNode, script: ScriptContext): boolean {
  const definition = script.variableOf(identifier)?.defs[0]
  const init = definition === undefined ? null : child(definition.node, 'init')
  return textOf(init) !== null || isType(init, 'TemplateLiteral')
}

function declaredInside(identifier: ScriptNode, outer: ScriptNode, script: ScriptContext): boolean {
  const variable = script.variableOf(identifier)
  const range = variable?.defs[0]?.name?.range
  return range === undefined || (range[0] >= outer.range[0] && range[1] <= outer.range[1])
}

/**
 * The callback of a filter or map that runs `node` for every element; a search inside a search counts as
 * well.
 */
function callbackRound(node: ScriptNode, method: string): ScriptNode | null {
  const callback = closest(node, (ancestor) =>
    isType(ancestor, 'ArrowFunctionExpression', 'FunctionExpression')
  )
  const call = callback?.parent
  if (callback === null || !isType(call, 'CallExpression') || method === 'some') return null
  return /\.(?:filter|map|forEach|flatMap|every|reduce)$/.test(calleeOf(call)) ? callback : null
}

/** A parameter, or something fetched: not a short list written down next to the loop, and not a text. */
function isKnownList(list: ScriptNode, script: ScriptContext): boolean {
  const definition = script.variableOf(list)?.defs[0]
  if (definition === undefined) return false
  if (definition.type === 'Parameter') {
    const annotation = script.typeOf(list)
    return (
      annotation === null ||
      isType(annotation, 'TSArrayType') ||
      dotted(child(annotation, 'typeName')) === 'Array'
    )
  }
  const init = bare(script.initOf(list))
  // What is split from a text is short.
  return (
    isType(init, 'CallExpression', 'AwaitExpression', 'MemberExpression') &&
    !/\.split\(?\)?$/.test(dotted(init))
  )
}
