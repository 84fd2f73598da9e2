import { eicar, uniqueText } from '@filewright/acceptance'
import { poll } from '@filewright/testing'
import { checkHistory } from '../harness/checker.js'
import { leaksAfterTenMinutes } from '../harness/census.js'
import type { Rig } from '../harness/rig.js'
import { createTally, type Row } from '../harness/row.js'

type Flow = 'upload' | 'refused upload' | 'delete' | 'analyze'

/** Every arrow of the flows. Once published, a file whose answer was lost is there; before, it never is. */
const POINTS: ReadonlyArray<{ point: string, flow: Flow, published?: true }> = [
  { point: 'upload.begun', flow: 'upload' },
  { point: 'upload.row-inserted', flow: 'upload' },
  { point: 'blob.open', flow: 'upload' },
  { point: 'blob.write', flow: 'upload' },
  { point: 'blob.sync', flow: 'upload' },
  { point: 'blob.synced', flow: 'upload' },
  { point: 'blob.link', flow: 'upload' },
  { point: 'blob.linked', flow: 'upload' },
  { point: 'upload.blob-written', flow: 'upload' },
  { point: 'upload.checked', flow: 'upload' },
  { point: 'upload.scanning', flow: 'upload' },
  { point: 'upload.verdict', flow: 'upload' },
  { point: 'upload.published', flow: 'upload', published: true },
  { point: 'upload.quarantined', flow: 'refused upload' },
  { point: 'discard.withdrawn', flow: 'refused upload' },
  { point: 'discard.blob-removed', flow: 'refused upload' },
  { point: 'delete.row-marked', flow: 'delete' },
  { point: 'delete.blob-removed', flow: 'delete' },
  { point: 'delete.row-removed', flow: 'delete' },
  { point: 'ai.recorded', flow: 'analyze' },
  { point: 'ai.answered', flow: 'analyze' }
]

export const gatewayKilled: Row = {
  name: 'kill -9 gateway at each failpoint',
  promises: ['P2', 'P9', 'P12'],
  target: `${POINTS.length} points, each hit 20 times`,
  counts: { quick: 1, full: 20 },
  run: async ({ rig: start, count, random, history, say }) => {
    const rig = await start()
    const tally = createTally()
    const subject = rig.subject({ history, mayBreak: () => true })
    const project = 'gateway-killed'

    for (let round = 0; round < count; round++) {
      say(`round ${round + 1} of ${count}`)
      for (const { point, flow, published = false } of random.shuffled(POINTS)) {
        const stored = flow === 'delete' ? await subject.upload({ project }) : undefined
        const idempotencyKey = flow === 'upload' ? `${point}-${round}` : undefined
        const victim = rig.stack.pid('gateway')
        tally.injected++
        rig.failpoints.arm(point, 'kill')
        const content = flow === 'refused upload' ? Buffer.from(eicar) : uniqueText(3_000)
        const act = async (): Promise<{ status: number }> => {
          if (flow === 'analyze') return await subject.ai('analyze', { code: 'let a = 1\n', language: 'js' })
          if (stored?.id !== undefined) return await subject.remove(stored.id)
          return await subject.upload({ project, content, name: `${point}-${round}.txt`, idempotencyKey, flagged: flow === 'refused upload' })
        }
        const { status } = await act()
        tally.operations++
        if (rig.failpoints.left(point) > 0) {
          tally.violate(`${point} was not reached: ${status}`)
          rig.failpoints.disarm(point)
          continue
        }
        tally.expect(status === 0, `${point}: the process lived on and answered ${status}`)
        tally.hit++
        await recover(rig, victim, tally.recoveryMs)
        if (flow === 'upload') await retry(`${point}-${round}.txt`, idempotencyKey, content, published)
      }
    }

    /** What the killed process left must not be seen, and a retry under its key makes one file, no second. */
    async function retry (name: string, idempotencyKey: string | undefined, content: Buffer, published: boolean): Promise<void> {
      const { names } = await subject.list(project)
      tally.expect(names.includes(name) === published, `${name} is ${published ? 'not ' : ''}visible after the kill`)
      const answer = await poll(async () => {
        const upload = await subject.upload({ project, content, name, idempotencyKey })
        return upload.status === 409 ? null : upload
      }, { what: 'a key that is free again', timeoutMs: 20_000, intervalMs: 200 })
      tally.operations++
      tally.expect(answer.status === 201, `${name}: the retry under its key answered ${answer.status}`)
      const listed = (await subject.list(project)).names.filter((each) => each === name)
      tally.expect(listed.length === 1, `${name}: ${listed.length} files under one key`)
    }

    const operations = history.read().filter(({ op, status, name }) => !(op === 'upload' && (status === 0 || status === 409)) || name === undefined)
    tally.violations.push(...await checkHistory(operations, subject), ...await leaksAfterTenMinutes(rig))
    return tally
  }
}

async function recover (rig: Rig, victim: number | undefined, recoveryMs: number[]): Promise<void> {
  const startedAt = performance.now()
  await poll(() => { const pid = rig.stack.pid('gateway'); return pid !== undefined && pid !== victim }, { what: 'a new gateway', timeoutMs: 30_000 })
  await poll(async () => (await fetch(`${rig.stack.adminUrl}/health/startup`)).status === 200, { what: 'a gateway that works', timeoutMs: 60_000 })
  recoveryMs.push(performance.now() - startedAt)
}
