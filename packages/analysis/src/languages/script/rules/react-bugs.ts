import {
  bare,
  calleeOf,
  child,
  children,
  closest,
  contains,
  enclosingFunction,
  functionTypes,
  isType,
  lastName,
  loopTypes,
  type ScriptNode
} from '../nodes.js'
import type { ScriptContext } from '../context.js'
import { mayComeFrom, rulesOf } from './shared.js'

const { visit } = rulesOf('bugs')

const reactHook =
  '/^use(?:State|Effect|Memo|Callback|Ref|Context|Reducer|LayoutEffect|InsertionEffect|ImperativeHandle|Id|Transition|DeferredValue|SyncExternalStore|DebugValue)$/'

const firstReturns = new WeakMap<ScriptNode, number>()

/** Where the first statement of a function ends after which it may be over. */
function firstReturnOf(body: ScriptNode): number {
  const known = firstReturns.get(body)
  if (known !== undefined) return known
  const leaving = children(body, 'body').find(
    (statement) =>
      !isType(statement, ...functionTypes) &&
      contains(statement, (inner) => isType(inner, 'ReturnStatement'), functionTypes)
  )
  // After a return that stands by itself nothing runs at all, which is another finding.
  const end = leaving === undefined || isType(leaving, 'ReturnStatement') ? Infinity : leaving.range[1]
  firstReturns.set(body, end)
  return end
}

function followsReturn(node: ScriptNode): boolean {
  const body = child(enclosingFunction(node), 'body')
  return body !== null && node.range[0] >= firstReturnOf(body)
}

/** A library that makes hooks itself knows when it may call them. */
const isOfReact = (call: ScriptNode, script: ScriptContext): boolean =>
  mayComeFrom(child(call, 'callee'), script, /^(?:react|preact)(?:$|\/)/)

export const reactBugRules = [
  visit(
    'effect-without-cleanup',
    'warning',
    {
      sentence: 'The effect starts a timer or listener that lives on after the component is gone.',
      suggestion: 'Return a function that clears the timer or removes the listener.'
    },
    'CallExpression[callee.name=/^use(?:Layout)?Effect$/]',
    (node) => {
      const body = child(children(node, 'arguments')[0], 'body')
      if (body === null) return false
      const starts = contains(
        body,
        (inner) =>
          isType(inner, 'CallExpression') &&
          /^(?:(?:window\.)?setInterval|(?:window|document)\.addEventListener)$/.test(calleeOf(inner))
      )
      return (
        starts &&
        !contains(
          body,
          (inner) => isType(inner, 'ReturnStatement') && child(inner, 'argument') !== null,
          functionTypes
        )
      )
    }
  ),
  visit(
    'conditional-hook',
    'error',
    {
      sentence: 'A hook is called only sometimes, which mixes up the state of the component.',
      suggestion: 'Call hooks at the top of the component, in the same order every time.'
    },
    `:matches(CallExpression[callee.name=${reactHook}], CallExpression[callee.object.name="React"][callee.property.name=${reactHook}])`,
    (node, script) => {
      const isConditional =
        closest(
          node,
          (ancestor) => isType(ancestor, 'IfStatement', 'ConditionalExpression', ...loopTypes),
          functionTypes
        ) !== null || followsReturn(node)
      return isConditional && (isOfReact(node, script) || 'likely')
    }
  ),
  visit(
    'missing-key',
    'warning',
    {
      sentence: 'Elements of a list have no key, so state can stick to the wrong element.',
      suggestion: 'Give each element a key that stays the same.'
    },
    'CallExpression[callee.property.name="map"]',
    (node) => {
      const callback = children(node, 'arguments')[0]
      const body = child(callback, 'body')
      if (
        !isType(callback, ...functionTypes) ||
        closest(node, (ancestor) => isType(ancestor, 'JSXExpressionContainer'), functionTypes) === null
      ) {
        return false
      }
      const returned = isType(body, 'BlockStatement')
        ? children(body, 'body')
            .filter((each) => isType(each, 'ReturnStatement'))
            .map((each) => child(each, 'argument'))
        : [body]
      return (
        returned.find(
          (each) =>
            isType(each, 'JSXElement') &&
            !children(child(each, 'openingElement'), 'attributes').some(
              (attribute) =>
                isType(attribute, 'JSXSpreadAttribute') || child(attribute, 'name')?.name === 'key'
            )
        ) ?? false
      )
    }
  ),
  visit(
    'index-as-key',
    'warning',
    {
      sentence:
        'The key is the place in the list, so state sticks to the wrong element when the list changes.',
      suggestion: 'Use something of the element that stays the same, such as its id.'
    },
    'JSXAttribute[name.name="key"][value.expression.type="Identifier"]',
    (node, script) => {
      const name = child(child(node, 'value'), 'expression')!
      const callback = closest(node, (ancestor) => isType(ancestor, ...functionTypes))
      const call = callback?.parent
      if (
        !isType(call, 'CallExpression') ||
        lastName(calleeOf(call)) !== 'map' ||
        children(callback, 'params')[1]?.name !== name.name
      ) {
        return false
      }
      const list = bare(child(child(call, 'callee'), 'object'))
      const made = isType(list, 'Identifier') ? bare(script.initOf(list)) : list
      // A list that is written down, or made to a length, keeps its order.
      return (
        isType(list, 'Identifier', 'MemberExpression') &&
        !isType(made, 'ArrayExpression', 'CallExpression', 'NewExpression')
      )
    }
  ),
  visit(
    'state-mutation',
    'warning',
    {
      sentence: 'State is changed in place, so the component does not notice.',
      suggestion: 'Set a new value made from the old one.'
    },
    'CallExpression[callee.property.name=/^(?:push|pop|shift|unshift|splice|sort|reverse)$/]',
    (node, script) => {
      const target = bare(child(child(node, 'callee'), 'object'))
      if (!isType(target, 'Identifier')) return false
      const definition = script.variableOf(target)?.defs[0]?.node as unknown as ScriptNode | undefined
      const pattern = child(definition, 'id')
      return (
        isType(pattern, 'ArrayPattern') &&
        calleeOf(child(definition, 'init') ?? target).endsWith('useState') &&
        children(pattern, 'elements')[0]?.name === target.name
      )
    }
  )
]
