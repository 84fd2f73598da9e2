import { loadGatewayConfig } from '@filewright/domain'
import { createLogger, runService } from '@filewright/runtime'
import { startGateway } from './start-gateway.js'

await runService(async () => {
  const config = loadGatewayConfig(process.env)
  const logger = createLogger({ name: 'gateway', level: config.LOG_LEVEL, pretty: config.LOG_PRETTY })
  return { logger, stopGraceMs: config.STOP_GRACE_MS, steps: await startGateway(config, logger) }
})
