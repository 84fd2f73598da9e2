import type { TreeNode } from '../../tree/tree.js'

export interface Embedded {
  language: 'javascript' | 'css'
  text: string
  /** Lines of the page before its first one. */
  linesBefore: number
}

/** More than this is generated. */
const maxElements = 50

/** Scripts in types that browsers run, and style sheets; what a template engine fills in is not code yet. */
export function embeddedIn(elements: readonly TreeNode[]): Embedded[] {
  return elements.slice(0, maxElements).flatMap((element): Embedded[] => {
    const [tag, content] = element.children()
    if (tag === undefined || content === undefined || String(content.kind()) !== 'raw_text') return []
    const text = content.text()
    if (text.trim() === '' || /\{\{|\{%|<%|<\?php/.test(text)) return []
    const type = /\btype\s*=\s*["']?([^"'\s>]*)/i.exec(tag.text())?.[1]?.toLowerCase() ?? ''
    const isStyle = String(element.kind()) === 'style_element'
    if (
      isStyle
        ? !/^(?:text\/css)?$/.test(type)
        : !/^(?:module|(?:text|application)\/(?:java|ecma)script)?$/.test(type)
    ) {
      return []
    }
    return [{ language: isStyle ? 'css' : 'javascript', text, linesBefore: content.range().start.line }]
  })
}

/** `@SCRIPT`, `@NAME@`, `%NAME%`, `$NAME$`, `##NAME##`, `[[name]]`: a build or a server fills it in. */
const placeholder = /(?<![\w@])@[A-Z][A-Z0-9_]*\b|([%$])[A-Z][A-Z0-9_]*\1|##\w+##|\[\[[^\]]*\]\]|\[\{\[|#\{/

/** Whether a line of an embedded script, counted from 1, parses only when a placeholder in it is filled in. */
export function hasPlaceholder(text: string, line: number): boolean {
  return placeholder.test(text.split('\n')[line - 1] ?? '')
}
