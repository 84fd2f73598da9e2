import t from 'tap'
import { prove } from '../../src/index.js'
import { correctExamples, type CorrectExample } from './correct-examples.js'
import { lineOf } from './examples.js'

t.setTimeout(600_000)

async function provenIn({ kind, at, language = 'javascript' }: CorrectExample, code: string) {
  const findings = kind === undefined ? [] : [{ kind, line: lineOf(code, at ?? '') }]
  const proven = await prove({ code, language, findings, findsFaults: true })
  return [...(proven?.proofs ?? []), ...(proven?.faults ?? [])].filter((each) => each !== null)
}

for (const example of correctExamples) {
  t.test(`proves nothing of ${example.name}, and the fault without it`, async (t) => {
    t.strictSame(await provenIn(example, example.code), [])

    const [right, wrong] = example.wrong
    t.ok(example.code.includes(right))
    t.equal(
      (
        await provenIn(
          example,
          example.code.replace(right, () => wrong)
        )
      ).length,
      1
    )
  })
}
