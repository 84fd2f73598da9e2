import { lexer, parse, walk, type Declaration } from 'css-tree'
import { nestingOf } from '../../text/nesting.js'
import type { Edit, Editor } from '../../fix/edits.js'

/** `opacity: 0px` is ignored; without its unit it would count. */
const isIgnored = (declaration: Declaration): boolean =>
  lexer.matchDeclaration(declaration).error?.name === 'SyntaxMatchError'

function edits(text: string, _language: unknown, ruleIds: ReadonlySet<string>): Edit[] {
  if (nestingOf(text, 'css').brackets > 200) return []
  const found: Edit[] = []
  walk(parse(text, { positions: true }), function (node) {
    const start = node.loc?.start.offset
    const end = node.loc?.end.offset
    if (start === undefined || end === undefined || this.declaration === null || this.function !== null) {
      return
    }
    if (
      node.type === 'Dimension' &&
      node.value === '0' &&
      /^(?:px|em|rem|pt|cm|mm|in|vh|vw)$/.test(node.unit) &&
      !/^(?:flex|[^a-z-]|--|initial-value$)/i.test(this.declaration.property) &&
      !isIgnored(this.declaration)
    ) {
      found.push({
        start,
        end,
        text: '0',
        ruleId: 'css/zero-unit',
        description: 'Wrote zero without a unit.'
      })
    }
    const short = node.type === 'Hash' ? /^([\da-f])\1([\da-f])\2([\da-f])\3$/i.exec(node.value) : null
    if (short !== null) {
      found.push({
        start,
        end,
        text: `#${short[1]}${short[2]}${short[3]}`,
        ruleId: 'css/long-hex',
        description: 'Wrote the colour in its short form.'
      })
    }
  })
  return found.filter(({ ruleId }) => ruleIds.has(ruleId))
}

export const cssEditor: Editor = { ruleIds: ['css/zero-unit', 'css/long-hex'], edits }
