import { sourceOf } from './test-files.mjs'

/**
 * Test files that take more than half a minute on a machine with two cores, longest first. They start before
 * all others: a long file that starts last keeps one core busy while the others are idle.
 */
export const LONGEST = [
  'packages/chaos/test/rows-1-of-3.long.test.ts',
  'packages/chaos/test/rows-2-of-3.long.test.ts',
  'packages/chaos/test/rows-3-of-3.long.test.ts'
]

/**
 * The order in which test files start: those of `longest`, then the rest of the long suite, then the short
 * suite.
 * @param {readonly string[]} files relative to the root, compiled
 * @param {readonly string[]} [longest] their sources
 */
export function longestFirst(files, longest = LONGEST) {
  const rankOf = (/** @type {string} */ file) => {
    const rank = longest.indexOf(sourceOf(file))
    if (rank !== -1) return rank
    return longest.length + (file.includes('.long.') ? 0 : 1)
  }
  return [...files].sort((a, b) => rankOf(a) - rankOf(b))
}
