import { sourceOf } from './test-files.mjs'

/**
 * The last lines of a run: what was skipped and why, which files passed only when they were run again, and
 * the count. Files that failed at first while the machine stood still are not flaky.
 * @param {object} run
 * @param {number} run.passed
 * @param {number} run.failed
 * @param {readonly import('./tap-results.mjs').TapSkip[]} run.skipped
 * @param {readonly string[]} run.flaky compiled test files
 * @param {readonly string[]} run.disturbed compiled test files
 * @param {readonly import('./standstills.mjs').Span[]} run.standstills
 * @param {number} run.maxFlaky more flaky files than this are a failure
 * @returns {{ lines: string[], exitCode: 0 | 1 }}
 */
export function summarize({ passed, failed, skipped, flaky, disturbed, standstills, maxFlaky }) {
  const isTooFlaky = flaky.length > maxFlaky
  const failures = isTooFlaky ? failed + 1 : failed
  return {
    lines: [
      ...skipped.map(
        ({ path: [file = '', ...names], reason }) =>
          `SKIPPED ${[sourceOf(file), ...names].join(' › ')}: ${reason}`
      ),
      ...standstills.map(
        ({ from, to }) => `The machine stood still for ${Math.round((to - from) / 1000)} s.`
      ),
      ...disturbed.map((file) => `DISTURBED ${sourceOf(file)}`),
      ...flaky.map((file) => `FLAKY ${sourceOf(file)}`),
      ...(isTooFlaky ? [`${flaky.length} files are flaky, and at most ${maxFlaky} may be.`] : []),
      `${passed} passed, ${failures} failed`
    ],
    exitCode: failures === 0 ? 0 : 1
  }
}
