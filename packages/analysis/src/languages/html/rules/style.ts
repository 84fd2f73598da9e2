import type { HtmlRule } from '../rule.js'
import { rulesOf } from './shared.js'

const { hint, tag } = rulesOf('style')

export const htmlStyleRules: readonly HtmlRule[] = [
  tag.info('inline-style', {
    sentence: 'The inline style overrides the style sheet and cannot be reused.',
    suggestion: 'Move the declarations to a class.',
    tags: null,
    when: ({ attributes }) =>
      (attributes.get('style') ?? '').split(';').filter((part) => part.trim() !== '').length > 1
  }),
  tag.info('obsolete-tag', {
    sentence: 'The element is obsolete in HTML, and browsers may stop supporting it.',
    suggestion: 'Use CSS or a current element.',
    tags: 'font center marquee blink big strike tt frame frameset applet acronym',
    when: () => true
  }),
  tag.info('obsolete-attribute', {
    sentence: 'The attribute is obsolete in HTML; presentation belongs in CSS.',
    suggestion: 'Use CSS, such as text-align, vertical-align or padding.',
    tags: 'table td tr body p div img',
    when: ({ attributes }) =>
      ['bgcolor', 'align', 'valign', 'cellpadding', 'cellspacing'].some((name) => attributes.has(name))
  }),
  hint.info('tagname-lowercase', {
    sentence: 'The tag name has upper-case letters.',
    suggestion: 'Write tag names in lower case.',
    options: ['clipPath', 'linearGradient', 'radialGradient', 'foreignObject', 'textPath']
  }),
  hint.info('attr-value-double-quotes', {
    sentence: 'The attribute value is not in double quotes.',
    suggestion: 'Put attribute values in double quotes.'
  }),
  hint.info('spec-char-escape', {
    sentence: 'The text contains an unescaped < or >, which browsers may read as a tag.',
    suggestion: 'Write &lt; or &gt;.'
  }),
  tag.info('missing-charset', {
    sentence: 'The page declares no character encoding, so browsers guess it and may garble the text.',
    suggestion: 'Add <meta charset="utf-8"> at the start of the head.',
    tags: 'head',
    when: (_tag, all) =>
      !all.some(
        (each) =>
          each.name === 'meta' &&
          (each.attributes.has('charset') ||
            each.attributes.get('http-equiv')?.toLowerCase() === 'content-type')
      )
  })
]
