import { eicar, inFlight, uniqueText } from '@filewright/acceptance'
import { poll } from '@filewright/testing'
import { startCell, type Cell } from '../harness/cell.js'
import type { Row } from '../harness/row.js'
import { connectionsTo } from '../harness/sockets.js'

const CELLS = { quick: 1, full: 4 }
const AT_ONCE = 4
/** The maximum time from the last kill to the verdict. */
const WITHIN_MS = 10_000

export const scanWorkerKilled: Row = {
  name: 'kill -9 scan-worker in mid-scan',
  promises: ['P1', 'P2', 'P3'],
  target: '200 kills, a verdict within 10 s, 0 lost, 0 flagged bytes served',
  counts: { quick: 3, full: 200 },
  run: async ({ rig, tally, count, profile, random, history, say }) => {
    const oneCell = async (number: number): Promise<void> => {
      const cell = await startCell(rig, { apps: ['gateway', 'scan-worker'] })
      const draw = random.fork(number)
      // Delays every chunk to clamd, so that a scan takes long enough to be hit by a kill.
      cell.proxies.clamd.delay(150)
      try {
        await cell.ready()
        const subject = cell.subject({ history, onFault: tally.violate })
        const share = Math.ceil((count - number) / CELLS[profile])
        for (let kills = 0; kills < share; ) {
          let killedAt = 0
          const uploads = Promise.all(
            Array.from({ length: AT_ONCE }, async () => {
              const flagged = draw.below(4) === 0
              const { status, name, ms } = await subject.upload({
                project: 'worker-killed',
                content: flagged ? Buffer.from(eicar) : uniqueText(60_000),
                flagged
              })
              tally.operations++
              tally.expect(
                status === (flagged ? 400 : 201),
                `${name}: ${flagged ? 'flagged' : 'clean'}, answered ${status} after ${Math.round(ms)} ms`
              )
            })
          )
          // Every fourth time, also kills its successors: a job survives three dead workers.
          for (let again = draw.below(4) === 0 ? 2 : 1; again > 0 && kills < share; again--) {
            await killDuringScan(cell)
            killedAt = performance.now()
            kills++
          }
          await uploads
          tally.recoveryMs.push(performance.now() - killedAt)
        }
      } finally {
        await cell.stop()
      }
    }

    async function killDuringScan(cell: Cell): Promise<void> {
      const worker = cell.app('scan-worker')
      const pid = worker?.pid ?? 0
      await poll(async () => (await connectionsTo(pid, cell.proxies.clamd.port)) > 0, {
        what: 'a worker in the middle of a scan',
        timeoutMs: 60_000,
        intervalMs: 10
      })
      tally.injected++
      if ((await connectionsTo(pid, cell.proxies.clamd.port)) > 0) tally.hit++
      await worker?.stop('SIGKILL')
      cell.start('scan-worker')
    }

    await inFlight(CELLS[profile], CELLS[profile], oneCell)
    const slowest = Math.max(...tally.recoveryMs)
    say(`the last verdict came ${(slowest / 1000).toFixed(1)} s after a kill at most`)
    // The quick profile runs beside other tests, so its times are meaningless.
    if (profile === 'full') {
      tally.expect(slowest < WITHIN_MS, `a verdict came ${Math.round(slowest)} ms after the kill`)
    }
  }
}
