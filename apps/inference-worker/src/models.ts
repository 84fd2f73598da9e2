import type { ModelClient } from '@filewright/llm'
import type { Logger } from '@filewright/runtime'

export interface ModelsOptions {
  model: Pick<ModelClient, 'probe' | 'pull'>
  pull: boolean
  logger: Pick<Logger, 'info' | 'warn'>
  signal: AbortSignal
}

/** Says at start which models are missing, and fetches them when told to. Never fails: a runtime that comes later is as good. */
export async function checkModels ({ model, pull, logger, signal }: ModelsOptions): Promise<void> {
  try {
    const { version, missing } = await model.probe(signal)
    if (missing.length === 0) return logger.info({ version }, 'all models are there')
    if (!pull) return logger.warn({ version, missing }, 'models are missing: pull them, or set OLLAMA_PULL=true')
    for (const name of missing) await pullModel(name)
  } catch (error) {
    if (!signal.aborted) logger.warn({ err: error }, 'the model runtime does not answer yet')
  }

  async function pullModel (name: string): Promise<void> {
    let lastTenth = -1
    await model.pull(name, ({ status, completedBytes, totalBytes }) => {
      const tenth = completedBytes === undefined || !totalBytes ? -1 : Math.floor(completedBytes / totalBytes * 10)
      if (tenth <= lastTenth) return
      lastTenth = tenth
      logger.info({ model: name, status, percent: tenth * 10 }, 'pulling')
    }, signal)
    logger.info({ model: name }, 'pulled')
  }
}
