import type { CodeBlock } from './code-block.js'
import type { RoledFence } from './fence-roles.js'

const isScript = ({ language }: RoledFence): boolean => /^(?:javascript|js|mjs|typescript|ts)$/.test(language)
const isStyle = ({ language }: RoledFence): boolean => /^(?:css|scss|sass|less)$/.test(language)
const isMarkup = ({ language, code }: RoledFence): boolean =>
  /^(?:html|htm|vue|svelte|xml)$/.test(language) ||
  (language === '' && /^\s*<(?:!doctype|html|template|script|style|div)\b/i.test(code))

const LINKED_STYLE = /[ \t]{0,40}<link\b[^>\n]{0,500}\bstylesheet\b[^>\n]{0,500}>/i
const LINKED_SCRIPT =
  /[ \t]{0,40}<script\b[^>\n]{0,500}\bsrc=["']?(?!https?:|\/\/)[^>\n]{0,500}>\s{0,100}<\/script>/i
const indented = (code: string): string =>
  code
    .trim()
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n')

function putIn(page: string, place: RegExp, end: string, part: string): string {
  // A function, because a dollar sign in the part would be special to `replace`.
  if (place.test(page)) return page.replace(place, () => part)
  const at = page.toLowerCase().lastIndexOf(end)
  return at === -1 ? `${page}\n${part}` : `${page.slice(0, at)}${part}\n${page.slice(at)}`
}

/** A page whose style and script came in separate fences. */
function joinedPage(page: RoledFence, styles: readonly RoledFence[], scripts: readonly RoledFence[]): string {
  let joined = page.code.trim()
  for (const { code } of styles) {
    joined = putIn(joined, LINKED_STYLE, '</head>', `<style>\n${indented(code)}\n</style>`)
  }
  for (const { code } of scripts) {
    joined = putIn(joined, LINKED_SCRIPT, '</body>', `<script>\n${indented(code)}\n</script>`)
  }
  return joined
}

/** A component file whose template, script and style came in separate fences. */
function joinedComponent(parts: readonly RoledFence[]): string {
  return parts
    .map((part) => {
      const code = part.code.trim()
      if (/^<(?:template|script|style)\b/i.test(code)) return code
      if (isStyle(part)) return `<style scoped>\n${code}\n</style>`
      if (!isScript(part)) return `<template>\n${indented(code)}\n</template>`
      const setup = /\bexport\s+default\b/.test(code) ? '' : ' setup'
      return `<script${setup}${/^(?:typescript|ts)$/.test(part.language) ? ' lang="ts"' : ''}>\n${code}\n</script>`
    })
    .join('\n\n')
}

/**
 * One file from fences in several languages that only make sense together; undefined when the response has no
 * such set.
 */
export function joinedMarkup(
  fences: readonly RoledFence[],
  language: string,
  framework: string
): CodeBlock | undefined {
  const parts = fences.filter(
    (fence) => !fence.isTest && !fence.isUsage && (isMarkup(fence) || isScript(fence) || isStyle(fence))
  )
  const [page, ...others] = parts.filter(isMarkup)
  if (page === undefined || parts.length < 2) return undefined
  const isComponent =
    /^(?:vue|svelte)/.test(framework) ||
    /^(?:vue|svelte)/.test(language) ||
    parts.some(({ code }) => /^\s*<template\b/i.test(code))
  if (isComponent) {
    // Each part once: a second script is another version or another file.
    const kinds = parts.map(
      (part) =>
        /^\s*<(template|script|style)\b/i.exec(part.code)?.[1]?.toLowerCase() ??
        (isStyle(part) ? 'style' : isScript(part) ? 'script' : 'template')
    )
    const whole = parts.some(({ code }) => /<template\b/i.test(code) && /<script\b/i.test(code))
    return whole || new Set(kinds).size !== kinds.length
      ? undefined
      : { code: joinedComponent(parts), fence: /^svelte/.test(`${framework}${language}`) ? 'svelte' : 'vue' }
  }
  if (
    others.length > 0 ||
    !/^(?:html|htm|)$/.test(language) ||
    /^(?:react|next|angular|express|fastapi|flask|django)/.test(framework)
  ) {
    return undefined
  }
  return { code: joinedPage(page, parts.filter(isStyle), parts.filter(isScript)), fence: 'html' }
}
