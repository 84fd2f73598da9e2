import { randomInt } from 'node:crypto'

/** As in packages/testing, which reads it in each test file. */
export const SEED = 'TEST_SEED'

/**
 * The seed of this run: a second run of a file has the same one, so that a failure for one input does not
 * pass as flaky.
 */
export const seedOfRun = (env = process.env) => env[SEED] || String(randomInt(1, 2 ** 31))
