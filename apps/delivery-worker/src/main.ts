import { createAppLogger, loadConfig, runService } from '@filewright/runtime'
import { startDeliveryWorker } from './compose.js'
import { DeliveryWorkerConfig } from './config.js'

await runService(async () => {
  const config = loadConfig<DeliveryWorkerConfig>(DeliveryWorkerConfig, process.env)
  const logger = await createAppLogger({
    name: 'delivery-worker',
    level: config.LOG_LEVEL,
    pretty: config.LOG_PRETTY
  })
  return { logger, stopGraceMs: config.STOP_GRACE_MS, steps: await startDeliveryWorker(config, logger) }
})
