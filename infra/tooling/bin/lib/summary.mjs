import { sourceOf } from './test-files.mjs'

/**
 * The last lines of a run: what was skipped and why, which files passed only when they were run again, and
 * the count.
 * @param {object} run
 * @param {number} run.passed
 * @param {number} run.failed
 * @param {readonly import('./tap-results.mjs').TapSkip[]} run.skipped
 * @param {readonly string[]} run.flaky compiled test files
 * @param {number} run.maxFlaky more flaky files than this are a failure
 * @returns {{ lines: string[], exitCode: 0 | 1 }}
 */
export function summarize({ passed, failed, skipped, flaky, maxFlaky }) {
  const isTooFlaky = flaky.length > maxFlaky
  const failures = isTooFlaky ? failed + 1 : failed
  return {
    lines: [
      ...skipped.map(
        ({ path: [file = '', ...names], reason }) =>
          `SKIPPED ${[sourceOf(file), ...names].join(' › ')}: ${reason}`
      ),
      ...flaky.map((file) => `FLAKY ${sourceOf(file)}`),
      ...(isTooFlaky ? [`${flaky.length} files are flaky, and at most ${maxFlaky} may be.`] : []),
      `${passed} passed, ${failures} failed`
    ],
    exitCode: failures === 0 ? 0 : 1
  }
}
