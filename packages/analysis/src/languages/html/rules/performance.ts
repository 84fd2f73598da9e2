import type { HtmlRule } from '../rule.js'
import { hasHead, tag } from './shared.js'

export const htmlPerformanceRules: readonly HtmlRule[] = [
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
  )
]
