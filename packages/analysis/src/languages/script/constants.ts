import type { ScriptContext } from './context.js'
import { bare, child, children, isType, textOf, type ScriptNode } from './nodes.js'

/** Constants may double in each line: what is longer is no pattern that somebody wrote. */
const MAX_NODES = 300

/** The text that an expression has in each run, from constants of the code. Null where it depends on the run. */
export function constantText(start: ScriptNode | null | undefined, script: ScriptContext): string | null {
  let visited = 0

  function read(expression: ScriptNode | null | undefined): string | null {
    const node = bare(expression)
    if (node === null || ++visited > MAX_NODES) return null
    const text = textOf(node)
    if (text !== null) return text
    if (isType(node, 'Identifier')) return read(script.initOf(node))
    if (isType(node, 'TemplateLiteral')) return template(node, 'cooked')
    if (isType(node, 'TaggedTemplateExpression')) {
      const tag = child(node, 'tag')
      const isRaw = child(tag, 'object')?.name === 'String' && child(tag, 'property')?.name === 'raw'
      return isRaw ? template(child(node, 'quasi')!, 'raw') : null
    }
    if (isType(node, 'BinaryExpression') && node.operator === '+') {
      return joined([read(child(node, 'left')), read(child(node, 'right'))])
    }
    if (isType(node, 'MemberExpression') && child(node, 'property')?.name === 'source') {
      const owner = child(node, 'object')
      return patternText(isType(owner, 'Identifier') ? script.initOf(owner) : owner)
    }
    return null
  }

  function template(node: ScriptNode, form: 'cooked' | 'raw'): string | null {
    const texts = children(node, 'quasis').map(
      ({ value }) => (value as Record<typeof form, string | null>)[form] ?? null
    )
    const values = children(node, 'expressions').map(read)
    return joined(texts.flatMap((text, index) => (index === 0 ? [text] : [values[index - 1] ?? null, text])))
  }

  /** The pattern of a regular expression that is made of constants. */
  function patternText(node: ScriptNode | null): string | null {
    if (isType(node, 'Literal')) return (node.regex as { pattern: string } | undefined)?.pattern ?? null
    const isMade = isType(node, 'NewExpression', 'CallExpression') && child(node, 'callee')?.name === 'RegExp'
    return isMade ? read(children(node, 'arguments')[0]) : null
  }

  return read(start)
}

const joined = (texts: ReadonlyArray<string | null>): string | null =>
  texts.includes(null) ? null : texts.join('')
