import { fairRow } from '../harness/fair-row.js'

/** The model's delay for requests with the mark. */
const THINKS_MS = { quick: 3_000, full: 12_000 }
const MARK = 'Think about it for long.'

const generation = (prompt: string): object => ({ prompt, type: 'code', language: 'javascript' })

export const fairGenerations = fairRow({
  name: 'fair-generations: one token has the model write for long',
  target: "another token's generations: p95 at most 4 × their own and one job, no 503",
  counts: { quick: 40, full: 40 },
  samples: { quick: 8, full: 20 },
  loads: async ({ rig, profile, count, ask, modestly }) => {
    const thinksMs = THINKS_MS[profile]
    rig.scriptModel(({ messages }) =>
      messages.some(({ content }) => content.includes(MARK))
        ? { kind: 'slow', firstTokenMs: thinksMs }
        : undefined
    )
    return [
      {
        load: {
          name: `${count} generations of ${thinksMs / 1000} s`,
          count,
          atOnce: count,
          // The default of AI_RATE_LIMIT_PER_MINUTE.
          perMinute: 60,
          send: async (enough) => await ask('generate', generation(`Write a sum. ${MARK}`), enough)
        },
        small: {
          expected: 200,
          send: async (number) => await modestly.ai('generate', generation(`Write a sum, number ${number}.`))
        }
      }
    ]
  }
})
