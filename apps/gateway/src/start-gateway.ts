import type { ResolvedConfig } from '@filewright/domain'
import { endWithSentence, startProbeServer, type Logger, type ShutdownStep } from '@filewright/runtime'
import { composeGateway } from './compose.js'
import { watchRequests } from './http/requests-under-way.js'
import { createLoginGuard } from './modules/limits/login-guard.js'
import { createQueueBoard } from './operators/queue-board.js'
import { createAdapters } from './adapters.js'

/** Returns the shutdown steps in order. */
export async function startGateway(config: ResolvedConfig, logger: Logger): Promise<ShutdownStep[]> {
  const adapters = await createAdapters(config, logger)
  const { tracing, database, stores, queueClient, counter, guard } = adapters
  // Database and store are read while the rest is created.
  const compared = guard.begin()
  compared.catch(() => {})
  const gateway = await composeGateway(config, logger, adapters)
  const { app, health, metrics, cleaner, sweeper, rescanner, relay, scannerWatch, events } = gateway
  const { receipts, downloadLog } = gateway

  const requests = watchRequests(app.server)
  await compared
  await app.listen({ host: config.HOST, port: config.PORT })
  const board = createQueueBoard({
    redisUrl: config.REDIS_URL,
    prefix: config.QUEUE_PREFIX,
    password: config.ADMIN_PASSWORD,
    write: config.ADMIN_WRITE,
    guard: createLoginGuard(config.ADMIN_FAILURES_PER_MINUTE),
    logger
  })
  const admin = await startProbeServer({
    host: config.ADMIN_HOST,
    port: config.ADMIN_PORT,
    hosts: config.ADMIN_HOSTS,
    health,
    metrics: metrics.page,
    handle: board.handle
  })
  health.start()
  downloadLog.start()
  void guard.established.then(() => {
    sweeper.start()
    rescanner.start()
    relay.start()
    scannerWatch.start()
    // Publishes this gateway's keys. If the database is down now, the first receipt does it.
    receipts.keys().catch(() => {})
  }, endWithSentence)

  return [
    // From now on, load balancers that use the probes send new requests elsewhere.
    { name: 'announcement', run: () => health.announceStop() },
    { name: 'event streams', run: () => events.stop() },
    { name: 'requests under way', run: () => requests.ended() },
    { name: 'public listener', run: () => app.close() },
    { name: 'health', run: () => health.stop() },
    { name: 'store guard', run: () => guard.stop() },
    { name: 'sweeper', run: () => sweeper.stop() },
    { name: 'scanner watch', run: () => scannerWatch.stop() },
    { name: 'event relay', run: () => relay.stop() },
    { name: 'failed uploads', run: () => cleaner.idle() },
    // In parallel: a running rescan ends when its queue closes, and would otherwise delay shutdown.
    { name: 'queue and rescan', run: () => Promise.all([rescanner.stop(), queueClient.close()]) },
    { name: 'limits', run: () => counter.close() },
    {
      name: 'blob store',
      run: () => Promise.all(stores.stores.map(({ blobs }) => blobs.close()))
    },
    { name: 'download log', run: () => downloadLog.stop() },
    { name: 'database', run: () => database.close() },
    { name: 'dashboard', run: () => board.close() },
    { name: 'metrics', run: () => metrics.close() },
    { name: 'tracing', run: () => tracing.close() },
    { name: 'admin listener', run: () => admin.close() }
  ]
}
