import { setTimeout as sleep } from 'node:timers/promises'
import { eicar, residentMb, uniqueText } from '@filewright/acceptance'
import { poll } from '@filewright/testing'
import { checkHistory, untilWithdrawn } from '../harness/checker.js'
import { leaksAfterTenMinutes } from '../harness/census.js'
import type { History } from '../harness/history.js'
import { createRandom, type Random } from '../harness/random.js'
import { startRig, type Rig } from '../harness/rig.js'
import { createTally, type RowResult } from '../harness/row.js'
import { socketCounts } from '../harness/sockets.js'
import type { Subject } from '../harness/subject.js'
import { scheduleOf } from './schedule.js'

export interface SoakOptions {
  minutes: number
  seed: number
  history: History
  say: (line: string) => void
}

export interface SoakResult extends RowResult {
  /** For each process, the medians in the second and in the last fifth of the time. */
  trends: Array<{ process: string; what: 'memory MB' | 'sockets'; early: number; late: number }>
}

const PER_SECOND = 20
const SAMPLE_MS = 2_000
const PROJECT = 'soak'
/** Garbage collection makes a process's memory fluctuate. */
const GROWTH = 1.25
const GROWTH_MB = 40

/**
 * Injects random faults under a steady rate of mixed requests. At the end all promises must hold, and memory
 * and sockets must not have grown.
 */
export async function soak({ minutes, seed, history, say }: SoakOptions): Promise<SoakResult> {
  const rig = await startRig()
  const random = createRandom(seed).fork('soak')
  const tally = createTally()
  const endsAt = Date.now() + minutes * 60_000
  try {
    // A killed gateway sends no responses. The checker finds out which requests were affected.
    const subject = rig.subject({ history, onFault: tally.violate, mayBreak: () => true })
    const sampler = startSampler(rig)
    const load = startLoad(subject, random.fork('load'), () => {
      tally.operations++
    })
    const names = new Map<string, number>()
    for (const { afterMs, name, run } of scheduleOf(random.fork('faults'))) {
      if (Date.now() + afterMs > endsAt) break
      await sleep(afterMs)
      names.set(name, (names.get(name) ?? 0) + 1)
      tally.injected++
      const failedBefore = load.failed()
      const startedAt = performance.now()
      await run(rig)
      // A fault that affects no request within a second after its end does not count as a hit.
      await sleep(1_000)
      if (load.failed() > failedBefore) tally.hit++
      await poll(async () => (await subject.upload({ project: PROJECT })).status === 201, {
        what: `uploads after ${name}`,
        timeoutMs: 60_000,
        intervalMs: 200
      }).catch((error: Error) => tally.violate(error.message))
      tally.recoveryMs.push(performance.now() - startedAt)
      if (tally.injected % 20 === 0) {
        say(
          `${tally.injected} faults, ${tally.operations} requests, ${Math.round((endsAt - Date.now()) / 60_000)} minutes left`
        )
      }
    }
    await load.stop()
    await rig.ready()
    await untilWithdrawn(history.read(), subject)
    const trends = await sampler.stop()
    say(
      [...names]
        .sort()
        .map(([name, count]) => `${name} ${count}`)
        .join(', ')
    )
    for (const { process: name, what, early, late } of trends) {
      const most = what === 'sockets' ? early + 10 : Math.max(early * GROWTH, early + GROWTH_MB)
      tally.expect(late <= most, `${name}: ${what} grew from ${early} to ${late}`)
    }
    const settled = history
      .read()
      .map((each) => (each.op === 'delete' && each.status >= 500 ? { ...each, status: 0 } : each))
    tally.violations.push(...(await checkHistory(settled, subject)), ...(await leaksAfterTenMinutes(rig)))
    return { ...tally, trends }
  } finally {
    await rig.stop()
  }
}

/** Starts that many requests per second, whatever their outcome. */
function startLoad(
  subject: Subject,
  random: Random,
  onRequest: () => void
): { failed: () => number; stop: () => Promise<void> } {
  const running = new Set<Promise<void>>()
  const ids: string[] = []
  let failed = 0
  const one = async (): Promise<void> => {
    const kind = random.below(20)
    const id = ids.length > 0 ? ids[random.below(ids.length)] : undefined
    const flagged = random.below(10) === 0
    onRequest()
    let status = 0
    if (kind < 7 || id === undefined) {
      const upload = await subject.upload({
        project: PROJECT,
        content: flagged ? Buffer.from(eicar) : uniqueText(random.pick([50, 2_000, 50_000])),
        flagged
      })
      if (upload.id !== undefined) ids.push(upload.id)
      status = upload.status
    } else if (kind < 10) status = (await subject.info(id)).status
    else if (kind < 11) status = (await subject.list(`${PROJECT}-none`)).status
    else if (kind < 14) status = (await subject.download(id)).status
    else if (kind < 16) {
      ids.splice(ids.indexOf(id), 1)
      status = (await subject.remove(id)).status
    } else if (kind < 18) {
      status = (
        await subject.ai('generate', { prompt: 'Write a sum.', type: 'code', language: 'javascript' })
      ).status
    } else status = (await subject.ai('analyze', { code: 'let a = 1\n', language: 'js' })).status
    if (status === 0 || status >= 500) failed++
  }
  const timer = setInterval(() => {
    const request: Promise<void> = one().finally(() => {
      running.delete(request)
    })
    running.add(request)
  }, 1_000 / PER_SECOND)
  return {
    failed: () => failed,
    stop: async () => {
      clearInterval(timer)
      await Promise.all(running)
    }
  }
}

function startSampler(rig: Rig): { stop: () => Promise<SoakResult['trends']> } {
  const samples = new Map<string, number[]>()
  const take = async (): Promise<void> => {
    const sockets = await socketCounts(rig.stack)
    for (const [name, pid] of Object.entries(rig.stack.info().pids)) {
      if (sockets[name] === undefined) continue
      const mb = await residentMb(pid).catch(() => undefined)
      if (mb === undefined) continue
      for (const [what, value] of [
        ['memory MB', mb],
        ['sockets', sockets[name] ?? 0]
      ] as const) {
        const key = `${name}/${what}`
        samples.set(key, [...(samples.get(key) ?? []), value])
      }
    }
  }
  const timer = setInterval(() => {
    void take().catch(() => {})
  }, SAMPLE_MS)
  return {
    stop: async () => {
      clearInterval(timer)
      return [...samples].map(([key, values]) => {
        const [process = '', what = ''] = key.split('/')
        const fifth = Math.max(1, Math.floor(values.length / 5))
        return {
          process,
          what: what as 'sockets',
          early: median(values.slice(fifth, fifth * 2)),
          late: median(values.slice(-fifth))
        }
      })
    }
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)
}
