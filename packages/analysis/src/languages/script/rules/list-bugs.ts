import { calleeOf, dotted, lastName } from '../names.js'
import { bare, child, children, functionTypes, isType, type ScriptNode } from '../nodes.js'
import { contains } from '../walk.js'
import type { ScriptContext, ScriptVariable } from '../context.js'
import { functionNamed, isTruthValue, rulesOf } from './shared.js'

const { visit } = rulesOf('bugs')

/** `readdir(folder).then((names) => names.sort())`: the list was made for the callback. */
function isCallback(parameter: ScriptVariable): boolean {
  const made = parameter.defs[0]?.node
  return isType(made?.parent, 'CallExpression')
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
      return /^(?:Number|parseFloat|parseInt)$/.test(dotted(callback))
    }
    return (
      /^(?:slice|filter|concat)$/.test(lastName(calleeOf(list))) &&
      isNumberList(child(child(list, 'callee'), 'object'), script)
    )
  }
  if (!isType(list, 'Identifier')) return false
  const type = script.typeOf(list)
  if (type !== null) return /^(?:readonly )?number\[\]$|^(?:Readonly)?Array<number>$/.test(script.text(type))
  const init = script.initOf(list)
  return numberNames.test(String(list.name)) || (init !== null && init !== list && isNumberList(init, script))
}

/** A list whose literal holds objects only. */
function isObjectList(start: ScriptNode | null, script: ScriptContext): boolean {
  const list = bare(start)
  if (isType(list, 'ArrayExpression')) {
    const elements = children(list, 'elements')
    return (
      elements.length > 1 &&
      // An object may say itself how it is written as a string.
      elements.every(
        (each) => isType(each, 'ObjectExpression') && !/toString|toPrimitive/.test(script.text(each))
      )
    )
  }
  const init = isType(list, 'Identifier') ? script.initOf(list) : null
  return isType(bare(init), 'ArrayExpression') && isObjectList(init, script)
}

/** Certainly an array: by its literal, its type, or the method that made it. */
function isArray(start: ScriptNode | null, script: ScriptContext): boolean {
  const node = bare(start)
  if (isType(node, 'ArrayExpression')) return true
  if (isType(node, 'CallExpression')) {
    return /\.split$|^Object\.(?:keys|values|entries)$|^Array\.(?:from|of)$/.test(calleeOf(node))
  }
  if (!isType(node, 'Identifier')) return false
  const type = script.typeOf(node)
  if (type !== null) return isType(type, 'TSArrayType') || dotted(child(type, 'typeName')) === 'Array'
  const init = bare(script.initOf(node))
  return isType(init, 'ArrayExpression', 'CallExpression') && isArray(init, script)
}

/** `list[i] || ''` has a value for an element that does not exist. */
const hasDefault = (element: ScriptNode): boolean =>
  isType(element.parent, 'LogicalExpression') &&
  element.parent.operator !== '&&' &&
  element.parent.left === element

export const listBugRules = [
  visit.error('off-by-one', {
    sentence: 'The loop accesses one element past the end of the array.',
    suggestion: 'Compare the index with `< length`.',
    on: 'ForStatement[test.operator=/^[<>]=$/]',
    when: (node) => {
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
          child(inner, 'property')?.name === index.name &&
          !hasDefault(inner)
      )
    }
  }),
  visit.error('past-the-end', {
    sentence: 'The index equals `length`, which is one past the last element.',
    suggestion: 'Use `length - 1`, or `at(-1)`.',
    on: 'MemberExpression[computed=true][property.type="MemberExpression"][property.property.name="length"]',
    when: (node) => {
      const list = dotted(child(node, 'object'))
      if (list === '' || dotted(child(child(node, 'property'), 'object')) !== list) return false
      // Writing there appends.
      return !(isType(node.parent, 'AssignmentExpression') && node.parent.left === node)
    }
  }),
  visit.error('index-of-as-boolean', {
    sentence: 'The index is falsy for the first element (0) and truthy for a missing one (-1).',
    suggestion: 'Use `includes` or `some`, or compare the index with -1.',
    on: 'CallExpression[callee.property.name=/^(?:indexOf|findIndex|lastIndexOf)$/]',
    // `!path.indexOf(folder)` asks whether the one begins with the other; it may be meant so.
    when: (node) =>
      isTruthValue(node) &&
      (isType(node.parent, 'UnaryExpression') && !isType(node.parent.parent, 'UnaryExpression')
        ? 'doubtful'
        : true)
  }),
  visit.warning('sort-without-comparator', {
    sentence:
      'Without a comparator, `sort` compares elements as strings: 10 comes before 9, and all objects are equal.',
    suggestion: 'Pass a comparator such as `(a, b) => a - b` or `(a, b) => a.age - b.age`.',
    on: 'CallExpression[callee.property.name=/^(?:sort|toSorted)$/][arguments.length=0]',
    when: (node, script) => {
      const list = child(child(node, 'callee'), 'object')
      return isNumberList(list, script) || isObjectList(list, script)
    }
  }),
  visit.error('map-with-parse-int', {
    sentence: '`map` passes the index as the second argument, which `parseInt` takes for the radix.',
    suggestion: 'Use `map(Number)`, or `map((text) => parseInt(text, 10))`.',
    on: 'CallExpression[callee.property.name=/^(?:map|flatMap)$/][arguments.length=1]',
    when: (node, script) => {
      const parser = children(node, 'arguments')[0] ?? null
      const name = dotted(parser)
      return (
        name === 'Number.parseInt' ||
        (name === 'parseInt' && (script.variableOf(parser!)?.defs.length ?? 0) === 0)
      )
    }
  }),
  visit.error('boolean-comparator', {
    sentence: 'The comparator returns a boolean, so the array is not sorted correctly.',
    suggestion: 'Return a negative number, zero or a positive number, such as `a - b`.',
    on: 'CallExpression[callee.property.name=/^(?:sort|toSorted)$/][arguments.length=1]',
    when: (node, script) => {
      const [given] = children(node, 'arguments')
      const comparator = isType(given, ...functionTypes) ? given : functionNamed(given, script)
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
        /^(?:[<>]=?|[!=]==?)$/.test(String(answer.operator))
      )
    }
  }),
  visit.warning('array-for-in', {
    sentence: '`for...in` iterates over the keys of the array, as strings and including inherited ones.',
    suggestion: 'Use `for...of`.',
    on: 'ForInStatement',
    when: (node, script) => {
      return isArray(child(node, 'right'), script)
    }
  }),
  visit.warning('delete-element', {
    sentence: '`delete` leaves a hole in the array and does not change its length.',
    suggestion: 'Use `splice` or `filter`.',
    on: 'UnaryExpression[operator="delete"][argument.computed=true]',
    when: (node, script) => {
      const list = bare(child(child(node, 'argument'), 'object'))
      return isType(list, 'Identifier') && isArray(list, script)
    }
  }),
  visit.warning('mutating-default', {
    sentence: '`sort` and `reverse` modify the array that the caller passed in.',
    suggestion: 'Work on a copy: `toSorted`, `toReversed` or a spread.',
    on: 'CallExpression[callee.property.name=/^(?:sort|reverse)$/]',
    when: (node, script) => {
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
        // `rows.sort().forEach(show)` as a statement may want it as well, and so may `rows = rows.reverse()`.
        (lastName(dotted(node.parent)) === 'forEach' ||
        (isType(node.parent, 'AssignmentExpression') && child(node.parent, 'left')?.name === target.name)
          ? 'doubtful'
          : true)
      )
    }
  }),
  visit.error('compare-array', {
    sentence:
      'An array or object literal is never equal to another value, because objects are compared by reference.',
    suggestion: 'Compare the length, the keys or the elements.',
    on: 'BinaryExpression[operator=/^[!=]==?$/]',
    when: (node) =>
      [child(node, 'left'), child(node, 'right')].some((side) =>
        isType(side, 'ArrayExpression', 'ObjectExpression')
      )
  })
]
