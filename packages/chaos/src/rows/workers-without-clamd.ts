import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { poll, startChaosProxy, type ChaosProxy } from '@filewright/testing'
import { startCell } from '../harness/cell.js'
import { checkHistory } from '../harness/checker.js'
import { leaksAfterTenMinutes } from '../harness/census.js'
import { createTally, type Row } from '../harness/row.js'
import { startSteadyUploads } from '../harness/steady-uploads.js'
import { costsIn } from '../harness/worker-log.js'

const WITH_CLAMD = 2
const WITHOUT_MS = { quick: 12_000, full: 60_000 }
const PROJECT = 'without-clamd'

export const workersWithoutClamd: Row = {
  name: 'seven scan workers, five of them still without clamd',
  promises: ['P7', 'P10'],
  target: '60 s at 10 uploads per second, 0 failed uploads, the gateway stays ready',
  counts: { quick: 5, full: 5 },
  run: async ({ rig: start, count, profile, random, history, say }) => {
    const rig = await start()
    const tally = createTally()
    const folder = mkdtempSync(join(tmpdir(), 'filewright-sockets-'))
    const proxies: ChaosProxy[] = []
    const cell = await startCell(rig, {
      direct: true,
      apps: ['gateway'],
      // As long as a busy machine may need: an upload that fails here has run out of attempts.
      env: { LOG_LEVEL: 'info', SCAN_CONCURRENCY: '6', SCAN_DEADLINE_MS: '120000' }
    })
    try {
      const working = await Promise.all(
        Array.from({ length: WITH_CLAMD }, async () => await cell.startScanWorker({}))
      )
      await cell.ready()
      const uploads = startSteadyUploads({
        subject: cell.subject({ history, hangMs: 180_000 }),
        project: PROJECT,
        perSecond: 10,
        random,
        tally
      })
      const sockets = Array.from({ length: count }, (_, number) => join(folder, `${number}.sock`))
      const late = await Promise.all(
        sockets.map(async (socket) => await cell.startScanWorker({ CLAMD_SOCKET: socket }))
      )
      const allAre = async (status: number): Promise<void> => {
        await poll(
          async () =>
            (await Promise.all(late.map(async (worker) => await worker.probe()))).every(
              (each) => each === status
            ),
          { what: `late workers whose readiness is ${status}`, timeoutMs: 120_000, intervalMs: 100 }
        )
      }
      await allAre(503)
      tally.injected = count
      tally.hit = count
      const until = performance.now() + WITHOUT_MS[profile]
      while (performance.now() < until) {
        await sleep(500)
        // 0 is a probe that a busy machine did not answer in time.
        const status = await cell.probe()
        tally.expect(status !== 503, 'the gateway called itself not ready although two workers can scan')
      }

      const returnedAt = performance.now()
      for (const path of sockets) {
        proxies.push(await startChaosProxy({ target: { path: rig.clamd.socketPath }, path }))
      }
      await allAre(200)
      tally.recoveryMs.push(performance.now() - returnedAt)
      await uploads.stop()

      const { givenBack, failedAttempts } = costsIn([...working, ...late].map(({ app }) => app.output()))
      say(
        `${uploads.stored()} stored, ${uploads.failed()} failed, ${givenBack} jobs given back, ` +
          `${failedAttempts} failed attempts`
      )
      tally.expect(failedAttempts === 0, `${failedAttempts} attempts failed`)
    } finally {
      await cell.stop()
      await Promise.all(
        proxies.map(async (proxy) => {
          await proxy.close()
        })
      )
      rmSync(folder, { recursive: true, force: true })
    }
    tally.expect(
      tally.recoveryMs.every((ms) => ms < 30_000),
      'the workers were not ready within 30 s'
    )
    tally.violations.push(
      ...(await checkHistory(history.read(), rig.subject())),
      ...(await leaksAfterTenMinutes(rig))
    )
    return tally
  }
}
