import type { HtmlRule } from '../rule.js'
import { hasHead, rulesOf } from './shared.js'

const { tag } = rulesOf('performance')

export const htmlPerformanceRules: readonly HtmlRule[] = [
  tag.info('blocking-script', {
    sentence: 'The script in the head blocks rendering until it has been loaded and run.',
    suggestion: 'Add defer, async or type="module".',
    tags: 'script',
    when: ({ attributes, line }, all) => {
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
  }),
  tag.info('image-without-size', {
    sentence: 'The image has no width and height, so the layout shifts when it loads.',
    suggestion: 'Add width and height, or set the size in CSS by a class.',
    tags: 'img',
    when: ({ attributes }) =>
      attributes.has('src') &&
      !(attributes.has('width') && attributes.has('height')) &&
      !attributes.has('style') &&
      !attributes.has('class')
  }),
  tag.info('late-style-sheet', {
    sentence:
      'The style sheet in the body loads late, so the browser may render the page again with new styles.',
    suggestion: 'Move the <link> to the head.',
    tags: 'link',
    when: ({ attributes, line }, all) =>
      attributes.get('rel') === 'stylesheet' && all.some((each) => each.name === 'body' && each.line < line)
  }),
  tag.info('large-data-image', {
    sentence: 'The data URL is larger than 4 KB, so it delays the whole page and cannot be cached by itself.',
    suggestion: 'Move the image to a file.',
    tags: 'img',
    when: ({ attributes }) =>
      /^data:/.test(attributes.get('src') ?? '') && (attributes.get('src') ?? '').length > 4_000
  }),
  tag.info('autoplay', {
    sentence: 'The media loads and plays with sound as soon as the page opens, and many browsers block that.',
    suggestion: 'Remove autoplay, or add muted.',
    tags: 'video audio',
    when: ({ attributes }) => attributes.has('autoplay') && !attributes.has('muted')
  })
]
