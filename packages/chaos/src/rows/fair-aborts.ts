import { fairRow } from '../harness/fair-row.js'
import { largeCode } from '../hostile/real-code.js'

/** An analysis of this code takes longer. */
const LEAVES_AFTER_MS = 900

export const fairAborts = fairRow({
  name: 'fair-aborts: one token leaves its analyses in the middle',
  promises: ['P8', 'P11', 'P14'],
  target: "another token's generations: p95 at most 4 × their own and one job, no 503",
  counts: { quick: 16, full: 28 },
  samples: { quick: 8, full: 20 },
  loads: async ({ count, ask, modestly }) => [
    {
      load: {
        name: `${count} analyses left after ${LEAVES_AFTER_MS / 1000} s`,
        count,
        // So that clients disconnect all the time, not only once.
        atOnce: 4,
        // The default of AI_RATE_LIMIT_PER_MINUTE.
        perMinute: 60,
        send: async () =>
          await ask('analyze', { code: largeCode(), language: 'js' }, AbortSignal.timeout(LEAVES_AFTER_MS))
      },
      small: {
        expected: 200,
        send: async (number) =>
          await modestly.ai('generate', {
            prompt: `Write a sum, number ${number}.`,
            type: 'code',
            language: 'javascript'
          })
      }
    }
  ]
})
