import { setTimeout as sleep } from 'node:timers/promises'
import { inFlight, sha256 } from '@filewright/acceptance'
import type { Row } from '../harness/row.js'
import { whyNotLinearizable, type Sighting } from '../harness/linearizable.js'

export const deleteRaces: Row = {
  name: 'delete against read and list',
  promises: ['P5', 'P7'],
  target: '2,000 histories, linearizable',
  counts: { quick: 40, full: 2_000 },
  run: async ({ rig, tally, count, random, history }) => {
    const subject = rig.subject({ history, onFault: tally.violate })

    await inFlight(count, 8, async (number) => {
      const draw = random.fork(number)
      const project = `races-${number}`
      const { id, name, content, status } = await subject.upload({ project })
      if (id === undefined) return tally.violate(`an upload answered ${status}`)
      const sightings: Sighting[] = []
      const see = async (look: () => Promise<{ status: number; there: boolean }>): Promise<void> => {
        await sleep(draw.below(8))
        const startMs = performance.now()
        const { there, status: seen } = await look()
        tally.operations++
        tally.expect(seen === 200 || seen === 404, `${name}: a read answered ${seen}`)
        sightings.push({ there, startMs, endMs: performance.now() })
      }
      const read = async (via: 'api' | 'cdn'): Promise<{ status: number; there: boolean }> => {
        const got = await subject.download(id, via)
        if (got.status === 200) tally.expect(got.sha256 === sha256(content), `${name}: other bytes came back`)
        return { status: got.status, there: got.status === 200 }
      }
      const info = async (): Promise<{ status: number; there: boolean }> => {
        const { status: seen } = await subject.info(id)
        return { status: seen, there: seen === 200 }
      }
      const list = async (): Promise<{ status: number; there: boolean }> => {
        const { status: seen, names } = await subject.list(project)
        return { status: seen, there: names.includes(name) }
      }
      const deletes: Array<{ status: number; startMs: number; endMs: number }> = []
      const remove = async (): Promise<void> => {
        await sleep(draw.below(8))
        const startMs = performance.now()
        const answer = await subject.remove(id)
        tally.operations++
        deletes.push({ status: answer.status, startMs, endMs: performance.now() })
      }
      tally.injected++
      await Promise.all([
        remove(),
        remove(),
        see(async () => await read('api')),
        see(async () => await read('cdn')),
        see(info),
        see(info),
        see(list),
        see(list)
      ])
      await Promise.all([see(info), see(list)])
      const won = deletes.filter((each) => each.status === 200)
      tally.expect(
        won.length === 1 && deletes.every((each) => each.status === 200 || each.status === 404),
        `${name}: the deletes answered ${deletes.map((each) => each.status).join(' and ')}`
      )
      const [winner] = won
      if (winner === undefined) return
      if (sightings.some((sighting) => sighting.startMs < winner.endMs && sighting.endMs > winner.startMs)) {
        tally.hit++
      }
      const why = whyNotLinearizable(winner, sightings)
      if (why !== undefined) tally.violate(`${name}: ${why}`)
    })
  }
}
