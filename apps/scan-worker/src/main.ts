import { secondStoreConfig } from '@filewright/blob-store'
import { createAppLogger, loadConfig, runService } from '@filewright/runtime'
import { startScanWorker } from './compose.js'
import { ScanWorkerConfig } from './config.js'

await runService(async () => {
  const config = loadConfig<ScanWorkerConfig>(ScanWorkerConfig, process.env)
  const logger = await createAppLogger({
    name: 'scan-worker',
    level: config.LOG_LEVEL,
    pretty: config.LOG_PRETTY
  })
  const steps = await startScanWorker(config, logger, secondStoreConfig(process.env))
  return { logger, stopGraceMs: config.STOP_GRACE_MS, steps }
})
