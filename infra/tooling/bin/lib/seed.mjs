import { randomInt } from 'node:crypto'

/** As in packages/testing, which reads it in each test file. */
export const SEED = 'TEST_SEED'

/** The short suite uses the same inputs for everyone, so it passes or fails for everyone. */
const SHORT_SUITE_SEED = '1'

/**
 * The seed of this run: a second run of a file has the same one, so that a failure for one input does not
 * pass as flaky. Runs that include the long suite try new inputs each time.
 * @param {readonly ('short' | 'long')[]} suites
 */
export const seedOfRun = (suites, env = process.env) =>
  env[SEED] || (suites.includes('long') ? String(randomInt(1, 2 ** 31)) : SHORT_SUITE_SEED)
