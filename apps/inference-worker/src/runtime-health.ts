import type { ModelClient } from '@filewright/llm'
import type { HealthResult } from '@filewright/runtime'

/**
 * Gateways ask through the queue and operators at the probe: what was found a moment ago answers all of them.
 */
const FRESH_MS = 1_500

/** Whether the model runtime answers, and which of our models it lacks. */
export function createRuntimeCheck(
  model: Pick<ModelClient, 'probe'>
): (signal?: AbortSignal) => Promise<HealthResult> {
  let last: { at: number; finding: Promise<HealthResult> } | undefined

  async function look(): Promise<HealthResult> {
    try {
      const { version, missing } = await model.probe()
      const facts = { version, ...(missing.length === 0 ? {} : { missing_models: missing.join(', ') }) }
      return { ok: true, facts }
    } catch (error) {
      return { ok: false, reason: error instanceof Error ? error.message : String(error) }
    }
  }

  return async () => {
    if (last === undefined || Date.now() - last.at > FRESH_MS) last = { at: Date.now(), finding: look() }
    return await last.finding
  }
}
