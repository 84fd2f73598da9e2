import { setTimeout as sleep } from 'node:timers/promises'
import { poll } from '@filewright/testing'
import { startCell } from '../harness/cell.js'
import { checkHistory } from '../harness/checker.js'
import { createTally, type Row } from '../harness/row.js'

const LENGTHS_MS = { quick: [6_000], full: [12_000, 60_000] }
const CELLS = { quick: 1, full: 5 }

/** Longer than every retry inside the queue's client: a worker that gave up would never reconnect. */
export const redisAway: Row = {
  name: 'Redis down 12 s, 60 s',
  promises: ['P7', 'P10', 'P13'],
  target: 'workers go on by themselves, 20 of 20',
  counts: { quick: 1, full: 20 },
  run: async ({ rig: start, count, profile, history, say }) => {
    const rig = await start()
    const tally = createTally()
    const lengths = LENGTHS_MS[profile]
    const project = 'redis-away'

    const oneCell = async (number: number): Promise<void> => {
      const cell = await startCell(rig, { apps: ['gateway', 'scan-worker'] })
      try {
        const subject = cell.subject({ history })
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
          const startedAt = performance.now()
          await poll(async () => (await subject.upload({ project })).status === 201, {
            what: 'uploads working again',
            timeoutMs: 60_000,
            intervalMs: 100
          })
          tally.recoveryMs.push(performance.now() - startedAt)
          tally.expect(
            cell.app('scan-worker')?.isRunning() === true && cell.app('gateway')?.isRunning() === true,
            'a process ended'
          )
        }
        tally.violations.push(...subject.takeFaults())
      } finally {
        await cell.stop()
      }
    }

    await Promise.all(
      Array.from({ length: CELLS[profile] }, async (_, number) => {
        await oneCell(number)
      })
    )
    tally.expect(
      tally.recoveryMs.every((ms) => ms < 30_000),
      'it did not heal within 30 s'
    )
    tally.violations.push(...(await checkHistory(history.read(), rig.subject())))
    return tally
  }
}
