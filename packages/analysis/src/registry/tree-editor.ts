import { formatGo } from '../languages/go/gofmt.js'
import type { Language } from '@filewright/contracts'
import { createSource } from '../text/source.js'
import { isTreeLanguage } from '../tree/languages.js'
import { parseTree } from '../tree/tree.js'
import type { Edit, Editor } from '../fix/edits.js'
import { goCloses } from '../languages/go/fixes/close.js'
import { goRewrites } from '../languages/go/fixes/index.js'
import { javaRewrites } from '../languages/java/fixes.js'
import { rustRewrites } from '../languages/rust/fixes.js'
import { shellQuotes } from '../languages/shell/fixes/quotes.js'
import { shellRewrites } from '../languages/shell/fixes/index.js'

const rewrites = [
  ...rustRewrites,
  ...javaRewrites,
  ...shellRewrites,
  ...shellQuotes,
  ...goRewrites,
  ...goCloses
]

function edits(text: string, language: Language, ruleIds: ReadonlySet<string>): Edit[] {
  if (!isTreeLanguage(language)) return []
  const tree = parseTree(createSource(text), language)
  if (tree === null) return []
  const found: Edit[] = []
  for (const { ruleId, kind, description, rewrite, about, language: own } of rewrites) {
    if (own !== language || !ruleIds.has(ruleId)) continue
    for (const node of tree.nodes(kind)) {
      const replacement = rewrite(node, tree)
      const { start, end } = node.range()
      if (replacement !== null) {
        const edit = { start: start.index, end: end.index, text: replacement, ruleId, description }
        const place = about?.(node)?.range().start.index
        found.push(place === undefined ? edit : { ...edit, about: place })
      }
    }
  }
  if (language === 'go' && found.length === 0 && ruleIds.has('go/formatting')) {
    found.push(...goFormatting(text))
  }
  return found
}

function goFormatting(text: string): Edit[] {
  const formatted = formatGo(text)
  if (formatted === null || formatted.trimEnd() === text.trimEnd()) return []
  let start = 0
  while (start < text.length && text[start] === formatted[start]) start++
  return [
    {
      start,
      end: text.length,
      text: formatted.slice(start),
      ruleId: 'go/formatting',
      description: 'Formatted with gofmt.'
    }
  ]
}

export const treeEditor: Editor = {
  ruleIds: [...new Set([...rewrites.map(({ ruleId }) => ruleId), 'go/formatting'])],
  edits
}
