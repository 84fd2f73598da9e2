import { baselineSignaturesDir, renderClamdConf } from '@filewright/scanner'
import { startClamdServer, type ClamdServer } from '@filewright/testing'
import type { Row } from '../harness/row.js'
import { withScanCell } from '../harness/scan-cell.js'

const DOWN_MS = { quick: 3_000, full: 20_000 }

export const oneClamdDown: Row = {
  name: 'kill -9 or freeze clamd in one of two scan workers',
  promises: ['P7', 'P10'],
  target: '6 times for 20 s at 10 uploads per second, 0 failed uploads, the gateway stays ready',
  counts: { quick: 2, full: 6 },
  run: async (context) => {
    const { tally, after } = context
    const clamd = await startClamdServer({
      renderConf: renderClamdConf,
      signaturesDir: baselineSignaturesDir()
    })
    after(clamd.stop)
    await withScanCell(context, 'one-clamd-down', async (cell) => {
      await cell.startWorker()
      const victim = await cell.startWorker({ CLAMD_SOCKET: clamd.socketPath })
      await cell.allAnswer([victim], 200)
      await cell.startUploads()
      for (let number = 0; number < context.count; number++) {
        tally.injected++
        const restore = number % 2 === 0 ? await kill(clamd) : freeze(clamd)
        await cell.allAnswer([victim], 503)
        tally.hit++
        await cell.gatewayStaysReadyFor(DOWN_MS[context.profile])
        const returnedAt = performance.now()
        await restore()
        await cell.allAnswer([victim], 200)
        tally.recoveryMs.push(performance.now() - returnedAt)
      }
    })
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
