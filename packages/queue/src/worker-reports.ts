import { Compile, Type, type Validator } from '@filewright/schema'
import type { HealthResult } from '@filewright/runtime'
import { createLeases } from './fair/leases.js'
import { reportKey, workersKey } from './keys.js'
import type { ProducerLink } from './producer-link.js'

/** How long a worker counts as alive after its last heartbeat. Covers two lost ones. */
export const ALIVE_MS = 5_000

const facts = Type.Optional(
  Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]))
)
const WorkerReport = Type.Union([
  Type.Object({ ok: Type.Literal(true), warning: Type.Optional(Type.String()), facts }),
  Type.Object({ ok: Type.Literal(false), reason: Type.String(), facts })
])

/**
 * Reads the live workers' reports on their dependency. A worker stays known for `ALIVE_MS` after it was last
 * seen: a wiped Redis or a delayed heartbeat does not make it look dead.
 */
export function createReportReader({ link, prefix, name }: ReportReaderDeps): {
  read: () => Promise<HealthResult[]>
} {
  const leases = createLeases(link.redis)
  const known = new Map<string, { report: HealthResult; until: number }>()
  let validator: Validator | undefined

  function parse(text: string): HealthResult | null {
    validator ??= Compile(WorkerReport)
    try {
      const value: unknown = JSON.parse(text)
      return validator.Check(value) ? (value as HealthResult) : null
    } catch {
      return null
    }
  }

  return {
    read: async () => {
      const ids = await link.run(async () => await leases.members(workersKey(prefix, name)))
      const keys = ids.map((id) => reportKey(prefix, name, id))
      const texts = keys.length === 0 ? [] : await link.run(async () => await link.redis.mget(keys))
      const now = performance.now()
      ids.forEach((id, i) => {
        const report = parse(texts[i] ?? '')
        if (report !== null) known.set(id, { report, until: now + ALIVE_MS })
      })
      for (const [id, { until }] of known) if (until <= now) known.delete(id)
      return [...known.values()].map(({ report }) => report)
    }
  }
}

interface ReportReaderDeps {
  link: ProducerLink
  prefix: string
  name: string
}
