import { setTimeout as sleep } from 'node:timers/promises'
import { startCell } from '../harness/cell.js'
import type { AppName } from '../harness/apps.js'
import type { Dependency } from '../harness/rig.js'
import type { Row } from '../harness/row.js'

const DEPENDENCIES: readonly Dependency[] = ['postgres', 'redis', 'clamd', 'ollama']
const APPS: readonly AppName[] = ['gateway', 'scan-worker', 'inference-worker']
const AT_ONCE = 3

export const startOrders: Row = {
  name: 'start in any order, dependency missing at boot',
  promises: ['P10'],
  target: 'waits, not ready, then ready, 24 orders',
  counts: { quick: 2, full: 24 },
  run: async ({ rig, tally, count, random, history }) => {
    const orders = random.shuffled(permutations(DEPENDENCIES)).slice(0, count)

    const inOrder = async (order: readonly Dependency[], number: number): Promise<void> => {
      const label = order.join(', ')
      const cell = await startCell(rig, { apps: [], missing: DEPENDENCIES })
      // Each app starts at a random position in between, so that some start with everything missing and some
      // with one dependency missing.
      const draw = random.fork(number)
      const steps = APPS.map((app) => ({ app, after: draw.below(order.length) }))
      tally.injected++
      try {
        for (const [at, dependency] of order.entries()) {
          for (const { app, after } of steps) if (after === at) cell.start(app)
          const missing = order.slice(at).filter((each) => each !== 'ollama')
          if (missing.length > 0 && cell.app('gateway') !== undefined) {
            await sleep(draw.between(200, 1_200))
            const status = await cell.probe()
            tally.expect(status !== 200, `${label}: ready without ${missing.join(', ')}`)
            tally.hit++
          }
          cell.proxies[dependency].refuse(false)
        }
        tally.recoveryMs.push(await cell.ready(60_000))
        for (const { app } of steps) {
          tally.expect(
            cell.app(app)?.isRunning() === true,
            `${label}: ${app} ended: ${cell.app(app)?.output().slice(-300) ?? ''}`
          )
        }
        const subject = cell.subject({ history, onFault: tally.violate })
        tally.operations += 2
        const upload = await subject.upload({ project: 'start-orders' })
        tally.expect(upload.status === 201, `${label}: the first upload answered ${upload.status}`)
        const analysis = await subject.ai('analyze', { code: 'let a = 1\n', language: 'js' })
        tally.expect(analysis.status === 200, `${label}: the first analysis answered ${analysis.status}`)
      } catch (error) {
        tally.violate(`${label}: ${(error as Error).message}`)
      } finally {
        await cell.stop()
      }
    }

    for (let from = 0; from < orders.length; from += AT_ONCE) {
      await Promise.all(
        orders.slice(from, from + AT_ONCE).map(async (order, number) => await inOrder(order, from + number))
      )
    }
  }
}

function permutations<T>(list: readonly T[]): T[][] {
  if (list.length <= 1) return [[...list]]
  return list.flatMap((first, at) =>
    permutations([...list.slice(0, at), ...list.slice(at + 1)]).map((rest) => [first, ...rest])
  )
}
