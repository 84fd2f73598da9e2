import type { HtmlRule } from '../rule.js'
import { hint, tag } from './shared.js'

export const htmlStyleRules: readonly HtmlRule[] = [
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
