import { calleeOf, dotted, lastName } from '../names.js'
import { bare, child, children, functionTypes, isType, loopTypes, type ScriptNode } from '../nodes.js'
import { closest, contains, enclosingFunction } from '../walk.js'
import type { ScriptContext } from '../context.js'
import { remember } from '../../../remember.js'
import { mayComeFrom, rulesOf } from './shared.js'

const { visit } = rulesOf('bugs')

const reactHook =
  '/^use(?:State|Effect|Memo|Callback|Ref|Context|Reducer|LayoutEffect|InsertionEffect|ImperativeHandle|Id|Transition|DeferredValue|SyncExternalStore|DebugValue)$/'

/** Where the first statement of a function ends after which it may be over. */
const firstReturnOf = remember((body: ScriptNode): number => {
  const leaving = children(body, 'body').find(
    (statement) =>
      !isType(statement, ...functionTypes) &&
      contains(statement, (inner) => isType(inner, 'ReturnStatement'), functionTypes)
  )
  // After a return that stands by itself nothing runs at all, which is another finding.
  return leaving === undefined || isType(leaving, 'ReturnStatement') ? Infinity : leaving.range[1]
})

function followsReturn(node: ScriptNode): boolean {
  const body = child(enclosingFunction(node), 'body')
  return body !== null && node.range[0] >= firstReturnOf(body)
}

/** A library that makes hooks itself knows when it may call them. */
const isOfReact = (call: ScriptNode, script: ScriptContext): boolean =>
  mayComeFrom(child(call, 'callee'), script, /^(?:react|preact)(?:$|\/)/)

/** Called once per element of an array. */
function isInCallback(node: ScriptNode): boolean {
  const call = enclosingFunction(node)?.parent
  return isType(call, 'CallExpression') && /\.(?:map|forEach|filter|flatMap)$/.test(calleeOf(call))
}

/** What an expression may be: both branches of a choice, the right side of `&&`. */
function* waysOf(start: ScriptNode | null): Generator<ScriptNode> {
  const node = bare(start)
  if (isType(node, 'ConditionalExpression')) {
    yield* waysOf(child(node, 'consequent'))
    yield* waysOf(child(node, 'alternate'))
  } else if (isType(node, 'LogicalExpression')) yield* waysOf(child(node, 'right'))
  else if (node !== null) yield node
}

/** A key made of nothing but the index: `i`, `String(i)`, `i.toString()`, `item-${i}`. */
function isMadeOf(index: string, start: ScriptNode | null): boolean {
  const node = bare(start)
  if (isType(node, 'Identifier')) return node.name === index
  if (isType(node, 'TemplateLiteral')) {
    const parts = children(node, 'expressions')
    return parts.length === 1 && isMadeOf(index, parts[0]!)
  }
  if (!isType(node, 'CallExpression')) return false
  const [first, ...more] = children(node, 'arguments')
  return (
    calleeOf(node) === `${index}.toString` ||
    (calleeOf(node) === 'String' && more.length === 0 && first?.name === index)
  )
}

/** The state variable that a member belongs to: `user` of `user.address.city`, where it has a setter. */
function isStateMember(member: ScriptNode, script: ScriptContext): boolean {
  let root: ScriptNode | null = member
  while (isType(root, 'MemberExpression')) root = bare(child(root, 'object'))
  if (!isType(root, 'Identifier')) return false
  const definition = script.variableOf(root)?.defs[0]?.node
  const [state, setter] = children(child(definition, 'id'), 'elements')
  return (
    setter !== undefined &&
    state?.name === root.name &&
    /(?:^|\.)useState$/.test(calleeOf(child(definition, 'init') ?? root))
  )
}

/** `this.state.count` in a component, outside of its constructor. */
function isOwnState(member: ScriptNode): boolean {
  // A private `#state` is a field of the author's own.
  if (
    !/^this\.state\./.test(dotted(member)) ||
    contains(member, ({ type }) => type === 'PrivateIdentifier')
  ) {
    return false
  }
  const method = closest(member, (each) => isType(each, 'MethodDefinition', 'PropertyDefinition'))
  return (
    method !== null &&
    method.kind !== 'constructor' &&
    /Component$/.test(dotted(child(method.parent?.parent, 'superClass')))
  )
}

export const reactBugRules = [
  visit.warning('effect-without-cleanup', {
    sentence: 'The effect adds a timer or event listener that stays active after the component unmounts.',
    suggestion: 'Return a cleanup function that clears the timer or removes the event listener.',
    calls: /^(?:React\.)?use(?:Layout)?Effect$/,
    when: (node) => {
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
  }),
  visit.error('conditional-hook', {
    sentence:
      'The hook is called conditionally. React requires the same hooks in the same order on every render.',
    suggestion: 'Call hooks unconditionally at the top of the component.',
    on: `:matches(CallExpression[callee.name=${reactHook}], CallExpression[callee.object.name="React"][callee.property.name=${reactHook}])`,
    when: (node, script) => {
      const isConditional =
        closest(
          node,
          (ancestor) =>
            isType(ancestor, 'IfStatement', 'ConditionalExpression', ...loopTypes) ||
            (isType(ancestor, 'LogicalExpression') &&
              !contains(child(ancestor, 'left'), (each) => each === node)),
          functionTypes
        ) !== null ||
        followsReturn(node) ||
        isInCallback(node)
      return isConditional && (isOfReact(node, script) || 'likely')
    }
  }),
  visit.warning('missing-key', {
    sentence: 'Elements rendered by `map` have no `key` prop, so React can mix up their state.',
    suggestion: 'Add a `key` prop with a stable, unique value.',
    on: 'CallExpression[callee.property.name="map"]',
    when: (node) => {
      const callback = children(node, 'arguments')[0]
      const body = child(callback, 'body')
      if (
        !isType(callback, ...functionTypes) ||
        // As arguments of createElement, or numbered by React itself, elements need none.
        isType(node.parent, 'SpreadElement', 'CallExpression')
      ) {
        return false
      }
      const returned = isType(body, 'BlockStatement')
        ? children(body, 'body')
            .filter((each) => isType(each, 'ReturnStatement'))
            .map((each) => child(each, 'argument'))
        : [body]
      return (
        returned
          .flatMap((each) => [...waysOf(each)])
          .find(
            (each) =>
              // The short form of a fragment cannot have one.
              isType(each, 'JSXFragment') ||
              (isType(each, 'JSXElement') &&
                !children(child(each, 'openingElement'), 'attributes').some(
                  (attribute) =>
                    isType(attribute, 'JSXSpreadAttribute') || child(attribute, 'name')?.name === 'key'
                ))
          ) ?? false
      )
    }
  }),
  visit.warning('index-as-key', {
    sentence: 'The array index is used as `key`, so state moves to the wrong element when the array changes.',
    suggestion: 'Use a stable value of the element as `key`, such as its id.',
    on: 'JSXAttribute[name.name="key"]',
    when: (node, script) => {
      const key = child(child(node, 'value'), 'expression')
      const callback = closest(node, (ancestor) => isType(ancestor, ...functionTypes))
      const call = callback?.parent
      if (
        !isType(call, 'CallExpression') ||
        lastName(calleeOf(call)) !== 'map' ||
        !isMadeOf(String(children(callback, 'params')[1]?.name), key)
      ) {
        return false
      }
      const list = bare(child(child(call, 'callee'), 'object'))
      const made = isType(list, 'Identifier') ? bare(script.initOf(list)) : list
      if (isType(made, 'CallExpression') && /\.(?:filter|slice|sort|toSorted|concat)$/.test(calleeOf(made))) {
        return true
      }
      // A list that is written down, or made to a length, keeps its order.
      return (
        isType(list, 'Identifier', 'MemberExpression') &&
        !isType(made, 'ArrayExpression', 'CallExpression', 'NewExpression')
      )
    }
  }),
  visit.warning('state-mutation', {
    sentence: 'The state is modified in place, so React does not render the change.',
    suggestion: 'Pass a new array to the state setter.',
    on: ':matches(CallExpression[callee.property.name=/^(?:push|pop|shift|unshift|splice|sort|reverse)$/], AssignmentExpression[left.type="MemberExpression"])',
    when: (node, script) => {
      if (isType(node, 'AssignmentExpression')) {
        const left = child(node, 'left')!
        return isStateMember(left, script) || isOwnState(left)
      }
      const changed = bare(child(child(node, 'callee'), 'object'))
      if (isType(changed, 'MemberExpression')) return isStateMember(changed, script) || isOwnState(changed)
      const target = bare(child(child(node, 'callee'), 'object'))
      if (!isType(target, 'Identifier')) return false
      const definition = script.variableOf(target)?.defs[0]?.node
      const pattern = child(definition, 'id')
      return (
        isType(pattern, 'ArrayPattern') &&
        calleeOf(child(definition, 'init') ?? target).endsWith('useState') &&
        children(pattern, 'elements')[0]?.name === target.name
      )
    }
  })
]
