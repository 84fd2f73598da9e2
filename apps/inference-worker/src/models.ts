import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelClient, ProbeResult } from '@filewright/llm'
import type { Logger } from '@filewright/runtime'

export interface ModelsOptions {
  model: Pick<ModelClient, 'probe' | 'pull'>
  pull: boolean
  logger: Pick<Logger, 'info' | 'warn'>
  signal: AbortSignal
  /** Delay between checks for a runtime that is not running yet. Default 5 s. */
  retryMs?: number
}

/**
 * Logs at startup which models are missing, and pulls them if configured. Never fails, and waits for a
 * runtime that starts later.
 */
export async function checkModels({
  model,
  pull,
  logger,
  signal,
  retryMs = 5_000
}: ModelsOptions): Promise<void> {
  async function firstProbe(): Promise<ProbeResult | null> {
    for (let tries = 0; !signal.aborted; tries++) {
      try {
        return await model.probe(signal)
      } catch (error) {
        if (tries === 0 && !signal.aborted) {
          logger.warn({ err: error }, 'the model runtime does not answer yet')
        }
        await sleep(retryMs, undefined, { signal }).catch(() => {})
      }
    }
    return null
  }

  async function pullModel(name: string): Promise<void> {
    let lastTenth = -1
    try {
      await model.pull(
        name,
        ({ status, completedBytes, totalBytes }) => {
          const tenth =
            completedBytes === undefined || !totalBytes ? -1 : Math.floor((completedBytes / totalBytes) * 10)
          if (tenth <= lastTenth) return
          lastTenth = tenth
          logger.info({ model: name, status, percent: tenth * 10 }, 'pulling')
        },
        signal
      )
      logger.info({ model: name }, 'pulled')
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error, model: name }, 'a model could not be pulled')
    }
  }

  const found = await firstProbe()
  if (found === null) return
  const { version, missing } = found
  if (missing.length === 0) return logger.info({ version }, 'all models are available')
  if (!pull) {
    return logger.warn({ version, missing }, 'models are missing: pull them, or set OLLAMA_PULL=true')
  }
  for (const name of missing) {
    if (!signal.aborted) await pullModel(name)
  }
}
