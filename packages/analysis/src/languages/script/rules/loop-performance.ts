import { calleeOf, dotted, lastName } from '../names.js'
import { bare, child, children, functionTypes, isType, textOf, type ScriptNode } from '../nodes.js'
import { contains, enclosingFunction, enclosingLoop, walk } from '../walk.js'
import { pieces, rulesOf } from './shared.js'

const { visit } = rulesOf('performance')

const queryCalls =
  /(?:^|\.)(?:query|findOne|findById|findByPk|findUnique|findFirst|findMany|findAll|findOneBy|raw|queryRow)$/

/** Much else is executed: what it is called on says whether it is a query. */
const executed =
  /(?:db|database|conn|connection|pool|client|session|statement|stmt|cursor|tx|trx|transaction|knex|sql|mysql|pg|sequelize|repository|manager|runner|drizzle)\.execute$/i

const waiting = /(?:sleep|delay|wait|timeout|setTimeout|next|read|drain|tick)/i

export const loopPerformanceRules = [
  visit.warning('query-in-loop', {
    sentence: 'The loop runs one database query per iteration.',
    suggestion: 'Fetch all rows with one query (IN, JOIN or a batch) before the loop.',
    on: 'AwaitExpression',
    when: (node) => {
      const call = bare(child(node, 'argument'))
      if (!isType(call, 'CallExpression') || !isQuery(call)) return false
      const loop = enclosingLoop(node)
      const isRepeated =
        isType(loop, 'ForOfStatement', 'ForStatement', 'ForInStatement') &&
        loop.await !== true &&
        (usesNamesOf(loop, call) || isSameEveryRound(loop, call))
      return isRepeated && isStatementOfItsOwn(call) ? 'doubtful' : isRepeated
    }
  }),
  visit.warning('query-in-map', {
    sentence: 'The callback runs one database query per element.',
    suggestion: 'Fetch all rows with one query (IN, JOIN or a batch).',
    on: 'CallExpression',
    when: (node) => {
      if (!isQuery(node)) return false
      const callback = enclosingFunction(node)
      const call = callback?.parent
      const isRepeated =
        isType(call, 'CallExpression') &&
        (callback?.async === true || (bare(child(callback, 'body')) === node && isAwaitedTogether(call))) &&
        /\.(?:map|forEach|flatMap)$/.test(calleeOf(call))
      return isRepeated && isStatementOfItsOwn(node) ? 'doubtful' : isRepeated
    }
  }),
  visit.info('await-in-loop', {
    sentence: 'Each iteration of the loop waits for the previous one to finish.',
    suggestion:
      'If the iterations are independent, start them together and await Promise.all. Limit the concurrency for many elements.',
    on: 'AwaitExpression',
    when: (node) => {
      const argument = bare(child(node, 'argument'))
      const loop = enclosingLoop(node)
      if (
        !isType(argument, 'CallExpression') ||
        !isType(loop, 'ForOfStatement', 'ForStatement', 'ForInStatement') ||
        loop.await === true
      ) {
        return false
      }
      if (isQuery(argument) || waiting.test(lastName(calleeOf(argument))) || !usesNamesOf(loop, argument)) {
        return false
      }
      // A list of functions is a list of steps, which mostly need their order.
      if (isType(child(argument, 'callee'), 'Identifier') && usesNamesOf(loop, child(argument, 'callee')!)) {
        return false
      }
      // A loop that may stop early, or that carries a result into the next round, needs its order.
      return (
        !contains(
          child(loop, 'body'),
          (inner) =>
            isType(
              inner,
              'BreakStatement',
              'ReturnStatement',
              'ThrowStatement',
              'YieldExpression',
              'TryStatement'
            ),
          functionTypes
        ) && !carriesOver(loop, argument)
      )
    }
  }),
  visit.info('regex-in-loop', {
    sentence: 'The same regular expression is compiled on every iteration.',
    suggestion: 'Create the regular expression before the loop.',
    on: 'NewExpression[callee.name="RegExp"]',
    when: (node) =>
      (enclosingLoop(node) ?? callbackOfEach(node)) !== null &&
      textOf(children(node, 'arguments')[0]) !== null
  }),
  visit.info('layout-in-loop', {
    sentence: 'The same DOM element is looked up on every iteration.',
    suggestion: 'Look up the element once, before the loop.',
    on: 'CallExpression[callee.object.name="document"]',
    when: (node) => {
      const [selector] = children(node, 'arguments')
      return (
        /^document\.(?:getElementById|querySelector|querySelectorAll|getElementsByClassName)$/.test(
          calleeOf(node)
        ) &&
        (enclosingLoop(node) ?? callbackOfEach(node)) !== null &&
        textOf(selector) !== null
      )
    }
  })
]

/** `Promise.all(ids.map((id) => find(id)))` */
function isAwaitedTogether(call: ScriptNode): boolean {
  return isType(call.parent, 'CallExpression') && /^Promise\.all(?:Settled)?$/.test(calleeOf(call.parent))
}

/** The callback that runs `node` for every element of an array. */
export function callbackOfEach(node: ScriptNode): ScriptNode | null {
  const callback = enclosingFunction(node)
  const call = callback?.parent
  return isType(call, 'CallExpression') &&
    /\.(?:forEach|map|filter|flatMap|some|every|find)$/.test(calleeOf(call))
    ? callback
    : null
}

/**
 * A list of whole statements, as migrations have them, cannot become one query. Nothing of what is run is
 * written here, or it changes tables.
 */
function isStatementOfItsOwn(call: ScriptNode): boolean {
  if (!/(?:^|\.)(?:query|raw|execute)$/.test(calleeOf(call))) return false
  const query = bare(children(call, 'arguments')[0])
  const text = textOf(query) ?? pieces(query)?.texts.join(' ')
  if (text == null) return isType(query, 'Identifier', 'MemberExpression', 'CallExpression')
  return !/[a-z]{3}/i.test(text.replaceAll('${}', '')) || /^\s*(?:alter|create|drop|grant)\b/i.test(text)
}

function isQuery(call: ScriptNode): boolean {
  const callee = calleeOf(call)
  return (
    (queryCalls.test(callee) || executed.test(callee)) &&
    !/^(?:document|window|\$|page|cache|array|list)\b/.test(callee)
  )
}

/** Names the loop gives a new value in every round. */
function usesNamesOf(loop: ScriptNode, expression: ScriptNode): boolean {
  const head = child(loop, 'left') ?? child(loop, 'init')
  const names = new Set<string>()
  if (head !== null) {
    for (const inner of walk(head)) {
      if (isType(inner, 'Identifier') && inner.parent?.init !== inner) names.add(String(inner.name))
    }
  }
  for (const inner of walk(child(loop, 'body')!, functionTypes)) {
    const id = isType(inner, 'VariableDeclarator') ? child(inner, 'id') : null
    if (
      isType(id, 'Identifier') &&
      contains(inner, (each) => isType(each, 'Identifier') && each !== id && names.has(String(each.name)))
    ) {
      names.add(String(id.name))
    }
  }
  return contains(expression, (inner) => isType(inner, 'Identifier') && names.has(String(inner.name)))
}

/**
 * A query of fixed texts and numbers, asked again for every element of a list. Counted loops repeat one on
 * purpose: they try again, or measure. What leaves the loop asks once, and what writes does something else
 * each time.
 */
function isSameEveryRound(loop: ScriptNode, call: ScriptNode): boolean {
  const [query, ...others] = children(call, 'arguments').map(bare)
  const body = child(loop, 'body')!
  return (
    isType(loop, 'ForOfStatement', 'ForInStatement') &&
    /^\s*(?:select|with)\b/i.test(textOf(query) ?? '') &&
    others.every((each) => isType(each, 'Literal')) &&
    !contains(
      body,
      (inner) => isType(inner, 'BreakStatement', 'ReturnStatement', 'YieldExpression'),
      functionTypes
    )
  )
}

/** The awaited call reads something that the loop itself assigns. */
function carriesOver(loop: ScriptNode, call: ScriptNode): boolean {
  const assigned = new Set<string>()
  for (const inner of walk(child(loop, 'body')!)) {
    if (isType(inner, 'AssignmentExpression')) assigned.add(dotted(child(inner, 'left')).split('.')[0]!)
  }
  return contains(call, (inner) => isType(inner, 'Identifier') && assigned.has(String(inner.name)))
}
