import type { HtmlRule } from '../rule.js'
import { rulesOf } from './shared.js'

const { hint, tag } = rulesOf('bugs')

export const htmlBugsRules: readonly HtmlRule[] = [
  hint.warning('id-unique', {
    sentence:
      'The id is already used by another element, so labels, links and getElementById find only the first one.',
    suggestion: 'Give each element its own id.'
  }),
  hint.error('attr-no-duplication', {
    sentence: 'The element has this attribute twice, and browsers ignore the second one.',
    suggestion: 'Merge the two attributes or remove one.'
  }),
  hint.warning('src-not-empty', {
    sentence: 'The URL is empty, so nothing is shown, and some browsers request the current page again.',
    suggestion: 'Set the URL or remove the attribute.'
  }),
  hint.warning('alt-require', {
    sentence: 'The image has no alt attribute, so screen readers can only read out its file name.',
    suggestion: 'Add alt with a short description, or alt="" if the image is decorative.'
  }),
  tag.warning('label-for-nothing', {
    sentence: "No element has the id in the label's for attribute, so the label is not connected to a field.",
    suggestion: 'Set for to the id of the field.',
    tags: 'label',
    when: ({ attributes }, all) =>
      attributes.has('for') &&
      all.some((each) => /^(?:input|select|textarea)$/.test(each.name)) &&
      !all.some((each) => each.attributes.get('id') === attributes.get('for'))
  }),
  tag.info('button-in-form', {
    sentence:
      'A <button> without type submits the form when it is clicked, in addition to running its handler.',
    suggestion: 'Add type="button".',
    tags: 'button',
    when: ({ attributes, line }, all) =>
      !attributes.has('type') &&
      all.some((each) => each.name === 'form' && each.line < line && each.endLine >= line) &&
      !/\bsubmit\b/i.test(attributes.get('class') ?? '') &&
      [...attributes.keys()].some((name) => name.startsWith('on') || name === '@click')
  }),
  tag.warning('positive-tabindex', {
    sentence:
      'A positive tabindex moves the element to the front of the tab order, away from its place on the page.',
    suggestion: 'Use tabindex="0" or "-1", and order the elements in the markup.',
    tags: null,
    when: ({ attributes }) => Number(attributes.get('tabindex') ?? 0) > 0
  }),
  tag.warning('zoom-disabled', {
    sentence: 'The viewport setting disables zoom, so people with low vision cannot enlarge the text.',
    suggestion: 'Remove user-scalable=no and maximum-scale.',
    tags: 'meta',
    when: ({ attributes }) =>
      attributes.get('name') === 'viewport' &&
      /user-scalable\s*=\s*(?:no|0)|maximum-scale\s*=\s*1(?:\.0)?\b/.test(attributes.get('content') ?? '')
  }),
  tag.info('missing-language', {
    sentence: 'The <html> element has no lang attribute, so screen readers may use the wrong pronunciation.',
    suggestion: 'Add lang, for example <html lang="en">.',
    tags: 'html',
    when: ({ attributes }) => !attributes.has('lang')
  }),
  tag.warning('missing-title', {
    sentence: 'The page has no <title>, so tabs, bookmarks and search results show only its URL.',
    suggestion: 'Add a <title> to the head.',
    tags: 'head',
    when: (_tag, all) => !all.some((each) => each.name === 'title')
  })
]
