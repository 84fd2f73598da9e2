import { inFlight } from '@filewright/acceptance'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCell } from '../harness/cell.js'
import { uploadsRecover } from '../harness/recovery.js'
import type { Row } from '../harness/row.js'

const LENGTHS_MS = { quick: [6_000], full: [12_000, 60_000] }
const CELLS = { quick: 1, full: 5 }

/** Longer than every retry inside the queue's client: a worker that gave up would never reconnect. */
export const redisAway: Row = {
  name: 'Redis down 12 s, 60 s',
  promises: ['P7', 'P10', 'P13'],
  target: 'workers continue by themselves, 20 of 20',
  counts: { quick: 1, full: 20 },
  run: async ({ rig, tally, count, profile, history, say }) => {
    const lengths = LENGTHS_MS[profile]
    const project = 'redis-away'

    const oneCell = async (number: number): Promise<void> => {
      const cell = await startCell(rig, { apps: ['gateway', 'scan-worker'] })
      try {
        const subject = cell.subject({ history, onFault: tally.violate })
        await cell.ready()
        for (let turn = number; turn < count; turn += CELLS[profile]) {
          const awayMs = lengths[Math.floor(turn / CELLS[profile]) % lengths.length] ?? 0
          say(`away for ${awayMs / 1000} s`)
          tally.injected++
          cell.proxies.redis.refuse(true)
          const cut = cell.proxies.redis.reset()
          const back = sleep(awayMs)
          const refused = await subject.upload({ project })
          tally.operations++
          tally.expect(refused.status === 503, `an upload answered ${refused.status} without Redis`)
          if (cut > 0 && refused.status === 503) tally.hit++
          await back
          cell.proxies.redis.refuse(false)
          await uploadsRecover(tally, subject, project)
          tally.expect(
            cell.app('scan-worker')?.isRunning() === true && cell.app('gateway')?.isRunning() === true,
            'a process ended'
          )
        }
      } finally {
        await cell.stop()
      }
    }

    await inFlight(CELLS[profile], CELLS[profile], oneCell)
  }
}
