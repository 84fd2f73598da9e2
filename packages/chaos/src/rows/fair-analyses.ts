import { contest } from '../harness/contest.js'
import { aiSender, startFairCell } from '../harness/fair-cell.js'
import { createTally, type Row } from '../harness/row.js'
import { largeCode, longCode, mediumCode, smallCode } from '../hostile/real-code.js'

/** The default of AI_RATE_LIMIT_PER_MINUTE. */
const PER_MINUTE = 60
const SAMPLES = { quick: 6, full: 21 }
/** The analyzers take one and let three wait. */
const ALONE = { count: 12, atOnce: 4 }
/** The longest first: it competes with everything that A has sent. */
const SMALL = [longCode, mediumCode, smallCode]

export const fairAnalyses: Row = {
  name: 'fair-analyses: one token has large files analyzed',
  promises: ['P8', 'P14'],
  target: "another token's p95 at most 4 × its own and one job, no 503",
  counts: { quick: 29, full: 29 },
  comparesTimes: true,
  run: async ({ rig: start, count, profile, say }) => {
    const rig = await start()
    const tally = createTally()
    const { cell, greedy, modest, hangMs } = await startFairCell(rig)
    try {
      const ask = aiSender({ cell, greedy })
      const b = cell.subject({ token: modest.token, hangMs })
      const load = {
        name: `${count} analyses of ${Math.round(largeCode().length / 1000)} KB`,
        count,
        atOnce: count,
        alone: ALONE,
        perMinute: PER_MINUTE,
        send: async (enough: AbortSignal) =>
          await ask('analyze', { code: largeCode(), language: 'js' }, enough)
      }
      const small = {
        expected: 200,
        samples: SAMPLES[profile],
        send: async (number: number) =>
          await b.ai('analyze', { code: (SMALL[number % SMALL.length] ?? smallCode)(), language: 'js' })
      }
      await contest({ load, small, profile, tally, say })
      tally.violations.push(...b.takeFaults())
    } finally {
      await cell.stop()
    }
    return tally
  }
}
