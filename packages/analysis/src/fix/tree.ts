import { formatGo } from '../golang/gofmt.js'
import type { Language } from '../languages.js'
import { createSource } from '../text/source.js'
import { isTreeLanguage } from '../tree/languages.js'
import { parseTree, type TreeNode } from '../tree/tree.js'
import type { Edit, Editor } from './edits.js'

interface Rewrite {
  language: Language
  ruleId: string
  kind: string
  description: string
  rewrite: (text: string, node: TreeNode) => string | null
}

const rewrites: readonly Rewrite[] = [
  { language: 'rust', ruleId: 'rust/is-empty', kind: 'binary_expression', description: 'Used is_empty.', rewrite: (text) => /^([\w.]+)\.len\(\) == 0$/.exec(text)?.[1]?.concat('.is_empty()') ?? null },
  { language: 'rust', ruleId: 'rust/is-empty', kind: 'binary_expression', description: 'Used is_empty.', rewrite: (text) => { const name = /^([\w.]+)\.len\(\) (?:> 0|!= 0|>= 1)$/.exec(text)?.[1]; return name === undefined ? null : `!${name}.is_empty()` } },
  {
    language: 'rust',
    ruleId: 'rust/needless-return',
    kind: 'expression_statement',
    description: 'Made the last expression the result.',
    rewrite (text, node) {
      const block = node.parent()
      const isLast = block?.children().filter((child) => child.isNamed()).at(-1)?.id() === node.id()
      return isLast && String(block?.parent()?.kind()) === 'function_item' ? /^return ([\s\S]+);$/.exec(text)?.[1] ?? null : null
    }
  },
  { language: 'java', ruleId: 'java/size-check', kind: 'binary_expression', description: 'Used isEmpty.', rewrite: (text) => /^([\w.]+)\.size\(\) == 0$/.exec(text)?.[1]?.concat('.isEmpty()') ?? null },
  { language: 'java', ruleId: 'java/size-check', kind: 'binary_expression', description: 'Used isEmpty.', rewrite: (text) => { const name = /^([\w.]+)\.size\(\) (?:> 0|!= 0)$/.exec(text)?.[1]; return name === undefined ? null : `!${name}.isEmpty()` } },
  { language: 'java', ruleId: 'java/boxed-constructor', kind: 'object_creation_expression', description: 'Used valueOf instead of a constructor.', rewrite: (text) => { const match = /^new (Integer|Long|Double|Boolean)\(([\w.]+)\)$/.exec(text); return match === null ? null : `${match[1]}.valueOf(${match[2]})` } },
  { language: 'shell', ruleId: 'sh/backticks', kind: 'command_substitution', description: 'Used $( ) instead of backticks.', rewrite: (text) => /^`([^`\\]*)`$/.exec(text)?.[1]?.replace(/^/, '$$(').concat(')') ?? null },
  { language: 'shell', ruleId: 'sh/egrep', kind: 'command_name', description: 'Used grep -E or -F.', rewrite: (text) => text === 'egrep' ? 'grep -E' : text === 'fgrep' ? 'grep -F' : null },
  { language: 'shell', ruleId: 'sh/which', kind: 'command_name', description: 'Used command -v instead of which.', rewrite: (text) => text === 'which' ? 'command -v' : null },
  { language: 'go', ruleId: 'go/boolean-compare', kind: 'binary_expression', description: 'Used the value itself.', rewrite: (text) => /^([\w.]+) == true$/.exec(text)?.[1] ?? null },
  { language: 'go', ruleId: 'go/errors-sprintf', kind: 'call_expression', description: 'Used fmt.Errorf.', rewrite: (text) => /^errors\.New\(fmt\.Sprintf(\([\s\S]*\))\)$/.exec(text)?.[1]?.replace(/^/, 'fmt.Errorf') ?? null }
]

function edits (text: string, language: Language, ruleIds: ReadonlySet<string>): Edit[] {
  if (!isTreeLanguage(language)) return []
  const tree = parseTree(createSource(text), language)
  if (tree === null) return []
  const found: Edit[] = []
  for (const { ruleId, kind, description, rewrite, language: own } of rewrites) {
    if (own !== language || !ruleIds.has(ruleId)) continue
    for (const node of tree.nodes(kind)) {
      const replacement = rewrite(node.text(), node)
      const { start, end } = node.range()
      if (replacement !== null) found.push({ start: start.index, end: end.index, text: replacement, ruleId, description })
    }
  }
  if (language === 'go' && found.length === 0 && ruleIds.has('go/formatting')) found.push(...goFormatting(text))
  return found
}

function goFormatting (text: string): Edit[] {
  const formatted = formatGo(text)
  if (formatted === null || formatted.trimEnd() === text.trimEnd()) return []
  let start = 0
  while (start < text.length && text[start] === formatted[start]) start++
  return [{ start, end: text.length, text: formatted.slice(start), ruleId: 'go/formatting', description: 'Formatted with gofmt.' }]
}

export const treeEditor: Editor = { ruleIds: [...new Set([...rewrites.map(({ ruleId }) => ruleId), 'go/formatting'])], edits }
