import type { HtmlRule } from '../rule.js'
import { hint, tag } from './shared.js'

export const htmlBugsRules: readonly HtmlRule[] = [
  hint('bugs', 'id-unique', 'warning', {
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
  )
]
