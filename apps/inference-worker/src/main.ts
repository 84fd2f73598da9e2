import { createAppLogger, loadConfig, runService } from '@filewright/runtime'
import { startInferenceWorker } from './compose.js'
import { InferenceWorkerConfig } from './config.js'

await runService(async () => {
  const config = loadConfig<InferenceWorkerConfig>(InferenceWorkerConfig, process.env)
  const logger = await createAppLogger({
    name: 'inference-worker',
    level: config.LOG_LEVEL,
    pretty: config.LOG_PRETTY
  })
  return { logger, stopGraceMs: config.STOP_GRACE_MS, steps: await startInferenceWorker(config, logger) }
})
