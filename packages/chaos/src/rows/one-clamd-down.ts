import { setTimeout as sleep } from 'node:timers/promises'
import { baselineSignaturesDir, renderClamdConf } from '@filewright/scanner'
import { poll, startClamdServer, type ClamdServer } from '@filewright/testing'
import { startCell } from '../harness/cell.js'
import { checkHistory } from '../harness/checker.js'
import { leaksAfterTenMinutes } from '../harness/census.js'
import { createTally, type Row } from '../harness/row.js'
import { startSteadyUploads } from '../harness/steady-uploads.js'
import { costsIn } from '../harness/worker-log.js'

const DOWN_MS = { quick: 3_000, full: 20_000 }
const PROJECT = 'one-clamd-down'

export const oneClamdDown: Row = {
  name: 'kill -9 or freeze clamd in one of two scan workers',
  promises: ['P7', 'P10'],
  target: '6 times for 20 s at 10 uploads per second, 0 failed uploads, the gateway stays ready',
  counts: { quick: 2, full: 6 },
  run: async ({ rig: start, count, profile, random, history, say }) => {
    const rig = await start()
    const tally = createTally()
    const clamd = await startClamdServer({
      renderConf: renderClamdConf,
      signaturesDir: baselineSignaturesDir()
    })
    const cell = await startCell(rig, {
      direct: true,
      apps: ['gateway'],
      // As long as a busy machine may need: an upload that fails here has run out of attempts.
      env: { LOG_LEVEL: 'info', SCAN_CONCURRENCY: '6', SCAN_DEADLINE_MS: '120000' }
    })
    try {
      const steady = await cell.startScanWorker({})
      const victim = await cell.startScanWorker({ CLAMD_SOCKET: clamd.socketPath })
      const victimBecomes = async (status: number): Promise<void> => {
        await poll(async () => (await victim.probe()) === status, {
          what: `a worker whose readiness is ${status}`,
          timeoutMs: 60_000,
          intervalMs: 50
        })
      }
      await cell.ready()
      await victimBecomes(200)
      const uploads = startSteadyUploads({
        subject: cell.subject({ history, hangMs: 180_000 }),
        project: PROJECT,
        perSecond: 10,
        random,
        tally
      })
      for (let number = 0; number < count; number++) {
        tally.injected++
        const restore = number % 2 === 0 ? await kill(clamd) : freeze(clamd)
        const until = performance.now() + DOWN_MS[profile]
        await victimBecomes(503)
        tally.hit++
        while (performance.now() < until) {
          await sleep(250)
          // 0 is a probe that a busy machine did not answer in time.
          const status = await cell.probe()
          tally.expect(status !== 503, 'the gateway called itself not ready although a worker can scan')
        }
        const returnedAt = performance.now()
        await restore()
        await victimBecomes(200)
        tally.recoveryMs.push(performance.now() - returnedAt)
      }
      await uploads.stop()

      const { givenBack, failedAttempts } = costsIn([steady, victim].map(({ app }) => app.output()))
      say(
        `${uploads.stored()} stored, ${uploads.failed()} failed, ${givenBack} jobs given back, ` +
          `${failedAttempts} failed attempts`
      )
      tally.expect(failedAttempts === 0, `${failedAttempts} attempts failed`)
    } finally {
      await cell.stop()
      await clamd.stop()
    }
    tally.expect(
      tally.recoveryMs.every((ms) => ms < 30_000),
      'the worker was not ready within 30 s'
    )
    tally.violations.push(
      ...(await checkHistory(history.read(), rig.subject())),
      ...(await leaksAfterTenMinutes(rig))
    )
    return tally
  }
}

type Restore = () => Promise<void> | void

async function kill(clamd: ClamdServer): Promise<Restore> {
  await clamd.kill()
  return clamd.restart
}

function freeze({ pid }: ClamdServer): Restore {
  process.kill(pid, 'SIGSTOP')
  return () => {
    process.kill(pid, 'SIGCONT')
  }
}
