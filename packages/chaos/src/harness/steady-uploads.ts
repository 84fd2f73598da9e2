import { uniqueText } from '@filewright/acceptance'
import type { Random } from './random.js'
import type { Tally } from './row.js'
import type { Subject } from './subject.js'

const SIZES_BYTES = [2_000, 60_000, 400_000]

export interface SteadyUploads {
  /** Uploads that were answered with 201. */
  stored: () => number
  failed: () => number
  /** Starts no more uploads and waits for the open ones. */
  stop: () => Promise<void>
}

/**
 * Starts uploads at a fixed rate, however long the earlier ones take, like independent clients. A response
 * other than 201 is a violation. With `maxOpen` uploads open, further ones are left out: on a machine that is too
 * slow for the rate, uploads would otherwise queue until their deadlines pass.
 */
export function startSteadyUploads(deps: {
  subject: Subject
  project: string
  perSecond: number
  maxOpen?: number
  random: Random
  tally: Tally
}): SteadyUploads {
  const { subject, project, perSecond, maxOpen = Infinity, random, tally } = deps
  const open = new Set<Promise<void>>()
  /** Uploads that are started or left out. */
  let begun = 0
  let stored = 0
  let failed = 0

  async function upload(): Promise<void> {
    const { status, name, ms } = await subject.upload({
      project,
      content: uniqueText(random.pick(SIZES_BYTES))
    })
    tally.operations++
    if (status === 201) stored++
    else {
      failed++
      tally.violate(`${name} answered ${status} after ${Math.round(ms)} ms`)
    }
  }

  const startedAt = performance.now()
  const timer = setInterval(() => {
    // By the clock, not by ticks: a busy machine loses ticks.
    const due = ((performance.now() - startedAt) * perSecond) / 1_000
    for (; begun < due; begun++) {
      if (open.size >= maxOpen) continue
      const one = upload().finally(() => open.delete(one))
      open.add(one)
    }
  }, 1_000 / perSecond)

  return {
    stored: () => stored,
    failed: () => failed,
    stop: async () => {
      clearInterval(timer)
      await Promise.all(open)
    }
  }
}
