import type { ModelClient } from '@filewright/llm'
import type { HealthResult } from '@filewright/runtime'

/** Whether the model runtime answers, and which of our models it lacks. */
export async function checkRuntime(
  model: Pick<ModelClient, 'probe'>,
  signal: AbortSignal
): Promise<HealthResult> {
  try {
    const { version, missing } = await model.probe(signal)
    const facts = { version, ...(missing.length === 0 ? {} : { missing_models: missing.join(', ') }) }
    return { ok: true, facts }
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) }
  }
}
