import { isDecimalMode } from '../../../concepts/file-modes.js'
import { calleeOf, dotted, keyOf, lastName, propertyOf } from '../names.js'
import { bare, child, children, functionTypes, isType, loopTypes, textOf, type ScriptNode } from '../nodes.js'
import { closest, contains, walk } from '../walk.js'
import type { ScriptContext } from '../context.js'
import { comparesLengthSign, lengthSign } from '../../../text/length-sign.js'
import { hasWideRange, hasWordsInClass, regexWords } from '../../../text/regex-slips.js'
import { words } from '../../../rules/tree-rules.js'
import { importedCallee, mayComeFrom, ofPatterns, rulesOf } from './shared.js'

const { visit, lint } = rulesOf('bugs')

/** `FLAG`, `flags.TEMPORARY`, `0x40`. */
const isFlag = (operand: ScriptNode | null): boolean =>
  typeof operand?.value === 'number' || /(?:^|\.)[A-Z][A-Z0-9_]+$/.test(dotted(operand))

/** Slips of the pen: code that does something else than its words say. */
export const slipRules = [
  lint.warning('no-unassigned-vars', {
    sentence: 'The variable is read but never assigned, so it is always undefined.',
    suggestion: 'Assign a value, or correct the name.',
    // Text that runs as code may assign it.
    accept: (node, script) =>
      // A name in capitals stands for what is not set.
      !/^(?:undefined|[A-Z][A-Z0-9_]*)$/.test(dotted(child(node, 'id') ?? node)) &&
      !script.hasEval &&
      // A name below its description stands for a type.
      !isDescribed(node, script)
  }),
  visit.error('comparison-before-bits', {
    sentence: 'The comparison is evaluated before `&` or `|`, because it has higher precedence.',
    suggestion: 'Put the bitwise operation in parentheses.',
    on: 'BinaryExpression[operator=/^[&|]$/] > BinaryExpression.right[operator=/^[=!]==?$/]',
    when: (node, script) => !script.isInBrackets(node) && isFlag(child(node, 'left'))
  }),
  lint.warning('no-unused-labels', {
    sentence: 'The label is never used.',
    suggestion: 'Remove the label, or write the `case` that was intended.',
    // Svelte marks what it computes again with this label.
    accept: (node) => dotted(child(node, 'label') ?? node) !== '$'
  }),
  visit.warning('length-sign', {
    ...lengthSign,
    on: 'BinaryExpression[operator=/^(?:<|>=|>|<=)$/]:matches([left.value=0], [right.value=0])',
    when: (node, script) =>
      comparesLengthSign(script.text(node)) &&
      // Of something that may be no list, all of it is asked.
      !/\btypeof\s[\w.]+\.length\b/.test(script.text(node.parent?.parent ?? node))
  }),
  visit.warning('wide-range', {
    ...regexWords.wideRange,
    ...ofPatterns(hasWideRange)
  }),
  visit.warning('words-in-class', {
    ...regexWords.wordsInClass,
    ...ofPatterns(hasWordsInClass)
  }),
  visit.error('lost-escape', {
    sentence: 'The string literal drops this backslash, so the regular expression never sees it.',
    suggestion: 'Write `\\\\`, or use a regular expression literal.',
    on: ':matches(NewExpression, CallExpression)[callee.name="RegExp"]',
    when: (node) => {
      return rawTexts(children(node, 'arguments')[0] ?? null).some(
        // In brackets of its own, \\b is the character backspace.
        (raw) => /^(?:[^\\]|\\\\|\\[^sdwbSDWB.])*\\[sdwbSDWB.]/.test(raw) && !raw.includes('[\\b]')
      )
    }
  }),
  visit.warning('setter-ignores-value', {
    sentence: 'The setter does not use its argument.',
    suggestion: 'Store the argument, or remove the setter.',
    on: ':matches(Property, MethodDefinition)[kind="set"]',
    when: (node) => {
      const code = child(node, 'value')
      const name = children(code, 'params')[0]
      const body = child(code, 'body')
      if (!isType(name, 'Identifier') || body === null || children(body, 'body').length === 0) return false
      // A setter that throws refuses every value, and one that only warns tells that it does nothing.
      return !contains(
        body,
        (each) =>
          isType(each, 'ThrowStatement', 'CallExpression') ||
          (isType(each, 'Identifier') && (each.name === name.name || each.name === 'arguments'))
      )
    }
  }),
  visit.warning('constant-index-in-loop', {
    sentence: 'The loop has an index, but every iteration reads the same element.',
    suggestion: 'Use the loop index to access the element.',
    on: 'ForStatement[test.operator="<"]',
    when: (node) => {
      const index = child(child(node, 'test'), 'left')
      const length = dotted(child(child(node, 'test'), 'right'))
      const body = child(node, 'body')
      if (!isType(index, 'Identifier') || lastName(length) !== 'length' || body === null) return false
      const list = length.slice(0, -'.length'.length)
      let fixed: ScriptNode | null = null
      for (const each of walk(body)) {
        // What loops or runs later inside may use the index in ways that take long to follow.
        if (isType(each, ...loopTypes, ...functionTypes)) return false
        if (isType(each, 'Identifier') && each.name === index.name) return false
        // A queue or a worklist changes its first element.
        if (isType(each, 'CallExpression') && calleeOf(each).startsWith(`${list}.`)) return false
        if (
          isType(each, 'MemberExpression') &&
          each.computed === true &&
          typeof child(each, 'property')?.value === 'number' &&
          dotted(child(each, 'object')) === list
        ) {
          fixed = each
        }
      }
      return fixed ?? false
    }
  }),
  visit.warning('moves-outer-index', {
    sentence: 'The inner loop increments the index of the outer loop instead of its own.',
    suggestion: 'Increment the index of the inner loop.',
    on: 'ForStatement[init.type="VariableDeclaration"][update.type="UpdateExpression"]',
    when: (node) => {
      const counted = dotted(child(child(node, 'update'), 'argument'))
      const own = children(child(node, 'init'), 'declarations').map((each) => dotted(child(each, 'id')))
      if (counted === '' || own.includes(counted)) return false
      const outer = closest(node, (each) => isType(each, 'ForStatement'), functionTypes)
      const test = child(node, 'test')
      const asks = (names: readonly string[]): boolean =>
        contains(test, (each) => isType(each, 'Identifier') && names.includes(String(each.name)))
      if (dotted(child(child(outer, 'update'), 'argument')) !== counted) return false
      // A loop that asks about the outer index alone may go on with it on purpose.
      return asks([counted]) && !asks(own) ? 'doubtful' : true
    }
  }),
  visit.error('negated-comparison', {
    sentence: '`!` applies only to the left operand, so the comparison is with a boolean.',
    suggestion: 'Use `!==` instead.',
    on: 'BinaryExpression[operator=/^(?:[!=]==?|[<>]=?)$/][left.type="UnaryExpression"][left.operator="!"]',
    when: (node) => {
      const right = child(node, 'right')
      // Of a count it gives what was meant: `!count` is greater than 0 if the count is not.
      if (node.operator === '>' && right?.value === 0) return 'likely'
      // `!count < 5`, and `!count === 0`, where no types are converted.
      const isNeverMeant = /^(?:[<>]=?|[!=]==)$/.test(String(node.operator))
      return (
        (isNeverMeant && isType(right, 'Literal') && typeof right.value === 'number') ||
        (textOf(right) ?? '') !== '' ||
        (isType(right, 'Literal') && typeof right.value === 'number' && right.value > 1)
      )
    }
  }),
  visit.error('arithmetic-on-text', {
    sentence: 'Arithmetic with a string that is not a number gives NaN.',
    suggestion: 'Use a template literal to combine strings.',
    on: 'BinaryExpression[operator=/^[-*/%]$/]',
    when: (node) =>
      [child(node, 'left'), child(node, 'right')].some((side) => {
        const text = textOf(side)
        return text !== null && text.trim() !== '' && Number.isNaN(Number(text))
      })
  }),
  visit.error('class-called', {
    sentence: 'A class constructor cannot be called without `new`.',
    suggestion: 'Add `new` before the call.',
    on: 'CallExpression[callee.type="Identifier"]',
    when: (node, script) => {
      const definitions = script.variableOf(child(node, 'callee')!)?.defs ?? []
      return (
        definitions.length === 1 &&
        (definitions[0]!.type === 'ClassName' ||
          isType(script.initOf(child(node, 'callee')!), 'ClassExpression')) &&
        !isType(node.parent, 'Decorator')
      )
    }
  }),
  visit.info('bit-sign', {
    sentence: 'The result of `&` is negative if bit 31 is set, so `> 0` is false for that bit.',
    suggestion: 'Compare with `!== 0`.',
    on: 'BinaryExpression[operator=">"][right.value=0][left.type="BinaryExpression"][left.operator="&"]',
    when: (node) => {
      const mask = child(node, 'left')
      return [child(mask, 'left'), child(mask, 'right')].some(
        (side) =>
          isType(side, 'BinaryExpression') &&
          side.operator === '<<' &&
          !isType(child(side, 'right'), 'Literal')
      )
    }
  }),
  visit.error('set-state-in-constructor', {
    sentence: 'setState has no effect in the constructor, because the component is not mounted yet.',
    suggestion: 'Assign `this.state` in the constructor.',
    on: 'CallExpression[callee.property.name="setState"][callee.object.type="ThisExpression"]',
    when: (node, script) => {
      const around = closest(node, (each) => isType(each, ...functionTypes))?.parent
      // Only what is derived can be a component.
      const base = child(around?.parent?.parent, 'superClass')
      if (!isType(around, 'MethodDefinition') || keyOf(around) !== 'constructor' || base === null) {
        return false
      }
      return mayComeFrom(base, script, /^react$/) || 'likely'
    }
  }),
  visit.error('decimal-mode', {
    ...words.decimalMode,
    on: 'CallExpression',
    when: (node, script) => {
      const callee = importedCallee(node, script)
      const given = children(node, 'arguments')
      const mode = /chmod(?:Sync)?$/.test(callee)
        ? given[1]
        : given.map((each) => propertyOf(each, 'mode')).find((each) => each !== null)
      return (
        /^(?:fs|fsp|fsPromises|fs\.promises|fs\/promises)\.\w+$/.test(callee) &&
        isType(mode, 'Literal') &&
        isDecimalMode(String(mode.raw))
      )
    }
  })
]

/** The texts that a pattern is put together from, as they are written. */
function rawTexts(start: ScriptNode | null): string[] {
  const node = bare(start)
  if (isType(node, 'Literal')) return typeof node.value === 'string' ? [String(node.raw)] : []
  if (isType(node, 'TemplateLiteral')) {
    return children(node, 'quasis').map((each) => (each.value as { raw: string }).raw)
  }
  if (!isType(node, 'BinaryExpression') || node.operator !== '+') return []
  return [child(node, 'left'), child(node, 'right')].flatMap(rawTexts)
}

function isDescribed(name: ScriptNode, script: ScriptContext): boolean {
  const declaration = closest(name, ({ type }) => type === 'VariableDeclaration', functionTypes)
  return declaration !== null && script.isDocumented(declaration)
}
