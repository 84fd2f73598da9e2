import { contest } from '../harness/contest.js'
import { aiSender, startFairCell } from '../harness/fair-cell.js'
import { createTally, type Row } from '../harness/row.js'

/** The default of AI_RATE_LIMIT_PER_MINUTE. */
const PER_MINUTE = 60
const SAMPLES = { quick: 8, full: 20 }
/** The model's delay for requests with the mark. */
const THINKS_MS = { quick: 3_000, full: 12_000 }
const MARK = 'Think about it for long.'

export const fairGenerations: Row = {
  name: 'fair-generations: one token has the model write for long',
  promises: ['P8', 'P14'],
  target: "another token's generations: p95 at most 4 × their own and one job, no 503",
  counts: { quick: 40, full: 40 },
  comparesTimes: true,
  run: async ({ rig: start, count, profile, say }) => {
    const rig = await start()
    const tally = createTally()
    const { cell, greedy, modest, hangMs } = await startFairCell(rig)
    const thinksMs = THINKS_MS[profile]
    rig.scriptModel(({ messages }) =>
      messages.some(({ content }) => content.includes(MARK))
        ? { kind: 'slow', firstTokenMs: thinksMs }
        : undefined
    )
    try {
      const ask = aiSender({ cell, greedy })
      const b = cell.subject({ token: modest.token, hangMs })
      const generate = (prompt: string): object => ({ prompt, type: 'code', language: 'javascript' })
      const load = {
        name: `${count} generations of ${thinksMs / 1000} s`,
        count,
        atOnce: count,
        perMinute: PER_MINUTE,
        send: async (enough: AbortSignal) => await ask('generate', generate(`Write a sum. ${MARK}`), enough)
      }
      const small = {
        expected: 200,
        samples: SAMPLES[profile],
        send: async (number: number) => await b.ai('generate', generate(`Write a sum, number ${number}.`))
      }
      await contest({ load, small, profile, tally, say })
      tally.violations.push(...b.takeFaults())
    } finally {
      rig.scriptModel(null)
      await cell.stop()
    }
    return tally
  }
}
