import t from 'tap'
import { analyze, rules, type Finding } from '../src/index.js'
import { readExamples, type Example } from './examples.js'

// Generous: slow machines and busy ones must pass too.
t.setTimeout(600_000)

const LEAST_OF_EACH = 2

const examples = readExamples()

function show(findings: readonly Finding[]): string {
  return findings.map(({ line, ruleId, message }) => `\n  ${line} ${ruleId}: ${message}`).join('')
}

async function failureOf({ ruleId, language, isBad, code, lines }: Example): Promise<string | null> {
  const failures: string[] = []
  const findings = await analyze({ code, language }, { onFailure: (where) => failures.push(where) })
  if (failures.length > 0) return `${failures.join()} failed`
  const own = findings.filter((finding) => finding.ruleId === ruleId)
  if (isBad) {
    const found = [...new Set(own.map(({ line }) => line))]
    if (lines.length === 0) return 'no line is marked'
    return found.join() === lines.join() ? null : `reported on lines ${found.join()}: ${show(findings)}`
  }
  const wrong = findings.filter(({ severity }) => severity !== 'info')
  return own.length + wrong.length === 0 ? null : `reported: ${show([...own, ...wrong])}`
}

t.test('rules report the marked lines of their bad examples, and nothing in their good ones', async (t) => {
  const wrong: string[] = []
  for (const example of examples) {
    const failure = await failureOf(example)
    if (failure !== null) wrong.push(`${example.title}: ${failure}`)
  }
  t.strictSame(wrong, [])
})

t.test('every rule has bad and good examples', async (t) => {
  const ids = new Set(rules.map(({ id }) => id))
  t.strictSame(
    examples.filter(({ ruleId }) => !ids.has(ruleId)).map(({ title }) => title),
    [],
    'every example is of a rule'
  )
  for (const id of ids) {
    const own = examples.filter(({ ruleId }) => ruleId === id)
    const bad = own.filter(({ isBad }) => isBad).length
    t.ok(
      bad >= LEAST_OF_EACH && own.length - bad >= LEAST_OF_EACH,
      `${id} has ${bad} bad and ${own.length - bad} good`
    )
  }
})
