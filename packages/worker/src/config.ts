import { redisConfig } from '@filewright/queue'
import { knownHostsSetting, loggingConfig, stopConfig, tracingConfig, setting } from '@filewright/runtime'
import { Type, type Static, type TObject } from '@filewright/schema'

/** Settings that every worker has. */
export const workerConfig = {
  ...loggingConfig,
  ...redisConfig,
  ...tracingConfig,
  ...stopConfig,
  PROBE_HOST: Type.String({
    default: '127.0.0.1',
    description: "Address of the worker's health probes and metrics"
  }),
  PROBE_PORT: setting.integer(
    0,
    [0, 65_535],
    "Port of the worker's health probes and metrics; 0 picks a free one"
  ),
  WATCHDOG_SECONDS: setting.integer(
    900,
    [0],
    'A worker that has had jobs for this long without finishing one exits, so that it is restarted; at least three times the longest job; 0 turns it off'
  ),
  PROBE_HOSTS: knownHostsSetting("the worker's probe port")
}
export type WorkerConfig = Static<TObject<typeof workerConfig>>
