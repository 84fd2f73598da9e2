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

export const htmlRules: readonly HtmlRule[] = [
  tag(
    'security',
    'inline-handler',
    'warning',
    {
      sentence: 'Script in an attribute cannot be told from injected script.',
      suggestion:
        'Attach handlers from a script file, and forbid inline script with a content security policy.'
    },
    null,
    ({ attributes }) => [...attributes.keys()].some((name) => /^on[a-z]+$/.test(name))
  ),
  tag(
    'security',
    'javascript-address',
    'warning',
    { sentence: 'A javascript: address runs its text as code.', suggestion: 'Use a button with a handler.' },
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
      sentence: 'A link opens a new window that can steer this one.',
      suggestion: 'Add rel="noopener noreferrer" to links with target="_blank".'
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
      sentence: 'The resource is loaded over a plain connection, where anyone can replace it.',
      suggestion: 'Load it over https.'
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
      sentence: 'Script from another site is run without checking that it is still the same.',
      suggestion: 'Add integrity and crossorigin attributes.'
    },
    'script',
    ({ attributes }) => isOutside(attributes.get('src')) && !attributes.has('integrity')
  ),
  tag(
    'security',
    'iframe-without-sandbox',
    'info',
    {
      sentence: 'A page of another site is embedded with all rights.',
      suggestion: 'Add a sandbox attribute.'
    },
    'iframe',
    ({ attributes }) => isOutside(attributes.get('src')) && !attributes.has('sandbox')
  ),
  tag(
    'security',
    'password-by-get',
    'warning',
    {
      sentence: 'The form sends what is typed as part of the address, where it is logged.',
      suggestion: 'Use method="post".'
    },
    'form',
    ({ attributes, line }, all) => {
      if ((attributes.get('method') ?? 'get').toLowerCase() !== 'get') return false
      const next = all.find((each) => each.name === 'form' && each.line > line)?.line ?? Infinity
      return all.some(
        (each) =>
          each.name === 'input' &&
          each.attributes.get('type') === 'password' &&
          each.line >= line &&
          each.line < next
      )
    }
  ),
  tag(
    'security',
    'permissive-policy',
    'warning',
    {
      sentence: 'The content security policy allows injected script.',
      suggestion: 'Drop unsafe-inline and unsafe-eval from script-src.'
    },
    'meta',
    ({ attributes }) =>
      attributes.get('http-equiv')?.toLowerCase() === 'content-security-policy' &&
      /script-src[^;]*'unsafe-(?:inline|eval)'|default-src\s+\*/.test(attributes.get('content') ?? '')
  ),
  tag(
    'security',
    'raw-markup',
    'warning',
    {
      sentence: "A value goes into the page as markup, so a visitor's text can run as script.",
      suggestion: 'Show the value as text, or sanitize it.'
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
      sentence: 'The page waits for this script before it shows anything.',
      suggestion: 'Add defer or type="module".'
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
    { sentence: 'The page jumps when the picture arrives.', suggestion: 'Give pictures width and height.' },
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
      sentence: 'A style sheet inside the body makes the page render twice.',
      suggestion: 'Move it into the head.'
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
      sentence: 'A large picture is written into the page and delays it.',
      suggestion: 'Load the picture from a file.'
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
      sentence: 'The video is loaded and played at once.',
      suggestion: 'Let visitors start it, and set preload="none".'
    },
    'video audio',
    ({ attributes }) => attributes.has('autoplay') && !attributes.has('muted')
  ),
  hint('bugs', 'id-unique', 'error', {
    sentence: 'Two elements have the same id.',
    suggestion: 'Give each element its own id.'
  }),
  hint('bugs', 'attr-no-duplication', 'error', {
    sentence: 'An attribute is given twice; the second is ignored.',
    suggestion: 'Keep one of them.'
  }),
  hint('bugs', 'src-not-empty', 'warning', {
    sentence: 'An empty address loads the page itself again.',
    suggestion: 'Give the address or drop the attribute.'
  }),
  hint('bugs', 'alt-require', 'warning', {
    sentence: 'The picture has no text for people who cannot see it.',
    suggestion: 'Add an alt attribute; alt="" for decoration.'
  }),
  tag(
    'bugs',
    'label-for-nothing',
    'warning',
    { sentence: 'The label belongs to a field that does not exist.', suggestion: 'Use the id of the field.' },
    'label',
    ({ attributes }, all) =>
      attributes.has('for') &&
      all.some((each) => each.name === 'input') &&
      !all.some((each) => each.attributes.get('id') === attributes.get('for'))
  ),
  tag(
    'bugs',
    'button-in-form',
    'info',
    { sentence: 'A button without a type sends the form.', suggestion: 'Give the button a type.' },
    'button',
    ({ attributes, line }, all) =>
      !attributes.has('type') &&
      all.some((each) => each.name === 'form' && each.line < line) &&
      !/\bsubmit\b/i.test(attributes.get('class') ?? '') &&
      [...attributes.keys()].some((name) => name.startsWith('on') || name === '@click')
  ),
  tag(
    'bugs',
    'positive-tabindex',
    'warning',
    {
      sentence: 'A positive tabindex breaks the order of the keyboard.',
      suggestion: 'Use 0 or -1 and put elements in order.'
    },
    null,
    ({ attributes }) => Number(attributes.get('tabindex') ?? 0) > 0
  ),
  tag(
    'bugs',
    'zoom-disabled',
    'warning',
    {
      sentence: 'People who need larger text cannot zoom.',
      suggestion: 'Drop user-scalable=no and maximum-scale.'
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
      sentence: 'The page does not say which language it is in.',
      suggestion: 'Add a lang attribute to html.'
    },
    'html',
    ({ attributes }) => !attributes.has('lang')
  ),
  tag(
    'bugs',
    'missing-title',
    'warning',
    { sentence: 'The page has no title.', suggestion: 'Add a title to the head.' },
    'head',
    (_tag, all) => !all.some((each) => each.name === 'title')
  ),
  tag(
    'style',
    'inline-style',
    'info',
    { sentence: 'The style of one element is written into the page.', suggestion: 'Use a class.' },
    null,
    ({ attributes }) =>
      (attributes.get('style') ?? '').split(';').filter((part) => part.trim() !== '').length > 1
  ),
  tag(
    'style',
    'obsolete-tag',
    'info',
    { sentence: 'This element is obsolete.', suggestion: 'Use CSS or a modern element.' },
    'font center marquee blink big strike tt frame frameset applet acronym',
    () => true
  ),
  tag(
    'style',
    'obsolete-attribute',
    'info',
    { sentence: 'This attribute is obsolete.', suggestion: 'Use CSS.' },
    'table td tr body p div img',
    ({ attributes }) =>
      ['bgcolor', 'align', 'valign', 'cellpadding', 'cellspacing'].some((name) => attributes.has(name))
  ),
  hint(
    'style',
    'tagname-lowercase',
    'info',
    { sentence: 'The name of an element has capitals.', suggestion: 'Write element names in lower case.' },
    ['clipPath', 'linearGradient', 'radialGradient', 'foreignObject', 'textPath']
  ),
  hint('style', 'attr-value-double-quotes', 'info', {
    sentence: 'An attribute is not in double quotes.',
    suggestion: 'Put attribute values into double quotes.'
  }),
  hint('style', 'spec-char-escape', 'info', {
    sentence: 'A special character is not escaped.',
    suggestion: 'Write &lt;, &gt; or &amp;.'
  }),
  tag(
    'style',
    'missing-charset',
    'info',
    {
      sentence: 'The page does not say how its characters are encoded.',
      suggestion: 'Add <meta charset="utf-8"> to the head.'
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
