import { contest } from '../harness/contest.js'
import { aiSender, startFairCell } from '../harness/fair-cell.js'
import { createTally, type Row } from '../harness/row.js'
import { largeCode } from '../hostile/real-code.js'

/** The default of AI_RATE_LIMIT_PER_MINUTE. */
const PER_MINUTE = 60
const SAMPLES = { quick: 8, full: 20 }
/** An analysis of this code takes longer. */
const LEAVES_AFTER_MS = 900
/** So that clients disconnect all the time, not only once. */
const AT_ONCE = 4

export const fairAborts: Row = {
  name: 'fair-aborts: one token leaves its analyses in the middle',
  promises: ['P8', 'P11', 'P14'],
  target: "another token's generations: p95 at most 4 × their own and one job, no 503",
  counts: { quick: 16, full: 28 },
  comparesTimes: true,
  run: async ({ rig: start, count, profile, say }) => {
    const rig = await start()
    const tally = createTally()
    const { cell, greedy, modest, hangMs } = await startFairCell(rig)
    try {
      const ask = aiSender({ cell, greedy })
      const b = cell.subject({ token: modest.token, hangMs })
      const send = async (): Promise<number> =>
        await ask('analyze', { code: largeCode(), language: 'js' }, AbortSignal.timeout(LEAVES_AFTER_MS))
      const load = {
        name: `${count} analyses left after ${LEAVES_AFTER_MS / 1000} s`,
        count,
        atOnce: AT_ONCE,
        perMinute: PER_MINUTE,
        send
      }
      const small = {
        expected: 200,
        samples: SAMPLES[profile],
        send: async (number: number) =>
          await b.ai('generate', {
            prompt: `Write a sum, number ${number}.`,
            type: 'code',
            language: 'javascript'
          })
      }
      await contest({ load, small, profile, tally, say })
      tally.violations.push(...b.takeFaults())
    } finally {
      await cell.stop()
    }
    return tally
  }
}
