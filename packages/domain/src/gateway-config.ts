import { Type, type Static } from '@filewright/schema'
import {
  blobStoreConfig,
  problemOfAddresses,
  secondStoreConfig,
  type BlobStoreConfig
} from '@filewright/blob-store'
import { modelIds, reviewModelId } from '@filewright/contracts'
import type { Quota } from '@filewright/db'
import { redisConfig } from '@filewright/queue'
import {
  AppError,
  knownHostsSetting,
  loadConfig,
  loggingConfig,
  stopConfig,
  tracingConfig,
  setting,
  type Environment
} from '@filewright/runtime'
import { webhookConfig } from '@filewright/webhooks'

const milliseconds = (fallback: number, description: string) =>
  Type.Integer({ minimum: 1, default: fallback, description })

const limit = (fallback: number, description: string) =>
  setting.integer(fallback, [0], `${description}; 0 is no limit`)

const days = (fallback: number, description: string) =>
  setting.integer(fallback, [0, 36_500], `${description}; 0 keeps them forever`)

/** 32 bytes in base64. */
const SEED = '[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]='

/** Also read by the admin commands, which show them. */
export const quotaConfig = {
  PROJECT_MAX_FILES: limit(0, 'Maximum files per project, unless the operator has set another limit for it'),
  PROJECT_MAX_BYTES: limit(
    0,
    'Maximum bytes of all files per project, unless the operator has set another limit for it'
  ),
  TOKEN_MAX_FILES: limit(
    0,
    'Maximum stored files uploaded by one token, unless the operator has set another limit for it'
  ),
  TOKEN_MAX_BYTES: limit(
    0,
    'Maximum bytes of stored files uploaded by one token, unless the operator has set another limit for it'
  )
}

export const GatewayConfig = Type.Object({
  ...loggingConfig,
  ...redisConfig,
  ...blobStoreConfig,
  ...tracingConfig,
  ...stopConfig,
  ...webhookConfig,
  HOST: Type.String({ default: '127.0.0.1', description: 'Address of the public listener' }),
  PORT: setting.integer(3000, [0, 65_535], 'Port of the public listener'),
  ADMIN_HOST: Type.String({ default: '127.0.0.1', description: "Address of the operators' listener" }),
  ADMIN_PORT: setting.integer(3001, [0, 65_535], "Port of the operators' listener"),
  ADMIN_PASSWORD: setting.optional('Password of the user admin at /queues; without one, access is refused', {
    minLength: 8
  }),
  ADMIN_WRITE: setting.flag(false, 'Allow changes in the dashboard at /queues: retry, remove, pause'),
  ADMIN_HOSTS: knownHostsSetting("the operators' port"),
  ADMIN_FAILURES_PER_MINUTE: limit(
    30,
    'Wrong passwords at /queues per minute and client address; above it, 429'
  ),
  BASE_URL: setting.optional('Public address of this service; default http://localhost:$PORT'),
  CONSOLE: setting.flag(true, 'Serve the web console at /'),
  CDN_URL: setting.optional('Public address of the CDN in front of this service; default $BASE_URL/cdn'),
  CDN_SIGNED: setting.flag(false, 'Hand out short-lived signed CDN addresses'),
  CDN_SIGNING_KEY: setting.optional('Secret of the signed CDN addresses; needed with CDN_SIGNED', {
    minLength: 16
  }),
  CDN_TTL_SECONDS: setting.integer(300, [1], 'Lifetime of a signed CDN address'),
  CDN_DIRECT: setting.flag(
    false,
    'Redirect public addresses to the bucket, which then sends the bytes; needs a bucket that can sign addresses'
  ),
  CDN_DIRECT_SECONDS: setting.integer(
    300,
    [1, 3_600],
    'Lifetime of such an address of the bucket: a deleted or withdrawn file can be read there for so long'
  ),
  CDN_DIRECT_ENDPOINT: setting.optional(
    "Address at which clients reach the bucket's server, if it is not the gateway's own",
    { pattern: '^https?://' }
  ),
  RECEIPT_KEY: Type.Optional(
    Type.String({
      pattern: `^${SEED}( *, *${SEED})*$`,
      description:
        'Secret that signs scan receipts: 32 random bytes in base64 (openssl rand -base64 32). To rotate, set the new one, a comma, and the old one; without a key there are no receipts'
    })
  ),
  TRUST_PROXY: Type.String({
    default: 'false',
    pattern: '^(true|false|[0-9]{1,2}|[0-9a-fA-F:./, ]+)$',
    description:
      'Proxies whose X-Forwarded-For is trusted: false, true for one proxy in front, a number of proxies, or their addresses'
  }),
  DATABASE_URL: Type.String({ minLength: 1, description: 'PostgreSQL connection string' }),
  DATABASE_POOL_SIZE: setting.integer(10, [1, 200], 'PostgreSQL connections of this process'),
  DATABASE_PREPARED: setting.flag(
    true,
    'Prepare the most frequent statements once per connection; false behind a pooler in transaction mode'
  ),
  MAX_WAITERS: setting.integer(
    2_000,
    [1],
    'Maximum requests that wait for a job at the same time; above it, 503'
  ),
  MAX_SCAN_QUEUE: setting.integer(
    5_000,
    [1],
    'Maximum files that wait for a scanner; above it, uploads get 503 before their body is read'
  ),
  MAX_INFERENCE_QUEUE: setting.integer(
    1_000,
    [1],
    'Maximum AI requests that wait for a worker; above it, 503'
  ),
  RATE_LIMIT_PER_MINUTE: limit(600, 'Requests per minute and token'),
  AI_RATE_LIMIT_PER_MINUTE: limit(60, 'Generations, analyses and optimizations per minute and token'),
  AUTH_FAILURES_PER_MINUTE: limit(
    300,
    'Invalid tokens per minute and client address, counted by each gateway'
  ),
  SCAN_SECONDS_PER_MINUTE: limit(
    600,
    'Seconds that scans of one token may take per minute, over all gateways; beyond it, uploads are 429'
  ),
  UNPACKED_BYTES_PER_MINUTE: limit(
    17_179_869_184,
    'Bytes that archives of one token may unpack to per minute; beyond it, uploads are 429'
  ),
  MAX_UPLOADS_PER_TOKEN: limit(128, 'Concurrent uploads of one token in each gateway'),
  MAX_AI_REQUESTS_PER_TOKEN: limit(128, 'Concurrent AI requests of one token in each gateway'),
  MAX_EVENT_LOOP_LAG_MS: limit(
    1_000,
    'If the event loop stays delayed by more than this, the gateway refuses a share of new requests with 503'
  ),
  MAX_HEAP_PERCENT: setting.integer(
    90,
    [0, 100],
    'The same if the gateway uses more than this share of its heap; 0 is no limit'
  ),
  HSTS_SECONDS: setting.integer(
    31_536_000,
    [0],
    'How long browsers use only https (Strict-Transport-Security), if BASE_URL and CDN_URL are https; 0 turns it off'
  ),
  ...quotaConfig,
  SCAN_DEADLINE_MS: milliseconds(120_000, 'Longest wait for a scan verdict; then 503'),
  AI_DEADLINE_MS: milliseconds(
    180_000,
    'Longest wait for an AI request, including a batch of analyses; then 504'
  ),
  ANALYZE_MODEL: Type.Enum([...modelIds], {
    default: reviewModelId,
    description: 'Model of the catalogue that analyzes'
  }),
  OPTIMIZE_MODEL: Type.Enum([...modelIds], {
    default: reviewModelId,
    description: 'Model of the catalogue that optimizes'
  }),
  STORE_PROMPTS: setting.flag(
    false,
    'Store prompts, code and results in the records of generations, where the token that sent them can read them'
  ),
  GENERATION_RETENTION_DAYS: days(
    90,
    'Days after which records of generations, analyses and optimizations are deleted'
  ),
  REFUSED_RETENTION_DAYS: days(
    365,
    'Days after which records of refused files, with their verdicts, are deleted'
  ),
  DOWNLOAD_LOG_DAYS: setting.integer(
    90,
    [0, 3_650],
    'Days after its last download of a file for which a token is notified if the file is withdrawn; 0 records no downloads'
  ),
  TRASH_DAYS: setting.integer(
    7,
    [0, 3_650],
    'Days for which deleted files stay in the trash, count towards quotas and can be restored; 0 deletes at once and empties the trash'
  ),
  EVENT_DAYS: setting.integer(
    7,
    [2, 365],
    'Days for which events and the log of webhook deliveries are kept'
  ),
  RELAY_INTERVAL_MS: milliseconds(500, 'Interval of checks for new events to deliver to webhooks'),
  UPLOAD_TIMEOUT_MS: milliseconds(300_000, 'Longest time for a complete request to arrive'),
  IDLE_TIMEOUT_MS: milliseconds(30_000, 'Longest time without data from a client during a transfer'),
  IDEMPOTENCY_LEASE_MS: milliseconds(
    30_000,
    'How long a crashed request holds its Idempotency-Key; after that, a retry can take over'
  ),
  SWEEP_INTERVAL_MS: milliseconds(60_000, 'Interval of sweeps that clean up after crashes'),
  RESCAN_INTERVAL_MS: milliseconds(
    300_000,
    'Interval of checks for new signatures, and of batches of files to rescan'
  ),
  RESCAN_BATCH: setting.integer(
    1_000,
    [0],
    'Maximum files that a gateway rescans per interval; 0 turns rescans off'
  )
})
export type GatewayConfig = Static<typeof GatewayConfig>

export type ResolvedConfig = GatewayConfig & {
  BASE_URL: string
  CDN_URL: string
  /** The other store of a move. */
  secondStore?: BlobStoreConfig | undefined
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '')

export function loadGatewayConfig(env: Environment): ResolvedConfig {
  const config = loadConfig<GatewayConfig>(GatewayConfig, env)
  if (config.CDN_SIGNED && config.CDN_SIGNING_KEY === undefined) {
    throw new AppError(
      'CONFIG_INVALID',
      'Invalid configuration: CDN_SIGNING_KEY is required when CDN_SIGNED is true'
    )
  }
  if (config.CDN_DIRECT) {
    const problem = problemOfAddresses(config, config.CDN_DIRECT_ENDPOINT)
    if (problem !== null) throw new AppError('CONFIG_INVALID', `Invalid configuration: ${problem}`)
  }
  const BASE_URL = withoutSlash(config.BASE_URL ?? `http://localhost:${config.PORT}`)
  return {
    ...config,
    BASE_URL,
    CDN_URL: withoutSlash(config.CDN_URL ?? `${BASE_URL}/cdn`),
    secondStore: secondStoreConfig(env)
  }
}

/** Quotas for projects and tokens without their own; 0 means no limit. */
export function defaultQuotas(config: Pick<GatewayConfig, keyof typeof quotaConfig>): {
  project: Quota
  token: Quota
} {
  return {
    project: { maxFiles: config.PROJECT_MAX_FILES, maxBytes: config.PROJECT_MAX_BYTES },
    token: { maxFiles: config.TOKEN_MAX_FILES, maxBytes: config.TOKEN_MAX_BYTES }
  }
}

export type TrustedProxies = false | string | ((address: string, hop: number) => boolean)

/**
 * With `true`, the last address is trusted, which the proxy in front added; those before it come from the
 * client.
 */
export function trustedProxies(setting: string): TrustedProxies {
  if (setting === 'false') return false
  const count = setting === 'true' ? 1 : Number(setting)
  return Number.isNaN(count) ? setting : (_address, hop) => hop < count
}
