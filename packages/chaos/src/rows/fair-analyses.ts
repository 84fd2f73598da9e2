import { fairRow } from '../harness/fair-row.js'
import { largeCode, longCode, mediumCode, smallCode } from '../hostile/real-code.js'

/** The longest first: it competes with everything that A has sent. */
const SMALL = [longCode, mediumCode, smallCode]

export const fairAnalyses = fairRow({
  name: 'fair-analyses: one token has large files analyzed',
  target: "another token's p95 at most 4 × its own and one job, no 503",
  counts: { quick: 29, full: 29 },
  samples: { quick: 6, full: 21 },
  loads: async ({ count, ask, modestly }) => [
    {
      load: {
        name: `${count} analyses of ${Math.round(largeCode().length / 1000)} KB`,
        count,
        atOnce: count,
        // The analyzers take one and let three wait.
        alone: { count: 12, atOnce: 4 },
        // The default of AI_RATE_LIMIT_PER_MINUTE.
        perMinute: 60,
        send: async (enough) => await ask('analyze', { code: largeCode(), language: 'js' }, enough)
      },
      small: {
        expected: 200,
        send: async (number) =>
          await modestly.ai('analyze', {
            code: (SMALL[number % SMALL.length] ?? smallCode)(),
            language: 'js'
          })
      }
    }
  ]
})
