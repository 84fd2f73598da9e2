import type { AiPath } from '@filewright/acceptance'
import { fairRow } from '../harness/fair-row.js'
import { smallCode } from '../hostile/real-code.js'
import { slowFile, slowFiles } from '../hostile/slow-code.js'

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

export const fairBatches = fairRow({
  name: 'fair-batches: one token has batches of small and slow files analyzed',
  promises: ['P8', 'P15'],
  target: "another token's p95 at most 4 × its own and one file, no 5xx",
  counts: { quick: 29, full: 29 },
  samples: { quick: 6, full: 20 },
  // Four contests in one minute are more than its limit of requests allows a token.
  env: { AI_RATE_LIMIT_PER_MINUTE: '0' },
  loads: async ({ count, ask, modestly }) =>
    requests.map(([path, body]) => ({
      load: {
        name: `${count} batches of ${slowFiles().length} slow files, B's ${path}`,
        count,
        atOnce: count,
        // A's throughput alone is the same for every kind of B's requests.
        alone: { count: 2, atOnce: 2 },
        // A's rounds follow each other as fast as its request limit allows.
        perMinute: 60,
        send: async (enough) => await ask('analyze/batch', { files: slowFiles() }, enough),
        longest: async () =>
          await ask('analyze/batch', { files: [slowFile(0)] }, new AbortController().signal)
      },
      small: { expected: 200, send: async (number) => await modestly.ai(path, body(number)) }
    }))
})
