import type { HintRule, HtmlRule, TagRule } from './rule.js'
import type { AnalysisType, RuleInfo, Severity } from '../../types.js'

type Words = Pick<RuleInfo, 'sentence' | 'suggestion'>

const hint = (
  analysisType: AnalysisType,
  rule: string,
  severity: Severity,
  words: Words,
  options?: unknown
): HintRule => ({
  id: `html/${rule}`,
  engine: 'hint',
  languages: ['html'],
  analysisType,
  severity,
  ...words,
  rule,
  ...(options === undefined ? {} : { options })
})
const tag = (
  analysisType: AnalysisType,
  id: string,
  severity: Severity,
  words: Words,
  tags: string | null,
  when: TagRule['when']
): TagRule => ({
  id: `html/${id}`,
  engine: 'tag',
  languages: ['html'],
  analysisType,
  severity,
  ...words,
  tags,
  when
})

const isOutside = (address: string | null | undefined): boolean => /^(?:https?:)?\/\//i.test(address ?? '')
const hasHead = (all: Parameters<TagRule['when']>[1]): boolean => all.some((each) => each.name === 'head')

/** Without script-src, default-src decides about scripts; a nonce or a hash turns 'unsafe-inline' off. */
function allowsInjectedScript(policy: string): boolean {
  const directives = policy
    .toLowerCase()
    .split(';')
    .map((directive) => directive.trim().split(/\s+/))
  const own = directives.filter(([name]) => /^script-src(?:-elem|-attr)?$/.test(name ?? ''))
  const deciding = own.length > 0 ? own : directives.filter(([name]) => name === 'default-src')
  return deciding.some(
    (sources) =>
      sources.includes("'unsafe-eval'") ||
      (!sources.some((source) => /^'(?:nonce|sha\d+)-/.test(source)) &&
        (sources.includes("'unsafe-inline'") || sources.includes('*')))
  )
}

export const htmlRules: readonly HtmlRule[] = [
  tag(
    'security',
    'inline-handler',
    'warning',
    {
      sentence:
        "The inline event handler needs a content security policy with 'unsafe-inline', which also allows injected scripts.",
      suggestion: 'Add the handler with addEventListener in a script file.'
    },
    null,
    ({ attributes }) => [...attributes.keys()].some((name) => /^on[a-z]+$/.test(name))
  ),
  tag(
    'security',
    'javascript-address',
    'warning',
    {
      sentence:
        'A javascript: URL runs its text as code, and a content security policy has to allow inline scripts for it.',
      suggestion: 'Use a <button> with an event handler.'
    },
    'a form iframe area',
    ({ attributes }) =>
      ['href', 'action', 'src'].some((name) =>
        /^\s*javascript:(?!\s*(?:void\(0\)|;)?\s*$)/i.test(attributes.get(name) ?? '')
      )
  ),
  tag(
    'security',
    'target-blank',
    'info',
    {
      sentence:
        'In older browsers, the page that this link opens can navigate your page through window.opener.',
      suggestion: 'Add rel="noopener" to links with target="_blank".'
    },
    'a',
    ({ attributes }) =>
      attributes.get('target') === '_blank' &&
      isOutside(attributes.get('href')) &&
      !/no(?:opener|referrer)/.test(attributes.get('rel') ?? '')
  ),
  tag(
    'security',
    'insecure-resource',
    'warning',
    {
      sentence:
        'The URL uses http, so anyone on the network can read or replace what is sent, and browsers block it on https pages.',
      suggestion: 'Use https or a relative URL.'
    },
    'script link iframe img form',
    ({ attributes }) =>
      ['src', 'href', 'action'].some((name) =>
        /^http:\/\/(?!localhost|127\.)/i.test(attributes.get(name) ?? '')
      )
  ),
  tag(
    'security',
    'missing-integrity',
    'info',
    {
      sentence: 'The browser runs this third-party script even if it was changed on the other server.',
      suggestion: 'Add integrity with the hash of the script, and crossorigin="anonymous".'
    },
    'script',
    ({ attributes }) => isOutside(attributes.get('src')) && !attributes.has('integrity')
  ),
  tag(
    'security',
    'iframe-without-sandbox',
    'info',
    {
      sentence: 'Without sandbox, the embedded page can open pop-ups, submit forms and navigate your page.',
      suggestion: 'Add a sandbox attribute with the permissions that the page needs.'
    },
    'iframe',
    ({ attributes }) => isOutside(attributes.get('src')) && !attributes.has('sandbox')
  ),
  tag(
    'security',
    'password-by-get',
    'warning',
    {
      sentence:
        'The form sends the password by GET, so it ends up in the URL, the browser history and server logs.',
      suggestion: 'Add method="post" to the form.'
    },
    'form',
    ({ attributes, line, endLine }, all) => {
      if ((attributes.get('method') ?? 'get').toLowerCase() !== 'get') return false
      return all.some(
        (each) =>
          each.name === 'input' &&
          each.attributes.get('type') === 'password' &&
          each.line >= line &&
          each.line <= endLine
      )
    }
  ),
  tag(
    'security',
    'permissive-policy',
    'warning',
    {
      sentence:
        'The content security policy allows inline scripts, eval or any origin, so it does not stop injected scripts.',
      suggestion:
        "Remove 'unsafe-inline', 'unsafe-eval' and * from script-src and default-src; use nonces or hashes."
    },
    'meta',
    ({ attributes }) =>
      attributes.get('http-equiv')?.toLowerCase() === 'content-security-policy' &&
      allowsInjectedScript(attributes.get('content') ?? '')
  ),
  tag(
    'security',
    'raw-markup',
    'warning',
    {
      sentence:
        'The value is inserted as HTML without escaping, so user input in it can run as a script (XSS).',
      suggestion: 'Bind the value as text, or sanitize it first, for example with DOMPurify.'
    },
    null,
    ({ attributes }) =>
      ['v-html', '[innerhtml]', 'ng-bind-html-unsafe', 'x-html'].some((name) => attributes.has(name))
  ),
  tag(
    'performance',
    'blocking-script',
    'info',
    {
      sentence: 'The script in the head blocks rendering until it has been loaded and run.',
      suggestion: 'Add defer, async or type="module".'
    },
    'script',
    ({ attributes, line }, all) => {
      const body = all.find((each) => each.name === 'body')
      return (
        attributes.has('src') &&
        !attributes.has('defer') &&
        !attributes.has('async') &&
        attributes.get('type') !== 'module' &&
        hasHead(all) &&
        (body === undefined || line < body.line)
      )
    }
  ),
  tag(
    'performance',
    'image-without-size',
    'info',
    {
      sentence: 'The image has no width and height, so the layout shifts when it loads.',
      suggestion: 'Add width and height, or set the size in CSS by a class.'
    },
    'img',
    ({ attributes }) =>
      attributes.has('src') &&
      !(attributes.has('width') && attributes.has('height')) &&
      !attributes.has('style') &&
      !attributes.has('class')
  ),
  tag(
    'performance',
    'late-style-sheet',
    'info',
    {
      sentence:
        'The style sheet in the body loads late, so the browser may render the page again with new styles.',
      suggestion: 'Move the <link> to the head.'
    },
    'link',
    ({ attributes, line }, all) =>
      attributes.get('rel') === 'stylesheet' && all.some((each) => each.name === 'body' && each.line < line)
  ),
  tag(
    'performance',
    'large-data-image',
    'info',
    {
      sentence:
        'The data URL is larger than 4 KB, so it delays the whole page and cannot be cached by itself.',
      suggestion: 'Move the image to a file.'
    },
    'img',
    ({ attributes }) =>
      /^data:/.test(attributes.get('src') ?? '') && (attributes.get('src') ?? '').length > 4_000
  ),
  tag(
    'performance',
    'autoplay',
    'info',
    {
      sentence:
        'The media loads and plays with sound as soon as the page opens, and many browsers block that.',
      suggestion: 'Remove autoplay, or add muted.'
    },
    'video audio',
    ({ attributes }) => attributes.has('autoplay') && !attributes.has('muted')
  ),
  hint('bugs', 'id-unique', 'error', {
    sentence:
      'The id is already used by another element, so labels, links and getElementById find only the first one.',
    suggestion: 'Give each element its own id.'
  }),
  hint('bugs', 'attr-no-duplication', 'error', {
    sentence: 'The element has this attribute twice, and browsers ignore the second one.',
    suggestion: 'Merge the two attributes or remove one.'
  }),
  hint('bugs', 'src-not-empty', 'warning', {
    sentence: 'The URL is empty, so nothing is shown, and some browsers request the current page again.',
    suggestion: 'Set the URL or remove the attribute.'
  }),
  hint('bugs', 'alt-require', 'warning', {
    sentence: 'The image has no alt attribute, so screen readers can only read out its file name.',
    suggestion: 'Add alt with a short description, or alt="" if the image is decorative.'
  }),
  tag(
    'bugs',
    'label-for-nothing',
    'warning',
    {
      sentence:
        "No element has the id in the label's for attribute, so the label is not connected to a field.",
      suggestion: 'Set for to the id of the field.'
    },
    'label',
    ({ attributes }, all) =>
      attributes.has('for') &&
      all.some((each) => /^(?:input|select|textarea)$/.test(each.name)) &&
      !all.some((each) => each.attributes.get('id') === attributes.get('for'))
  ),
  tag(
    'bugs',
    'button-in-form',
    'info',
    {
      sentence:
        'A <button> without type submits the form when it is clicked, in addition to running its handler.',
      suggestion: 'Add type="button".'
    },
    'button',
    ({ attributes, line }, all) =>
      !attributes.has('type') &&
      all.some((each) => each.name === 'form' && each.line < line && each.endLine >= line) &&
      !/\bsubmit\b/i.test(attributes.get('class') ?? '') &&
      [...attributes.keys()].some((name) => name.startsWith('on') || name === '@click')
  ),
  tag(
    'bugs',
    'positive-tabindex',
    'warning',
    {
      sentence:
        'A positive tabindex moves the element to the front of the tab order, away from its place on the page.',
      suggestion: 'Use tabindex="0" or "-1", and order the elements in the markup.'
    },
    null,
    ({ attributes }) => Number(attributes.get('tabindex') ?? 0) > 0
  ),
  tag(
    'bugs',
    'zoom-disabled',
    'warning',
    {
      sentence: 'The viewport setting disables zoom, so people with low vision cannot enlarge the text.',
      suggestion: 'Remove user-scalable=no and maximum-scale.'
    },
    'meta',
    ({ attributes }) =>
      attributes.get('name') === 'viewport' &&
      /user-scalable\s*=\s*(?:no|0)|maximum-scale\s*=\s*1(?:\.0)?\b/.test(attributes.get('content') ?? '')
  ),
  tag(
    'bugs',
    'missing-language',
    'info',
    {
      sentence:
        'The <html> element has no lang attribute, so screen readers may use the wrong pronunciation.',
      suggestion: 'Add lang, for example <html lang="en">.'
    },
    'html',
    ({ attributes }) => !attributes.has('lang')
  ),
  tag(
    'bugs',
    'missing-title',
    'warning',
    {
      sentence: 'The page has no <title>, so tabs, bookmarks and search results show only its URL.',
      suggestion: 'Add a <title> to the head.'
    },
    'head',
    (_tag, all) => !all.some((each) => each.name === 'title')
  ),
  tag(
    'style',
    'inline-style',
    'info',
    {
      sentence: 'The inline style overrides the style sheet and cannot be reused.',
      suggestion: 'Move the declarations to a class.'
    },
    null,
    ({ attributes }) =>
      (attributes.get('style') ?? '').split(';').filter((part) => part.trim() !== '').length > 1
  ),
  tag(
    'style',
    'obsolete-tag',
    'info',
    {
      sentence: 'The element is obsolete in HTML, and browsers may stop supporting it.',
      suggestion: 'Use CSS or a current element.'
    },
    'font center marquee blink big strike tt frame frameset applet acronym',
    () => true
  ),
  tag(
    'style',
    'obsolete-attribute',
    'info',
    {
      sentence: 'The attribute is obsolete in HTML; presentation belongs in CSS.',
      suggestion: 'Use CSS, such as text-align, vertical-align or padding.'
    },
    'table td tr body p div img',
    ({ attributes }) =>
      ['bgcolor', 'align', 'valign', 'cellpadding', 'cellspacing'].some((name) => attributes.has(name))
  ),
  hint(
    'style',
    'tagname-lowercase',
    'info',
    { sentence: 'The tag name has upper-case letters.', suggestion: 'Write tag names in lower case.' },
    ['clipPath', 'linearGradient', 'radialGradient', 'foreignObject', 'textPath']
  ),
  hint('style', 'attr-value-double-quotes', 'info', {
    sentence: 'The attribute value is not in double quotes.',
    suggestion: 'Put attribute values in double quotes.'
  }),
  hint('style', 'spec-char-escape', 'info', {
    sentence: 'The text contains an unescaped < or >, which browsers may read as a tag.',
    suggestion: 'Write &lt; or &gt;.'
  }),
  tag(
    'style',
    'missing-charset',
    'info',
    {
      sentence: 'The page declares no character encoding, so browsers guess it and may garble the text.',
      suggestion: 'Add <meta charset="utf-8"> at the start of the head.'
    },
    'head',
    (_tag, all) =>
      !all.some(
        (each) =>
          each.name === 'meta' &&
          (each.attributes.has('charset') ||
            each.attributes.get('http-equiv')?.toLowerCase() === 'content-type')
      )
  )
]
