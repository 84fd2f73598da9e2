import { sourceOf } from './test-files.mjs'

/**
 * The test files that cost most, the costliest first. They start before all others: a long file that starts
 * last keeps one core busy while the others have nothing to do.
 */
export const LONGEST = [
  'packages/chaos/test/rows-1-of-2.long.test.ts',
  'packages/chaos/test/rows-2-of-2.long.test.ts',
  'packages/acceptance/test/console/work.long.test.ts',
  'packages/acceptance/test/console/views.long.test.ts',
  'packages/acceptance/test/operators/wrong-settings.long.test.ts',
  'packages/acceptance/test/console/sign-out.long.test.ts',
  'infra/local/test/stack.long.test.ts',
  'apps/inference-worker/test/eval/recorded.long.test.ts',
  'packages/acceptance/test/client/packages.long.test.ts',
  'packages/acceptance/test/operators/admin-cli.long.test.ts',
  'packages/acceptance/test/ai/streaming-load.long.test.ts',
  'apps/cli/test/hostile/hostile-server.long.test.ts',
  'packages/scanner/test/archive-guard/nested.long.test.ts'
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
