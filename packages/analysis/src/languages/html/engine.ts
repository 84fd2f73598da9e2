import htmlhint from 'htmlhint'
import { embeddedIn, hasPlaceholder } from './embedded.js'
import { tagPairs } from './pairs.js'
import type { HtmlTag } from './rule.js'
import { htmlRules } from './rules/index.js'
import { syntaxRule, syntaxSentence } from '../../rules/every/syntax.js'
import { hasGarbage } from '../../tree/garbage.js'
import { parseTree, type Tree, type TreeNode } from '../../tree/tree.js'
import { createSource, type Source } from '../../text/source.js'
import type { AnalysisType, FailureHook, Hit, SyntaxResult } from '../../types.js'
import { unknownSyntax, type Engine } from '../../engines/engine.js'

const { HTMLHint } = htmlhint

/** HTMLHint reads options from comments; submitted comments must not switch a rule off. */
function readable(text: string): string {
  const unclosed = text.indexOf('<!--', text.lastIndexOf('-->') + 1)
  // A comment that never ends takes the rest of the page with it; HTMLHint would look for its end again from
  // every place.
  const visible = unclosed === -1 ? text : text.slice(0, unclosed)
  return visible.replace(/<!--(\s*)htmlhint/gi, '<!--$1htm1hint')
}

function tagOf(node: TreeNode): HtmlTag {
  const children = node.children()
  const element = node.parent()
  const attributes = new Map<string, string | null>()
  for (const attribute of children) {
    if (attribute.kind() !== 'attribute') continue
    const [name, , value] = attribute.children()
    attributes.set(
      name!.text().toLowerCase(),
      value === undefined ? null : value.text().replace(/^["']|["']$/g, '')
    )
  }
  return {
    name: (children.find((child) => child.kind() === 'tag_name')?.text() ?? '').toLowerCase(),
    line: node.range().start.line + 1,
    endLine: element?.kind() === 'element' ? element.range().end.line + 1 : Infinity,
    attributes
  }
}

/** Lines of a tag that are looked through for the same attribute. */
const MAX_TAG_LINES = 40

/** The same attribute with the same value changes nothing. */
function isCopy({ lines }: Source, line: number, raw: string): boolean {
  const text = lines.slice(Math.max(0, line - MAX_TAG_LINES), line).join('\n')
  const attribute = raw.trim()
  const at = text.lastIndexOf(attribute)
  return attribute !== '' && text.slice(text.lastIndexOf('<', at), at).includes(attribute)
}

function tagsOf(tree: Tree): HtmlTag[] {
  return [...tree.nodes('start_tag'), ...tree.nodes('self_closing_tag')]
    .map(tagOf)
    .sort((a, b) => a.line - b.line)
}

/** Scripts and style sheets written into the page, each read by the engine of its own language. */
async function embeddedHits(
  tree: Tree,
  wanted: ReadonlySet<AnalysisType>,
  onFailure: FailureHook
): Promise<Hit[]> {
  const hits: Hit[] = []
  for (const { language, text, linesBefore } of embeddedIn([
    ...tree.nodes('script_element'),
    ...tree.nodes('style_element')
  ])) {
    const engine =
      language === 'css'
        ? (await import('../css/engine.js')).cssEngine
        : (await import('../script/engine.js')).scriptEngine
    try {
      const { syntax, hits: found } = await engine.run(
        createSource(text),
        language,
        wanted,
        onFailure,
        unknownSyntax
      )
      if (syntax.ok === false) {
        hits.push({
          rule: syntaxRule,
          line: syntax.line + linesBefore,
          message: syntaxSentence(syntax.message),
          isDoubtful: hasPlaceholder(text, syntax.line)
        })
      }
      for (const hit of found) hits.push({ ...hit, line: hit.line + linesBefore })
    } catch (error) {
      onFailure(`html/${language}`, error)
    }
  }
  return hits
}

function syntaxOf(source: Source): SyntaxResult {
  return hasGarbage(source, 'html') ? unknownSyntax : tagPairs(readable(source.text))
}

export const htmlEngine: Engine = {
  async run(source, _language, wanted, onFailure) {
    if (hasGarbage(source, 'html')) return { syntax: unknownSyntax, hits: [] }
    const active = htmlRules.filter((rule) => wanted.has(rule.analysisType))
    const hints = new Map(active.filter((rule) => rule.engine === 'hint').map((rule) => [rule.rule, rule]))
    const hits: Hit[] = HTMLHint.verify(
      readable(source.text),
      Object.fromEntries([...hints].map(([name, rule]) => [name, rule.options ?? true]))
    ).flatMap(({ line, raw, rule: { id } }) =>
      hints.has(id)
        ? [
            {
              rule: hints.get(id)!,
              line,
              isLikely: id === 'attr-no-duplication' && isCopy(source, line, raw)
            }
          ]
        : []
    )
    const tree = parseTree(source, 'html', { isValid: true })
    const tags = tree === null ? [] : tagsOf(tree)
    if (tree !== null) hits.push(...(await embeddedHits(tree, wanted, onFailure)))
    for (const rule of active) {
      if (rule.engine !== 'tag') continue
      try {
        const names = rule.tags?.split(' ')
        for (const tag of tags) {
          if ((names === undefined || names.includes(tag.name)) && rule.when(tag, tags)) {
            hits.push({ rule, line: tag.line })
          }
        }
      } catch (error) {
        onFailure(rule.id, error)
      }
    }
    return { syntax: source.text.trim() === '' ? unknownSyntax : syntaxOf(source), hits }
  },
  syntax: syntaxOf
}
