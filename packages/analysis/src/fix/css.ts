import { parse, walk } from 'css-tree'
import { bracketDepth } from '../text/source.js'
import type { Edit } from './edits.js'

export const cssFixes = ['css/zero-unit', 'css/long-hex']

export function cssEdits (text: string, ruleIds: ReadonlySet<string>): Edit[] {
  if (bracketDepth(text) > 200) return []
  const edits: Edit[] = []
  walk(parse(text, { positions: true }), function (node) {
    const start = node.loc?.start.offset
    const end = node.loc?.end.offset
    if (start === undefined || end === undefined || this.declaration === null || this.function !== null) return
    if (node.type === 'Dimension' && node.value === '0' && /^(?:px|em|rem|pt|cm|mm|in|vh|vw)$/.test(node.unit) && !/^(?:flex|--)/.test(this.declaration.property)) {
      edits.push({ start, end, text: '0', ruleId: 'css/zero-unit', description: 'Wrote zero without a unit.' })
    }
    const short = node.type === 'Hash' ? /^([\da-f])\1([\da-f])\2([\da-f])\3$/i.exec(node.value) : null
    if (short !== null) edits.push({ start, end, text: `#${short[1]}${short[2]}${short[3]}`, ruleId: 'css/long-hex', description: 'Wrote the colour in its short form.' })
  })
  return edits.filter(({ ruleId }) => ruleIds.has(ruleId))
}
