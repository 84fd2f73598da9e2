import { setTimeout as sleep } from 'node:timers/promises'
import { poll } from '@filewright/testing'
import { startCell, type Gateway } from '../harness/cell.js'
import { startLanes } from '../harness/lanes.js'
import type { Row } from '../harness/row.js'

const LANES = 6
const PROJECT = 'rolling'
/** The time for a request to get from the load balancer to its gateway. */
const PAUSE_MS = 300

export const rollingRestart: Row = {
  name: 'rolling restart under load, two gateways',
  promises: ['P1', 'P7'],
  target: '20 restarts, no failed request',
  counts: { quick: 2, full: 20 },
  run: async ({ rig, tally, after, count, history }) => {
    // As in deployments, a gateway finishes running requests, however busy the machine is.
    const env = { STOP_GRACE_MS: '120000' }
    const cell = await startCell(rig, { apps: ['scan-worker', 'inference-worker'], env })
    after(cell.stop)
    let inRotation: Gateway[] = []
    const launch = async (): Promise<Gateway> => {
      const gateway = await cell.startGateway()
      await poll(async () => (await gateway.probe()) === 200, {
        what: 'a gateway that has started',
        timeoutMs: 60_000,
        intervalMs: 50
      })
      return gateway
    }
    inRotation = await Promise.all([launch(), launch()])
    let turn = 0
    const underWay = new Map<Gateway, number>()
    const add = (gateway: Gateway, change: number): void => {
      underWay.set(gateway, (underWay.get(gateway) ?? 0) + change)
    }
    // Slow enough that some uploads are running whenever a gateway gets SIGTERM.
    cell.proxies.clamd.delay(200)
    // Sends requests to the gateways in turn, like a load balancer.
    const lanes = startLanes(LANES, async (lane) => {
      const gateway = inRotation[turn++ % inRotation.length] as Gateway
      const subject = cell.subject({ baseUrl: gateway.baseUrl, history, onFault: tally.violate })
      add(gateway, 1)
      const { status } =
        lane === 0
          ? await subject.ai('analyze', { code: 'let a = 1\n', language: 'js' })
          : await subject.upload({ project: PROJECT, sizeBytes: lane * 20_000 })
      add(gateway, -1)
      tally.operations++
      tally.expect(status === 200 || status === 201, `a request answered ${status} during a restart`)
    })
    after(lanes.stop)
    for (let restart = 0; restart < count; restart++) {
      const [leaving, staying] = inRotation as [Gateway, Gateway]
      tally.injected++
      // Removed from rotation first, as before the end of a pod. It finishes its running requests.
      inRotation = [staying]
      await sleep(PAUSE_MS)
      if ((underWay.get(leaving) ?? 0) > 0) tally.hit++
      const startedAt = performance.now()
      const code = await leaving.app.stop('SIGTERM')
      tally.expect(
        code === 0,
        `a gateway ended with ${code ?? 'a signal'}: ${leaving.app.output().slice(-300)}`
      )
      inRotation = [staying, await launch()]
      tally.recoveryMs.push(performance.now() - startedAt)
    }
  }
}
