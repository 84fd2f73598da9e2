import { createRequire } from 'node:module'
import type { HtmlRule, HtmlTag } from '../html/rule.js'
import { hasGarbage, parseTree, type TreeNode } from '../tree/tree.js'
import type { Source } from '../text/source.js'
import type { Hit, SyntaxResult } from '../types.js'
import { unknownSyntax, type Engine } from './engine.js'

interface HintModule {
  HTMLHint: { verify (html: string, rules: Record<string, unknown>): { line: number, message: string, rule: { id: string } }[] }
}

const { HTMLHint } = createRequire(import.meta.url)('htmlhint') as HintModule

/** HTMLHint reads options from comments; submitted comments must not switch a rule off. */
function readable (text: string): string {
  const unclosed = text.indexOf('<!--', text.lastIndexOf('-->') + 1)
  // A comment that never ends takes the rest of the page with it; HTMLHint would look for its end again from every place.
  const visible = unclosed === -1 ? text : text.slice(0, unclosed)
  return visible.replace(/<!--(\s*)htmlhint/gi, '<!--$1htm1hint')
}

function tagOf (node: TreeNode): HtmlTag {
  const children = node.children()
  const attributes = new Map<string, string | null>()
  for (const attribute of children) {
    if (attribute.kind() !== 'attribute') continue
    const [name, , value] = attribute.children()
    attributes.set(name!.text().toLowerCase(), value === undefined ? null : value.text().replace(/^["']|["']$/g, ''))
  }
  return { name: (children.find((child) => child.kind() === 'tag_name')?.text() ?? '').toLowerCase(), line: node.range().start.line + 1, attributes }
}

function tagsOf (source: Source): HtmlTag[] {
  const tree = parseTree(source, 'html', { isValid: true })
  return tree === null ? [] : [...tree.nodes('start_tag'), ...tree.nodes('self_closing_tag')].map(tagOf).sort((a, b) => a.line - b.line)
}

/** A page that closes what it never opened, or the other way round, is the nearest HTML has to a syntax error. */
function pairs (source: Source): SyntaxResult {
  if (hasGarbage(source, 'html')) return unknownSyntax
  const found = HTMLHint.verify(readable(source.text), { 'tag-pair': true })[0]
  return found === undefined ? { ok: true } : { ok: false, line: found.line, message: found.message }
}

export function createHtmlEngine (rules: readonly HtmlRule[]): Engine {
  return {
    name: 'html',
    handles: (language) => language === 'html',
    run (source, _language, wanted, onFailure) {
      if (hasGarbage(source, 'html')) return { syntax: unknownSyntax, hits: [] }
      const active = rules.filter((rule) => wanted.has(rule.analysisType))
      const hints = new Map(active.filter((rule) => rule.engine === 'hint').map((rule) => [rule.rule, rule]))
      const hits: Hit[] = HTMLHint.verify(readable(source.text), Object.fromEntries([...hints].map(([name, rule]) => [name, rule.options ?? true])))
        .flatMap(({ line, rule: { id } }) => hints.has(id) ? [{ rule: hints.get(id)!, line }] : [])
      const tags = tagsOf(source)
      for (const rule of active) {
        if (rule.engine !== 'tag') continue
        try {
          const names = rule.tags?.split(' ')
          for (const tag of tags) if ((names === undefined || names.includes(tag.name)) && rule.when(tag, tags)) hits.push({ rule, line: tag.line })
        } catch (error) {
          onFailure(rule.id, error)
        }
      }
      return { syntax: source.text.trim() === '' ? unknownSyntax : pairs(source), hits }
    },
    syntax: pairs
  }
}
