import { setTimeout as sleep } from 'node:timers/promises'
import { inFlight, uniqueText } from '@filewright/acceptance'
import { startClamdPeer } from '@filewright/testing'
import { startCell } from '../harness/cell.js'
import type { Row } from '../harness/row.js'

const DEADLINE_MS = 1_000
/**
 * clamd sends the verdict at most this long after the deadline, or three times as long before it, because the
 * rest of an upload also takes time.
 */
const NEAR_MS = 250

export const deadlineRaces: Row = {
  name: 'deadline against verdict',
  promises: ['P2', 'P7'],
  target: '1,000 races, 201 xor invisible',
  counts: { quick: 30, full: 1_000 },
  run: async ({ rig, tally, after, count, random, history }) => {
    const peer = await startClamdPeer()
    peer.behaviour.onBody = (socket, body) => {
      const waitMs = Number(/^wait (\d+)\n/.exec(body.toString('latin1', 0, 40))?.[1] ?? 0)
      void sleep(waitMs).then(() => {
        socket.end('stream: OK\0')
      })
    }
    rig.pointClamdAt(peer.port)
    const cell = await startCell(rig, {
      apps: ['gateway', 'scan-worker'],
      env: { SCAN_DEADLINE_MS: String(DEADLINE_MS), SCAN_CONCURRENCY: '64' }
    })
    const seen = new Map<number, number>()
    after(peer.closeServer)
    after(cell.stop)
    await cell.ready()
    const subject = cell.subject({ history, onFault: tally.violate })
    await inFlight(count, 16, async (number) => {
      const waitMs = random.fork(number).between(DEADLINE_MS - NEAR_MS * 3, DEADLINE_MS + NEAR_MS)
      tally.injected++
      const { status, name } = await subject.upload({
        project: 'deadline-races',
        content: Buffer.concat([Buffer.from(`wait ${waitMs}\n`), uniqueText(200)])
      })
      tally.operations++
      seen.set(status, (seen.get(status) ?? 0) + 1)
      tally.expect(status === 201 || status === 503, `${name}: answered ${status}`)
    })
    // A race that only one side wins is not a race.
    tally.hit = Math.min(seen.get(201) ?? 0, seen.get(503) ?? 0) * 2
  }
}
