import type { AiPath } from '@filewright/acceptance'
import { contest } from '../harness/contest.js'
import { aiSender, startFairCell } from '../harness/fair-cell.js'
import { createTally, type Row } from '../harness/row.js'
import { smallCode } from '../hostile/real-code.js'
import { slowFile, slowFiles } from '../hostile/slow-code.js'

/** A's rounds follow each other as fast as its request limit allows. */
const PER_MINUTE = 60
const SAMPLES = { quick: 6, full: 20 }
const BATCH_FILES = 5

/** The other token's concurrent requests. */
const requests: ReadonlyArray<readonly [path: AiPath, body: (number: number) => object]> = [
  ['analyze', () => ({ code: smallCode(), language: 'js' })],
  [
    'analyze/batch',
    () => ({
      files: Array.from({ length: BATCH_FILES }, (_, number) => ({
        path: `${number}.js`,
        code: smallCode(),
        language: 'js'
      }))
    })
  ],
  [
    'optimize',
    () => ({
      code: `${smallCode()}export function last (list) {\n  var size = list.length\n  return list[size - 1]\n}\n`,
      language: 'js'
    })
  ],
  [
    'generate',
    (number) => ({ prompt: `Write a sum, number ${number}.`, type: 'code', language: 'javascript' })
  ]
]

export const fairBatches: Row = {
  name: 'fair-batches: one token has batches of small and slow files analyzed',
  promises: ['P8', 'P15'],
  target: "another token's p95 at most 4 × its own and one file, no 5xx",
  counts: { quick: 29, full: 29 },
  comparesTimes: true,
  run: async ({ rig: start, count, profile, say }) => {
    const rig = await start()
    const tally = createTally()
    // Four contests in one minute are more than its limit of requests allows a token.
    const { cell, greedy, modest, hangMs } = await startFairCell(rig, { AI_RATE_LIMIT_PER_MINUTE: '0' })
    try {
      const ask = aiSender({ cell, greedy })
      const b = cell.subject({ token: modest.token, hangMs })
      for (const [path, body] of requests) {
        const load = {
          name: `${count} batches of ${slowFiles().length} slow files, B's ${path}`,
          count,
          atOnce: count,
          // A's throughput alone is the same for every kind of B's requests.
          alone: { count: 2, atOnce: 2 },
          perMinute: PER_MINUTE,
          send: async (enough: AbortSignal) => await ask('analyze/batch', { files: slowFiles() }, enough),
          longest: async () =>
            await ask('analyze/batch', { files: [slowFile(0)] }, new AbortController().signal)
        }
        const small = {
          expected: 200,
          samples: SAMPLES[profile],
          send: async (number: number) => await b.ai(path, body(number))
        }
        await contest({ load, small, profile, tally, say })
      }
      tally.violations.push(...b.takeFaults())
    } finally {
      await cell.stop()
    }
    return tally
  }
}
