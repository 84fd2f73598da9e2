export {
  AppError,
  InvalidFieldError,
  isAppError,
  type AppErrorOptions,
  type ErrorCode
} from './errors.js'
export {
  appArguments,
  appNames,
  APPS,
  serviceNames,
  UNOPTIMIZED_WASM,
  type App,
  type AppBuild,
  type AppName
} from './app-arguments.js'
export { failpoint } from './failpoint.js'
export { createFairLine, shareOf, type FairLine, type FairLineOptions } from './fair-line.js'
export {
  createSemaphore,
  type AcquireOptions,
  type Release,
  type Semaphore,
  type SemaphoreOptions
} from './semaphore.js'
export { createId, createToken, hashToken, isId, LOCAL_TOKEN_NAME } from './ids.js'
export { systemClock, type Clock } from './clock.js'
export { closedHeaders } from './closed-headers.js'
export {
  loadConfig,
  loggingConfig,
  setting,
  stopConfig,
  tracingConfig,
  type Environment
} from './config.js'
export { createAppLogger, createLogger, type Logger, type LoggerOptions } from './logger.js'
export { installShutdown, type ShutdownOptions, type ShutdownStep } from './shutdown.js'
export {
  checkOf,
  createHealthMonitor,
  type HealthResult,
  type Gate,
  type HealthCheck,
  type HealthEntry,
  type HealthFacts,
  type HealthMonitor,
  type HealthMonitorOptions,
  type HealthReport
} from './health.js'
export {
  countHostHeaders,
  createKnownHosts,
  knownHostsSetting,
  type KnownHosts,
  type KnownHostsOptions
} from './known-hosts.js'
export {
  startProbeServer,
  type MetricsPage,
  type ProbeServer,
  type ProbeServerOptions
} from './probe-server.js'
export { endWithSentence, runService, type RunningService } from './run-service.js'
export {
  abortable,
  linkSignals,
  onAbort,
  withDeadline,
  type DeadlineOptions,
  type LinkedSignal
} from './waiting.js'
