import type { Scope } from 'eslint'
import {
  bare,
  calleeOf,
  child,
  children,
  closest,
  contains,
  dotted,
  enclosingFunction,
  functionTypes,
  isType,
  keyOf,
  lastName,
  loopTypes,
  statementsOf,
  textOf,
  walk,
  type ScriptNode
} from '../../script/nodes.js'
import type { ScriptContext } from '../../script/context.js'
import { rulesOf } from './shared.js'

const { visit } = rulesOf('bugs')

const reactHook =
  '/^use(?:State|Effect|Memo|Callback|Ref|Context|Reducer|LayoutEffect|InsertionEffect|ImperativeHandle|Id|Transition|DeferredValue|SyncExternalStore|DebugValue)$/'

export const bugRules = [
  visit(
    'floating-promise',
    'warning',
    {
      sentence: 'Nobody waits for this promise, so its failure is never handled.',
      suggestion: 'Await the promise or add a catch.'
    },
    'ExpressionStatement > CallExpression',
    (node, script) => {
      const callee = calleeOf(node)
      if (/\.then$/.test(callee) && children(node, 'arguments').length < 2) {
        const promise = child(child(node, 'callee'), 'object')
        if (cannotFail(promise, script)) return false
        // Who else has a promise that is kept may handle its failure.
        return isKept(promise, script) || script.isExplainedAbove(node.parent!) ? 'doubtful' : true
      }
      if (/^(?:fetch|axios\.\w+|Promise\.(?:all|race))$/.test(callee)) return !eachIsCaught(node)
      return floats(node, script) && !startsProgram(node)
    }
  ),
  visit(
    'floating-start',
    'info',
    {
      sentence: 'Nobody handles the failure of the program, so it ends with a bare stack trace.',
      suggestion: 'Await the call, or add a catch that reports the error and sets the exit code.'
    },
    'Program > ExpressionStatement > CallExpression',
    (node, script) => startsProgram(node) && floats(node, script)
  ),
  visit(
    'async-for-each',
    'warning',
    {
      sentence: 'forEach does not wait for an async callback, and nobody handles its failure.',
      suggestion: 'Use for...of with await, or Promise.all over map.'
    },
    'CallExpression[callee.property.name="forEach"] > :matches(ArrowFunctionExpression, FunctionExpression)[async=true]'
  ),
  visit(
    'async-filter',
    'error',
    {
      sentence: 'An async callback returns a promise, which is always true here.',
      suggestion: 'Await the answers first (Promise.all), then filter by them.'
    },
    'CallExpression[callee.property.name=/^(?:filter|some|every|find|findIndex|sort)$/] > :matches(ArrowFunctionExpression, FunctionExpression)[async=true]'
  ),
  visit(
    'off-by-one',
    'error',
    {
      sentence: 'The loop runs one step past the last element.',
      suggestion: 'Compare the index with < length.'
    },
    'ForStatement[test.operator=/^[<>]=$/]',
    (node) => {
      const test = child(node, 'test')!
      const isTurned = test.operator === '>='
      const index = child(test, isTurned ? 'right' : 'left')
      const length = bare(child(test, isTurned ? 'left' : 'right'))
      if (
        !isType(index, 'Identifier') ||
        !isType(length, 'MemberExpression') ||
        lastName(dotted(length)) !== 'length'
      ) {
        return false
      }
      const list = dotted(child(length, 'object'))
      const body = child(node, 'body')!
      // The step past the end is told apart inside.
      const isAsked = (inner: ScriptNode): boolean =>
        isType(inner, 'BinaryExpression') &&
        child(inner, 'left')?.name === index.name &&
        dotted(child(inner, 'right')) === `${list}.length`
      if (contains(body, isAsked)) return false
      return contains(
        body,
        (inner) =>
          isType(inner, 'MemberExpression') &&
          inner.computed === true &&
          dotted(child(inner, 'object')) === list &&
          child(inner, 'property')?.name === index.name
      )
    }
  ),
  visit(
    'past-the-end',
    'error',
    {
      sentence: 'The index equals the length, which is one past the last element.',
      suggestion: 'Use length - 1, or at(-1).'
    },
    'MemberExpression[computed=true][property.type="MemberExpression"][property.property.name="length"]',
    (node) => {
      const list = dotted(child(node, 'object'))
      if (list === '' || dotted(child(child(node, 'property'), 'object')) !== list) return false
      // Writing there appends.
      return !(isType(node.parent, 'AssignmentExpression') && node.parent.left === node)
    }
  ),
  visit(
    'index-of-as-boolean',
    'error',
    {
      sentence: 'indexOf is 0 for the first element, which counts as false here.',
      suggestion: 'Use includes.'
    },
    'CallExpression[callee.property.name=/^(?:indexOf|findIndex|lastIndexOf)$/]',
    // `!path.indexOf(folder)` asks whether the one begins with the other; it may be meant so.
    (node) =>
      isTruthValue(node) &&
      (isType(node.parent, 'UnaryExpression') && !isType(node.parent.parent, 'UnaryExpression')
        ? 'doubtful'
        : true)
  ),
  visit(
    'sort-without-comparator',
    'warning',
    {
      sentence: 'Without a comparator, sort compares as text: 10 comes before 9.',
      suggestion: 'Pass a comparator such as (a, b) => a - b.'
    },
    'CallExpression[callee.property.name=/^(?:sort|toSorted)$/][arguments.length=0]',
    (node, script) => isNumberList(child(child(node, 'callee'), 'object'), script)
  ),
  visit(
    'boolean-comparator',
    'error',
    {
      sentence: 'The comparator answers with true or false, so the list is not sorted.',
      suggestion: 'Return a negative number, zero or a positive one, such as a - b.'
    },
    'CallExpression[callee.property.name=/^(?:sort|toSorted)$/][arguments.length=1]',
    (node) => {
      const [comparator] = children(node, 'arguments')
      const body = child(comparator, 'body')
      const [only, ...others] = children(body, 'body')
      const answer = isType(body, 'BlockStatement')
        ? others.length === 0 && isType(only, 'ReturnStatement')
          ? child(only, 'argument')
          : null
        : body
      return (
        isType(comparator, ...functionTypes) &&
        children(comparator, 'params').length === 2 &&
        isType(answer, 'BinaryExpression') &&
        /^[<>]=?$/.test(String(answer.operator))
      )
    }
  ),
  visit(
    'fetch-without-await',
    'error',
    {
      sentence: 'fetch gives a promise, which has no such property: nobody waits for the answer.',
      suggestion: 'Await the call.'
    },
    'MemberExpression[computed=false][property.name=/^(?:ok|status|statusText|headers|json|text|blob|arrayBuffer|formData)$/]',
    (node, script) => {
      const response = child(node, 'object')
      const call = isType(response, 'Identifier') ? script.initOf(response) : null
      return (
        isType(call, 'CallExpression') &&
        calleeOf(call) === 'fetch' &&
        (script.variableOf(child(call, 'callee')!)?.defs.length ?? 0) === 0 &&
        isType(script.variableOf(response!)?.defs[0]?.name as ScriptNode | undefined, 'Identifier')
      )
    }
  ),
  visit(
    'resource-leak',
    'warning',
    {
      sentence: 'What is opened here is not given back when something fails.',
      suggestion: 'Release it in a finally block.'
    },
    'VariableDeclarator[init]',
    (node, script) => {
      const call = bare(child(node, 'init'))
      const opened = isType(call, 'AwaitExpression') ? bare(child(call, 'argument')) : call
      const id = child(node, 'id')
      if (!isType(opened, 'CallExpression') || !isType(id, 'Identifier')) return false
      const callee = calleeOf(opened)
      const opens =
        /(?:^|\.)getConnection$/.test(callee) ||
        /(?:^|\.)fs\w*\.openSync$/i.test(callee) ||
        (callee === 'openSync' && localFunction(opened, script) === null) ||
        /^(?:fs|fsp|fsPromises|fs\.promises)\.open$/.test(callee) ||
        /(?:^|\.)pool\.connect$/i.test(callee)
      const scope = opens ? enclosingFunction(node) : null
      return scope !== null && !isClosedNext(node, String(id.name)) && !givesBack(scope, String(id.name))
    }
  ),
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
    (node) =>
      closest(
        node,
        (ancestor) => isType(ancestor, 'IfStatement', 'ConditionalExpression', ...loopTypes),
        functionTypes
      ) !== null || followsReturn(node)
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
  ),
  visit(
    'array-for-in',
    'warning',
    {
      sentence: 'for...in gives the keys as text, and inherited ones too; this looks like a list.',
      suggestion: 'Use for...of.'
    },
    'ForInStatement',
    (node, script) => {
      const right = bare(child(node, 'right'))
      return (
        isType(right, 'ArrayExpression') ||
        (isType(right, 'Identifier') && isType(bare(script.initOf(right)), 'ArrayExpression'))
      )
    }
  ),
  visit(
    'delete-element',
    'warning',
    {
      sentence: 'delete leaves a hole in the list.',
      suggestion: 'Use splice or filter.'
    },
    'UnaryExpression[operator="delete"][argument.computed=true]',
    (node, script) => {
      const list = bare(child(child(node, 'argument'), 'object'))
      const init = isType(list, 'Identifier') ? bare(script.initOf(list)) : null
      return isType(init, 'ArrayExpression')
    }
  ),
  visit(
    'mutating-default',
    'warning',
    {
      sentence: 'Sorting or reversing changes the list that was passed in.',
      suggestion: 'Work on a copy (toSorted, toReversed or a spread).'
    },
    'CallExpression[callee.property.name=/^(?:sort|reverse)$/]',
    (node, script) => {
      const target = bare(child(child(node, 'callee'), 'object'))
      if (!isType(target, 'Identifier')) return false
      const isParameter = script.variableOf(target)?.defs[0]?.type === 'Parameter'
      // As a statement of its own, changing the list is what the author wants.
      const [order, ...more] = children(node, 'arguments')
      // A list sorts by a function; what takes words is a collection of its own kind.
      const isList = more.length === 0 && !isType(order, 'Literal', 'TemplateLiteral', 'ObjectExpression')
      return (
        isParameter &&
        isList &&
        !isCallback(script.variableOf(target)!) &&
        !isType(node.parent, 'ExpressionStatement') &&
        !/^_/.test(String(target.name)) &&
        // `rows.sort().forEach(show)` as a statement may want it as well.
        (lastName(dotted(node.parent ?? null)) === 'forEach' ? 'doubtful' : true)
      )
    }
  ),
  visit(
    'compare-array',
    'error',
    {
      sentence: 'A new list or object is never equal to another one.',
      suggestion: 'Compare the length or the elements.'
    },
    'BinaryExpression[operator=/^[!=]==?$/]',
    (node) =>
      [child(node, 'left'), child(node, 'right')].some((side) =>
        isType(side, 'ArrayExpression', 'ObjectExpression')
      )
  ),
  visit(
    'duplicate-handler-response',
    'warning',
    {
      sentence: 'The handler goes on after it has answered, and may answer twice.',
      suggestion: 'Return right after the answer.'
    },
    'IfStatement',
    (node) => {
      const body = child(node, 'consequent')
      const last = isType(body, 'BlockStatement') ? children(body, 'body').at(-1) : body
      if (
        !isType(last, 'ExpressionStatement') ||
        child(node, 'alternate') !== null ||
        !answers(child(last, 'expression'))
      ) {
        return false
      }
      const siblings = children(node.parent, 'body')
      return siblings
        .slice(siblings.indexOf(node) + 1)
        .some((later) => isType(later, 'ExpressionStatement') && answers(child(later, 'expression')))
    }
  ),
  visit(
    'this-in-timer',
    'warning',
    {
      sentence: '`this` inside this function is not the object around it.',
      suggestion: 'Use an arrow function.'
    },
    'CallExpression[callee.name=/^set(?:Timeout|Interval)$/] > FunctionExpression',
    (node) =>
      closest(node, (ancestor) => isType(ancestor, 'MethodDefinition', 'PropertyDefinition')) !== null &&
      contains(child(node, 'body')!, (inner) => inner.type === 'ThisExpression', [
        'FunctionExpression',
        'FunctionDeclaration'
      ])
  ),
  visit(
    'unchecked-match',
    'warning',
    {
      sentence: 'The result of match is null when nothing matches.',
      suggestion: 'Check the result before taking a part of it.'
    },
    'MemberExpression[computed=true][optional=false][object.type="CallExpression"]',
    (node, script) => {
      const call = child(node, 'object')!
      const method = lastName(calleeOf(call))
      const [argument] = children(call, 'arguments')
      const pattern = method === 'match' ? argument : child(child(call, 'callee'), 'object')
      return (
        (method === 'match' || method === 'exec') &&
        isType(pattern, 'Literal') &&
        !alwaysMatches.test(
          withoutGroups((pattern.regex as { pattern: string } | undefined)?.pattern ?? '')
        ) &&
        typeof child(node, 'property')?.value === 'number' &&
        !isTypeName(call) &&
        !isKnownText(method === 'match' ? child(child(call, 'callee'), 'object') : argument, script) &&
        !isMatchedBefore(node, method === 'match' ? child(child(call, 'callee'), 'object') : argument, script)
      )
    }
  ),
  visit(
    'json-parse-input',
    'info',
    {
      sentence: 'JSON.parse throws on a bad body, and nothing here catches it.',
      suggestion: 'Catch the error and answer with a clear message.'
    },
    'CallExpression[callee.object.name="JSON"][callee.property.name="parse"]',
    (node) => {
      const text = dotted(children(node, 'arguments')[0] ?? null)
      return (
        /^(?:req|request|event)\.body$/.test(text) &&
        closest(node, (ancestor) => isType(ancestor, 'TryStatement')) === null
      )
    }
  )
]

/**
 * Parts that may all be empty, at one end of the text at most: `^\s*`, `[^.]*$`. Groups do not matter. Or the
 * end of the text, as the last choice: `\d+|$`.
 */
const alwaysMatches =
  /[^\\]\|\$?$|^\^?\.\*\??(?:\((?:\?:)?(?:[^()\\]|\\.)*\)[?*])*\$?$|^(?!\^.*\$$)\^?(?:(?:\\[a-zA-Z]|\[(?:[^\]\\]|\\.)+\]|\.|[\w ])[*?]\??)+\$?$/

/** `^\n?( *)` matches where `^\n? *` does. */
const withoutGroups = (pattern: string): string =>
  pattern.replace(/\[(?:[^\]\\]|\\.)+\]/g, '.').replace(/\((?:\?:)?((?:[^()|\\]|\\.)*)\)(?![*+?{])/g, '$1')

/** `[object Date]`, which every value has. */
function isTypeName(call: ScriptNode): boolean {
  return contains(
    call,
    (each) => isType(each, 'CallExpression') && /(?:^|\.)toString\.call$/.test(calleeOf(each))
  )
}

const looks = /^(?:match|exec|test|includes|indexOf|startsWith|endsWith|search)$/

/**
 * One of the fixed texts in a list, which the author has before their eyes, what a pattern has just matched,
 * or the version of a program.
 */
function isKnownText(subject: ScriptNode | null | undefined, script: ScriptContext): boolean {
  if (/^process\.versions?(?:\.\w+)?$/.test(dotted(subject ?? null))) return true
  const name = isType(subject, 'LogicalExpression') ? child(subject, 'left') : subject
  const definition = isType(name, 'Identifier') ? script.variableOf(name)?.defs[0] : undefined
  if (definition?.type !== 'Parameter') return false
  const callback = definition.node as unknown as ScriptNode
  const call = callback.parent ?? null
  if (
    /(?:^|\.)replace(?:All)?$/.test(isType(call, 'CallExpression') ? calleeOf(call) : '') &&
    children(callback, 'params')[0] === (definition.name as unknown as ScriptNode)
  ) {
    return true
  }
  const list = child(child(call, 'callee'), 'object')
  return isType(list, 'ArrayExpression') && children(list, 'elements').every((each) => textOf(each) !== null)
}

/** Whether a condition around the match, or one before it that leaves, has looked into the same text. */
function isMatchedBefore(
  place: ScriptNode,
  subject: ScriptNode | null | undefined,
  script: ScriptContext
): boolean {
  const text = subject == null ? '' : script.text(subject)
  if (text === '') return false
  const looksAt = (test: ScriptNode | null): boolean =>
    test !== null &&
    contains(
      test,
      (each) =>
        isType(each, 'CallExpression') &&
        looks.test(lastName(calleeOf(each))) &&
        [child(child(each, 'callee'), 'object'), children(each, 'arguments')[0]].some(
          (side) => side != null && script.text(side) === text
        )
    )
  let inner = place
  for (let around = place.parent; around != null; inner = around, around = around.parent) {
    if (isType(around, ...functionTypes)) return false
    if (
      isType(around, 'TryStatement') &&
      child(around, 'block') === inner &&
      child(around, 'handler') !== null
    ) {
      return true
    }
    if (
      isType(around, 'IfStatement', 'ConditionalExpression') &&
      child(around, 'consequent') === inner &&
      looksAt(child(around, 'test'))
    ) {
      return true
    }
    if (
      isType(around, 'LogicalExpression') &&
      child(around, 'right') === inner &&
      looksAt(child(around, 'left'))
    ) {
      return true
    }
    const siblings = statementsOf(around)
    const before = siblings[siblings.indexOf(inner) - 1]
    if (isType(before, 'IfStatement') && looksAt(child(before, 'test'))) return true
  }
  return false
}

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

function answers(expression: ScriptNode | null): boolean {
  return (
    isType(expression, 'CallExpression') &&
    /^res(?:ponse)?\.(?:status\(\)\.)?(?:send|json|end|render|redirect|sendStatus)$/.test(
      calleeOf(expression)
    )
  )
}

const otherMethods = new WeakMap<Scope.Variable, boolean>()

/** `robot.start()` beside `robot.then(step)`: a promise has no method of such a name. */
function hasOtherMethods(name: ScriptNode, script: ScriptContext): boolean {
  const variable = script.variableOf(name)
  if (variable === null) return false
  const known = otherMethods.get(variable)
  if (known !== undefined) return known
  const found = variable.references.some(({ identifier }) => {
    const { parent } = identifier as unknown as ScriptNode
    return (
      isType(parent, 'MemberExpression') &&
      isType(parent.parent, 'CallExpression') &&
      child(parent.parent, 'callee') === parent &&
      child(parent, 'object') === (identifier as unknown as ScriptNode) &&
      !/^(?:then|catch|finally)$/.test(String(child(parent, 'property')?.name))
    )
  })
  otherMethods.set(variable, found)
  return found
}

/**
 * What `then` is called on needs no catch: it has one, it is there only to run something later, or it is no
 * promise but a queue of steps that adds to itself.
 */
function cannotFail(start: ScriptNode | null, script: ScriptContext): boolean {
  const object = bare(start)
  const made = isType(object, 'Identifier') ? (script.initOf(object) ?? object) : object
  if (isType(made, 'ThisExpression') || /^(?:self|that|_this)$/.test(dotted(object))) return true
  if (isType(object, 'Identifier') && hasOtherMethods(object, script)) return true
  if (!isType(made, 'CallExpression')) return false
  const method = String(child(child(made, 'callee'), 'property')?.name)
  return (
    /^then[A-Z]/.test(method) ||
    /(?:timeout|delay|sleep|tick)$/i.test(calleeOf(made)) ||
    method === 'allSettled' ||
    (method === 'catch' && children(made, 'arguments').length > 0) ||
    (method === 'resolve' && children(made, 'arguments').length === 0)
  )
}

const readCounts = new WeakMap<Scope.Variable, number>()

/** Remembered, because every use of a name may ask. */
function readCountOf(variable: Scope.Variable): number {
  const known = readCounts.get(variable)
  if (known !== undefined) return known
  const count = variable.references.filter((reference) => reference.isRead()).length
  readCounts.set(variable, count)
  return count
}

/** A promise that a field holds, or a name that is read in other places as well. */
function isKept(start: ScriptNode | null, script: ScriptContext): boolean {
  const promise = bare(start)
  if (isType(promise, 'MemberExpression')) return true
  if (!isType(promise, 'Identifier')) return false
  const variable = script.variableOf(promise)
  return variable === null || readCountOf(variable) !== 1 || script.initOf(promise) === null
}

/** A call of an async function of this file whose failure nobody sees. */
function floats(call: ScriptNode, script: ScriptContext): boolean {
  const declared = localFunction(call, script)
  return declared?.async === true && !handlesItself(declared) && !endsProgram(declared)
}

const endings = new WeakMap<ScriptNode, boolean>()

/** A function that ends the program: nothing is left that could handle its failure. */
function endsProgram(declared: ScriptNode): boolean {
  const known = endings.get(declared)
  if (known !== undefined) return known
  const ends = contains(
    declared,
    (each) => isType(each, 'CallExpression') && /^process\.(?:exit|abort|kill)$/.test(calleeOf(each))
  )
  endings.set(declared, ends)
  return ends
}

/** `main()` at the top of a script is how programs start: its failure ends the process, as it should. */
function startsProgram(call: ScriptNode): boolean {
  return (
    enclosingFunction(call) === null &&
    /^_?(?:main|run|start|bootstrap|cli|serve|server|program|go|test|demo)(?:[A-Z_]\w*)?$/.test(
      calleeOf(call)
    )
  )
}

/** A body that is one try with a catch lets nothing out. */
function handlesItself(declared: ScriptNode): boolean {
  const statements = children(child(declared, 'body'), 'body')
  return (
    statements.length > 0 &&
    statements.every(
      (statement) => isType(statement, 'TryStatement') || isType(statement, 'VariableDeclaration')
    ) &&
    statements.some((statement) => isType(statement, 'TryStatement') && child(statement, 'handler') !== null)
  )
}

/** Opened and closed at once, to see whether it can be. */
function isClosedNext(declarator: ScriptNode, name: string): boolean {
  const declaration = declarator.parent!
  const siblings = children(declaration.parent, 'body')
  const call = child(siblings[siblings.indexOf(declaration) + 1], 'expression')
  return (
    isType(call, 'CallExpression') &&
    /close/i.test(calleeOf(call)) &&
    contains(call, (each) => isType(each, 'Identifier') && each.name === name)
  )
}

/** `readdir(folder).then((names) => names.sort())`: the list was made for the callback. */
function isCallback(parameter: Scope.Variable): boolean {
  const made = parameter.defs[0]?.node as unknown as ScriptNode | undefined
  return isType(made?.parent, 'CallExpression')
}

/** Released in a finally, handed to somebody else, kept by a function for later, or returned. */
function givesBack(scope: ScriptNode, name: string): boolean {
  for (const inner of walk(scope)) {
    if (
      isType(inner, 'Identifier') &&
      inner.name === name &&
      enclosingFunction(inner) !== scope &&
      isType(inner.parent, 'CallExpression', 'MemberExpression')
    ) {
      return true
    }
    // A program that is started with it closes it.
    if (
      isType(inner, 'Property') &&
      keyOf(inner) === 'stdio' &&
      children(child(inner, 'value'), 'elements').some((each) => each.name === name)
    ) {
      return true
    }
    if (isType(inner, 'TryStatement')) {
      const finalizer = child(inner, 'finalizer')
      if (
        finalizer !== null &&
        contains(finalizer, (each) => isType(each, 'Identifier') && each.name === name)
      ) {
        return true
      }
    }
    if (
      isType(inner, 'ReturnStatement') &&
      child(inner, 'argument') !== null &&
      contains(
        child(inner, 'argument')!,
        (each) => isType(each, 'Identifier') && each.name === name && !isType(each.parent, 'MemberExpression')
      )
    ) {
      return true
    }
    if (
      isType(inner, 'Property', 'AssignmentExpression') &&
      (child(inner, 'value') ?? child(inner, 'right'))?.name === name &&
      keyOf(inner) !== ''
    ) {
      return true
    }
    if (
      isType(inner, 'VariableDeclaration') &&
      /using/.test(String(inner.kind)) &&
      contains(inner, (each) => each.name === name)
    ) {
      return true
    }
  }
  return false
}

/** The function of this code that a call by name calls. */
export function localFunction(call: ScriptNode, script: ScriptContext): ScriptNode | null {
  const target = bare(child(call, 'callee'))
  const known = isType(target, 'Identifier') ? script.variableOf(target)?.defs[0] : undefined
  if (known?.type !== 'FunctionName' && known?.type !== 'Variable') return null
  const definition = known.node as unknown as ScriptNode
  const declared = isType(definition, 'FunctionDeclaration') ? definition : bare(child(definition, 'init'))
  return isType(declared, ...functionTypes) ? declared : null
}

/** Used as a condition, alone or as part of one. */
export function isTruthValue(node: ScriptNode): boolean {
  const { parent } = node
  if (
    isType(
      parent,
      'IfStatement',
      'ConditionalExpression',
      'WhileStatement',
      'DoWhileStatement',
      'ForStatement'
    )
  ) {
    return parent.test === node
  }
  if (isType(parent, 'UnaryExpression')) return parent.operator === '!'
  if (isType(parent, 'LogicalExpression') && parent.operator !== '??') return isTruthValue(parent)
  return isType(parent, 'CallExpression') && calleeOf(parent) === 'Boolean'
}

const numberNames = /^(?:numbers|nums|scores|prices|amounts|ages|totals|durations|timestamps)$/i

/** A list that is known to hold numbers: by its literal, its type, how it was made, or its name. */
function isNumberList(start: ScriptNode | null, script: ScriptContext): boolean {
  const list = bare(start)
  if (list === null) return false
  if (isType(list, 'ArrayExpression')) {
    const elements = children(list, 'elements')
    return (
      elements.length > 0 &&
      elements.every(
        (each) =>
          typeof each.value === 'number' ||
          (isType(each, 'SpreadElement') && isNumberList(child(each, 'argument'), script))
      )
    )
  }
  if (isType(list, 'CallExpression')) {
    const [callback] = children(list, 'arguments')
    if (lastName(calleeOf(list)) === 'map') {
      return /^(?:Number|parseFloat|parseInt)$/.test(dotted(callback ?? null))
    }
    return (
      /^(?:slice|filter|concat)$/.test(lastName(calleeOf(list))) &&
      isNumberList(child(child(list, 'callee'), 'object'), script)
    )
  }
  if (!isType(list, 'Identifier')) return false
  const declared = script.variableOf(list)?.defs[0]?.name as unknown as ScriptNode | undefined
  const type = child(child(declared, 'typeAnnotation'), 'typeAnnotation')
  if (type !== null) return /^(?:readonly )?number\[\]$|^(?:Readonly)?Array<number>$/.test(script.text(type))
  const init = script.initOf(list)
  return numberNames.test(String(list.name)) || (init !== null && init !== list && isNumberList(init, script))
}

/** `Promise.all(list.map((each) => work(each).catch(…)))` cannot fail. */
function eachIsCaught(call: ScriptNode): boolean {
  const mapped = children(call, 'arguments')[0]
  if (!isType(mapped, 'CallExpression') || !/\.map$/.test(calleeOf(mapped))) return false
  const body = child(children(mapped, 'arguments')[0], 'body')
  return isType(body, 'CallExpression') && child(child(body, 'callee'), 'property')?.name === 'catch'
}
