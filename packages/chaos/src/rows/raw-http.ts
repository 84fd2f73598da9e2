import { inFlight } from '@filewright/acceptance'
import type { Row } from '../harness/row.js'
import { exchange, problemOfRawAnswer } from '../hostile/raw.js'
import { hostileRequest } from '../hostile/http.js'

const LANES = 24

export const rawHttp: Row = {
  name: 'raw HTTP garbage, smuggling, JSON bombs',
  promises: ['P7', 'P8'],
  target: '10,000, 0 5xx',
  counts: { quick: 600, full: 10_000 },
  run: async ({ rig, tally, count, random, say }) => {
    const gateway = rig.stack.pid('gateway')
    const seen = new Map<number, number>()

    async function send(index: number): Promise<void> {
      const { what, bytes } = hostileRequest(random.fork(index), rig.stack.token)
      const head = bytes.toString('latin1', 0, 5) === 'HEAD '
      const { answers, closed } = await exchange(rig.stack.baseUrl, bytes, { end: true, head })
      tally.expect(closed, `${index}, ${what}: still open after 30 s`)
      const smuggled = answers.slice(1).filter(({ status }) => status !== 400)
      // Garbage after a complete request also gets a response, which must be 400.
      if (what === 'smuggling') {
        tally.expect(
          smuggled.length === 0,
          `${index}: ${answers.length} answers, of ${answers.map(({ status }) => status).join()}, to one request`
        )
      }
      for (const [at, answer] of answers.entries()) {
        seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
        const wrong = problemOfRawAnswer(answer, head && at === 0)
        if (wrong !== undefined) tally.violate(`${index}, ${what}: ${wrong}`)
      }
      if (answers.some(({ status }) => status >= 400 && status < 500)) tally.hit++
    }

    await inFlight(count, LANES, async (index) => {
      tally.operations++
      tally.injected++
      await send(index)
      if (index % 2_000 === 1_999) say(`${index + 1} of ${count}`)
    })

    say(
      [...seen]
        .sort(([a], [b]) => a - b)
        .map(([status, times]) => `${status}: ${times}`)
        .join(', ')
    )
    tally.expect(rig.stack.pid('gateway') === gateway, 'the gateway was restarted')
    tally.expect(
      (await rig.subject().upload({ project: 'raw-http' })).status === 201,
      'an ordinary client is no longer served'
    )
  }
}
