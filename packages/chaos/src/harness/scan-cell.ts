import { setTimeout as sleep } from 'node:timers/promises'
import { poll } from '@filewright/testing'
import { startCell, type ScanWorker } from './cell.js'
import type { RowContext } from './row.js'
import { startSteadyUploads, type SteadyUploads } from './steady-uploads.js'
import { costsIn } from './worker-log.js'

/** One gateway and several scan workers, some of them temporarily without clamd. */
export interface ScanCell {
  startWorker: (env?: NodeJS.ProcessEnv) => Promise<ScanWorker>
  /** Waits until the gateway is ready, then uploads until the row ends: none may fail. */
  startUploads: () => Promise<void>
  /** Waits until each worker's readiness probe has this status. */
  allAnswer: (workers: readonly ScanWorker[], status: 200 | 503) => Promise<void>
  /** Records a violation whenever the gateway is not ready. */
  gatewayStaysReadyFor: (ms: number) => Promise<void>
}

const PER_SECOND = 10
/** The quick profile runs beside other tests: two seconds of uploads, and no limits of time. */
const MAX_OPEN = { quick: 2 * PER_SECOND, full: Infinity }

export async function withScanCell(
  { rig, tally, random, history, profile, after, say }: RowContext,
  project: string,
  act: (cell: ScanCell) => Promise<void>
): Promise<void> {
  const workers: ScanWorker[] = []
  let uploads: SteadyUploads | undefined
  const cell = await startCell(rig, {
    direct: true,
    apps: ['gateway'],
    // Long enough for a busy machine, so that an upload that fails here has used all its attempts.
    env: { LOG_LEVEL: 'info', SCAN_CONCURRENCY: '6', SCAN_DEADLINE_MS: '120000' }
  })
  after(cell.stop)
  const scanCell: ScanCell = {
    startWorker: async (env = {}) => {
      const worker = await cell.startScanWorker(env)
      workers.push(worker)
      return worker
    },
    startUploads: async () => {
      await cell.ready()
      const subject = cell.subject({ history, onFault: tally.violate, hangMs: 180_000 })
      const maxOpen = MAX_OPEN[profile]
      uploads = startSteadyUploads({ subject, project, perSecond: PER_SECOND, maxOpen, random, tally })
    },
    allAnswer: async (probed, status) => {
      const haveStatus = async (): Promise<boolean> =>
        (await Promise.all(probed.map(async (worker) => await worker.probe()))).every(
          (each) => each === status
        )
      await poll(haveStatus, { what: `workers that answer ${status}`, timeoutMs: 120_000, intervalMs: 50 })
    },
    gatewayStaysReadyFor: async (ms) => {
      const until = performance.now() + ms
      while (performance.now() < until) {
        await sleep(250)
        // 0 means that a busy machine did not answer the probe in time.
        tally.expect(
          (await cell.probe()) !== 503,
          'the gateway called itself not ready although a worker can scan'
        )
      }
    }
  }
  await act(scanCell)
  await uploads?.stop()
  const { returnedJobs, failedAttempts } = costsIn(workers.map(({ app }) => app.output()))
  say(
    `${uploads?.stored() ?? 0} stored, ${uploads?.failed() ?? 0} failed, ${returnedJobs} jobs returned, ` +
      `${failedAttempts} failed attempts`
  )
  tally.expect(failedAttempts === 0, `${failedAttempts} attempts failed`)
}
