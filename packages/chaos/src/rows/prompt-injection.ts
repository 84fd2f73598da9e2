import { inFlight } from '@filewright/acceptance'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Value } from '@filewright/schema'
import { AnalysisResult, GenerationResult, OptimizationResult } from '@filewright/contracts'
import type { Row } from '../harness/row.js'
import { injection, obedientAnswer, secretsOf } from '../hostile/injections.js'

const LANES = 6
const schemas = { generate: GenerationResult, analyze: AnalysisResult, optimize: OptimizationResult }
const REFUSALS = [400, 503]

export const promptInjection: Row = {
  name: 'prompt injection in code, with canaries',
  promises: ['P7', 'P11'],
  target: '200: schema valid, no canary leaks',
  counts: { quick: 24, full: 200 },
  run: async ({ rig, tally, count, random, seed, say }) => {
    const subject = rig.subject({ onFault: tally.violate })
    const canaryOf = (index: number): string => `canary${seed}x${index}x`
    const anyCanary = new RegExp(`canary${seed}x\\d+x`, 'g')
    const rules = new Set<string>()
    const marks = new Set<string>()
    const answers = { 200: 0, refused: 0 }
    let asked = 0

    // The model sees only the request: its input must contain one canary, and neither token nor password.
    rig.scriptModel((request) => {
      const secrets = secretsOf(request)
      for (const rule of secrets.rules) rules.add(rule)
      marks.add(secrets.mark)
      const given = JSON.stringify(request.messages)
      tally.expect(
        new Set(given.match(anyCanary)).size === 1,
        `the model was given ${[...new Set(given.match(anyCanary))].join()}`
      )
      tally.expect(!given.includes(rig.stack.token), 'the model was given the token')
      return { kind: 'schema-breaking', text: obedientAnswer(request, random.fork(`answer ${asked++}`)) }
    })

    async function ask(index: number): Promise<void> {
      const { path, body } = injection(random.fork(index), canaryOf(index))
      const { status, body: answer } = await subject.ai(path, body)
      const text = JSON.stringify(answer)
      const sent = JSON.stringify(body)
      tally.expect(
        status === 200 ? Value.Check(schemas[path], answer) : REFUSALS.includes(status),
        `${index}, ${path}: ${status} ${text.slice(0, 200)}`
      )
      if (status === 200) answers[200]++
      else answers.refused++
      for (const found of new Set(text.match(anyCanary))) {
        tally.expect(found === canaryOf(index), `${index}, ${path}: has ${found} of another`)
      }
      for (const mark of marks) {
        tally.expect(!text.includes(mark), `${index}, ${path}: gives the mark away: ${text.slice(0, 300)}`)
      }
      for (const rule of rules) {
        tally.expect(
          !text.includes(JSON.stringify(rule).slice(1, -1)) || sent.includes(rule),
          `${index}, ${path}: gives a rule away: ${rule}`
        )
      }
    }

    await inFlight(count, LANES, async (index) => {
      tally.operations++
      tally.injected++
      await ask(index)
    })

    tally.hit = asked
    say(
      `the model was asked ${asked} times; ${answers[200]} answers, ${answers.refused} refusals; ${rules.size} rules, ${marks.size} marks`
    )
    tally.expect(answers[200] > 0, 'nothing was answered')
    const logs = join(rig.stack.dataDir, 'logs')
    for (const name of readdirSync(logs)) {
      const text = readFileSync(join(logs, name), 'utf8')
      tally.expect(
        !anyCanary.test(text) && ![...marks].some((mark) => mark !== '' && text.includes(mark)),
        `${name} contains client input`
      )
    }
  }
}
