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
      sentence: 'The effect adds a timer or event listener that stays active after the component unmounts.',
      suggestion: 'Return a cleanup function that clears the timer or removes the event listener.'
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
      sentence:
        'The hook is called conditionally. React requires the same hooks in the same order on every render.',
      suggestion: 'Call hooks unconditionally at the top of the component.'
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
      sentence: 'Elements rendered by `map` have no `key` prop, so React can mix up their state.',
      suggestion: 'Add a `key` prop with a stable, unique value.'
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
        'The array index is used as `key`, so state moves to the wrong element when the array changes.',
      suggestion: 'Use a stable value of the element as `key`, such as its id.'
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
      sentence: 'The state is modified in place, so React does not render the change.',
      suggestion: 'Pass a new array to the state setter.'
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
