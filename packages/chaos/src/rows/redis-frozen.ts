import { poll } from '@filewright/testing'
import { uploadsRecover } from '../harness/recovery.js'
import type { Row } from '../harness/row.js'
import { quantile } from '../harness/table.js'

const AT_ONCE = 10
/** Far above the second and a half that a command may take, below the deadline for a verdict. */
const SOON_MS = 15_000
/** What is promised. */
const PROMISED_MS = 2_000

export const redisFrozen: Row = {
  name: 'Redis frozen during add',
  promises: ['P2', 'P7'],
  target: '503 in 2 s, the late job changes nothing, 100 of 100',
  counts: { quick: 10, full: 100 },
  run: async ({ rig, tally, count, profile, history, say }) => {
    const subject = rig.subject({ history, onFault: tally.violate })
    const project = 'redis-frozen'
    const answerMs: number[] = []

    for (let done = 0; done < count; done += AT_ONCE) {
      tally.expect((await subject.upload({ project })).status === 201, 'no upload before the freeze')
      rig.proxies.redis.freeze()
      // The job is sent to the frozen server and arrives after the thaw, when no request waits for it.
      const answers = await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, count - done) }, async () => await subject.upload({ project }))
      )
      rig.proxies.redis.thaw()
      for (const { status, ms, name } of answers) {
        tally.operations++
        tally.injected++
        answerMs.push(ms)
        if (status === 503) tally.hit++
        tally.expect(status === 503, `${name}: answered ${status} while Redis was frozen`)
        tally.expect(ms < SOON_MS, `${name}: ${status} after ${Math.round(ms)} ms`)
      }
      await uploadsRecover(tally, subject, project)
      await poll(async () => (await queued(rig.redis.command)) === 0, {
        what: 'an empty queue',
        timeoutMs: 30_000,
        intervalMs: 50
      })
    }
    const [half, nearlyAll] = [quantile(answerMs, 0.5), quantile(answerMs, 0.99)]
    say(`503 after ${Math.round(half)} ms, p99 ${Math.round(nearlyAll)} ms`)
    // The quick profile runs beside other tests, so its times are meaningless.
    if (profile === 'full') {
      tally.expect(half < PROMISED_MS, `half of the answers took longer than ${Math.round(half)} ms`)
    }
  }
}

async function queued(command: (line: string) => Promise<string>): Promise<number> {
  const lengths = await Promise.all(
    ['wait', 'active'].map(async (list) => Number((await command(`LLEN fw:scan:${list}`)).slice(1)))
  )
  return lengths.reduce((sum, length) => sum + length, 0)
}
