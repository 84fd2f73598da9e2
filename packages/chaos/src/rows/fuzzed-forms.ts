import { Agent, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { inFlight } from '@filewright/acceptance'
import type { Row } from '../harness/row.js'
import { hostileForm, type HostileForm } from '../hostile/forms.js'
import { problemOfRawAnswer } from '../hostile/raw.js'

/** The service waits a second for a form that ends too early, so many are sent concurrently. */
const LANES = 48

export const fuzzedForms: Row = {
  name: 'fuzzed multipart bodies',
  promises: ['P2', 'P7', 'P9'],
  target: '10,000: 0 crashes, 0 5xx, 0 temporary files',
  counts: { quick: 250, full: 10_000 },
  run: async ({ rig, tally, count, random, say }) => {
    const subject = rig.subject({ onFault: tally.violate })
    const project = 'fuzzed-forms'
    const gateway = rig.stack.pid('gateway')
    const agent = new Agent({ keepAlive: true, maxSockets: LANES })
    const stored: string[] = []

    async function send({ body, contentType }: HostileForm, index: number): Promise<void> {
      const headers = {
        authorization: `Bearer ${rig.stack.token}`,
        'content-type': contentType,
        'content-length': body.length
      }
      try {
        const [status, answer] = await new Promise<[number, Buffer]>((resolve, reject) => {
          const call = request(
            `${rig.stack.baseUrl}/api/files/upload`,
            { method: 'POST', agent, headers, timeout: 60_000 },
            (response) => {
              buffer(response).then((bytes) => resolve([response.statusCode ?? 0, bytes]), reject)
            }
          )
          call
            .on('timeout', () => call.destroy(new Error('no answer in 60 s')))
            .on('error', reject)
            .end(body)
        })
        const wrong = problemOfRawAnswer({ status, headers: new Map(), body: answer })
        if (wrong !== undefined) tally.violate(`form ${index}: ${wrong}`)
        if (status === 201) stored.push((JSON.parse(answer.toString()) as { file: { id: string } }).file.id)
        else if (status >= 400 && status < 500) tally.hit++
        else tally.violate(`form ${index}: ${status}`)
      } catch (error) {
        tally.violate(`form ${index}: ${(error as Error).message}`)
      }
    }

    await inFlight(count, LANES, async (index) => {
      tally.injected++
      tally.operations++
      await send(hostileForm(random.fork(index), project), index)
      if (index % 1_000 === 999) say(`${index + 1} of ${count}, ${stored.length} of them accepted`)
    })
    agent.destroy()

    tally.expect(rig.stack.pid('gateway') === gateway, 'the gateway was restarted')
    tally.expect(stored.length > 0, 'no form was sound enough to be taken')
    const rows = await rig.sql<{ id: string }>(
      "SELECT id FROM files WHERE state = 'ready' AND id = ANY($1)",
      [stored]
    )
    tally.expect(rows.length === stored.length, `${stored.length} answers of 201, ${rows.length} files`)
    for (const id of stored.slice(0, 50)) {
      tally.expect((await subject.download(id)).status === 200, `${id} was acknowledged and cannot be read`)
    }
  }
}
