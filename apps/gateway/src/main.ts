import { loadGatewayConfig } from '@filewright/domain'
import { createAppLogger, runService } from '@filewright/runtime'
import { startGateway } from './start-gateway.js'

await runService(async () => {
  const config = loadGatewayConfig(process.env)
  const logger = await createAppLogger({
    name: 'gateway',
    level: config.LOG_LEVEL,
    pretty: config.LOG_PRETTY
  })
  return { logger, stopGraceMs: config.STOP_GRACE_MS, steps: await startGateway(config, logger) }
})
