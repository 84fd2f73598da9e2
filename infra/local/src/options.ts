import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Type, type Static } from '@filewright/schema'
import { bucketConfig, bucketProviderOf, problemOfBucket } from '@filewright/blob-store'
import { loadConfig, setting, type Environment } from '@filewright/runtime'
import { StackError, messageOf } from './errors.js'
import { firstPlace } from './first-place.js'

export const StackConfig = Type.Object({
  HOST: Type.String({ default: '127.0.0.1', description: 'Address the gateway listens on' }),
  PORT: setting.integer(3000, [1, 65_535], 'Port of the gateway'),
  ADMIN_HOST: Type.String({ default: '127.0.0.1', description: "Address of the operators' listener" }),
  ADMIN_PORT: setting.integer(3001, [1, 65_535], "Port of the operators' listener"),
  DATA_DIR: Type.String({ default: '.data', description: 'All data of the local stack' }),
  ACCESS_TOKEN: setting.optional('The access token, instead of a generated one'),
  ADMIN_PASSWORD: setting.optional("The dashboard's password, instead of a generated one", { minLength: 8 }),
  BASE_URL: setting.optional('Public address of the service'),
  CONSOLE: setting.flag(true, 'Serve the web console at /'),
  CDN_URL: setting.optional('Public address of the CDN'),
  DATABASE_URL: setting.optional('A PostgreSQL to use instead of the embedded one'),
  REDIS_URL: setting.optional('A Redis to use instead of a private one'),
  QUEUE_PREFIX: Type.String({ default: 'fw', description: "Prefix of the queues' keys in Redis" }),
  CLAMD_SOCKET: setting.optional('Socket of a clamd to use instead of a private one'),
  CLAMD_HOST: setting.optional('Host of a clamd to use instead of a private one'),
  CLAMD_PORT: setting.integer(3310, [1, 65_535], 'Port of that clamd'),
  BLOB_DIR: setting.optional('Folder for the files, instead of one in DATA_DIR', { minLength: 1 }),
  ...bucketConfig,
  OLLAMA_HOST: setting.optional('An Ollama to use instead of one found or started here'),
  SANDBOX_MODEL: setting.flag(false, 'Use the sandbox model without looking for Ollama'),
  FRESHCLAM: setting.flag(true, 'Download the official signatures if the mirrors can be reached')
})

type Settings = Static<typeof StackConfig>

export interface StackOptions {
  host: string
  port: number
  adminHost: string
  adminPort: number
  dataDir: string
  accessToken: string | undefined
  adminPassword: string | undefined
  baseUrl: string
  hasConsole: boolean
  cdnUrl: string | undefined
  databaseUrl: string | undefined
  redisUrl: string | undefined
  queuePrefix: string
  clamd: ClamdAddress | undefined
  /** Default: in the data folder. */
  blobDir?: string | undefined
  bucket: BucketSettings | undefined
  ollamaUrl: string | undefined
  sandboxModel: boolean
  fetchSignatures: boolean
  scanWorkers: number
  inferenceWorkers: number
}

/** The settings of the bucket with the files, as the apps read them. */
export type BucketSettings = Partial<Pick<Settings, keyof typeof bucketConfig>>

export type ClamdAddress = { socket: string } | { host: string; port: number }

export const HELP = `Usage: npm start -- [options]

Starts Filewright and all it needs, and stops it on Ctrl-C.

  --scan-workers <n>        how many scan workers to run (1 to 16, default 1)
  --inference-workers <n>   how many inference workers to run (1 to 16, default 1)
  --help                    this text

Settings come from the environment or from a .env file in the root:

${Object.entries(StackConfig.properties)
  .map(([key, schema]) => {
    const { description, default: standard } = schema as { description?: unknown; default?: unknown }
    const fallback = standard === undefined ? '' : ` (default ${String(standard)})`
    return `  ${key.padEnd(21)} ${String(description)}${fallback}`
  })
  .join('\n')}
`

const MAX_WORKERS = 16
const SEE_HELP = 'see npm start -- --help'
// Allowed in a header: visible ASCII.
const ACCESS_TOKEN = /^[\x21-\x7e]{16,512}$/

/** Null when only the help was requested. */
export function parseOptions(argv: readonly string[], env: Environment, cwd: string): StackOptions | null {
  const flags = parseFlags(argv)
  if (flags.help === true) return null
  const config = readConfig(env)
  const problems = problemsOf(config)
  if (problems.length > 0) throw wrongCall(problems.join('; '))
  return {
    host: config.HOST,
    port: config.PORT,
    adminHost: config.ADMIN_HOST,
    adminPort: config.ADMIN_PORT,
    dataDir: resolve(cwd, config.DATA_DIR),
    accessToken: config.ACCESS_TOKEN,
    adminPassword: config.ADMIN_PASSWORD,
    baseUrl: (config.BASE_URL ?? `http://localhost:${config.PORT}`).replace(/\/+$/, ''),
    hasConsole: config.CONSOLE,
    cdnUrl: config.CDN_URL,
    databaseUrl: config.DATABASE_URL,
    redisUrl: config.REDIS_URL,
    queuePrefix: config.QUEUE_PREFIX,
    clamd: clamdAddress(config),
    blobDir: config.BLOB_DIR === undefined ? undefined : resolve(cwd, config.BLOB_DIR),
    bucket: bucketSettings(config),
    ollamaUrl: ollamaUrl(config.OLLAMA_HOST),
    sandboxModel: config.SANDBOX_MODEL,
    fetchSignatures: config.FRESHCLAM,
    scanWorkers: wholeNumber('--scan-workers', flags['scan-workers'] ?? '1', MAX_WORKERS),
    inferenceWorkers: wholeNumber('--inference-workers', flags['inference-workers'] ?? '1', MAX_WORKERS)
  }
}

/** Rules that a schema cannot express, all at once. */
function problemsOf(config: ReturnType<typeof readConfig>): string[] {
  const addresses = ['BASE_URL', 'CDN_URL', 'DATABASE_URL', 'REDIS_URL'] as const
  const bucketProblem = problemOfBucket(config)
  return [
    ...(config.ACCESS_TOKEN === undefined || ACCESS_TOKEN.test(config.ACCESS_TOKEN)
      ? []
      : ['ACCESS_TOKEN must be 16 to 512 visible characters without spaces']),
    ...(bucketProblem === null ? [] : [bucketProblem]),
    ...(config.PORT === config.ADMIN_PORT ? ['PORT and ADMIN_PORT must differ'] : []),
    ...addresses.flatMap((key) =>
      config[key] === undefined || URL.canParse(firstPlace(config[key]))
        ? []
        : [`${key} must be a full address, like ${EXAMPLES[key]}`]
    )
  ]
}

function bucketSettings(config: Settings): BucketSettings | undefined {
  const provider = bucketProviderOf(config)
  if (provider === undefined) return undefined
  // The other providers' settings do not matter, and STORAGE_EMULATOR_HOST is never used.
  const prefix = `${provider.toUpperCase()}_`
  return Object.fromEntries(
    Object.entries(config).filter(([key, value]) => key.startsWith(prefix) && value !== undefined)
  )
}

const EXAMPLES = {
  BASE_URL: 'http://localhost:3000',
  CDN_URL: 'https://cdn.example.com',
  DATABASE_URL: 'postgresql://user@localhost:5432/filewright',
  REDIS_URL: 'redis://localhost:6379'
}

function wrongCall(sentence: string): StackError {
  return new StackError(`${sentence}.`, { exitCode: 2 })
}

function parseFlags(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        'scan-workers': { type: 'string' },
        'inference-workers': { type: 'string' },
        help: { type: 'boolean', short: 'h' }
      }
    }).values
  } catch (error) {
    // Node's messages have several sentences; the first one names the flag.
    throw wrongCall(`${messageOf(error).split('. ')[0] ?? ''}; ${SEE_HELP}`)
  }
}

function readConfig(env: Environment) {
  try {
    return loadConfig<Static<typeof StackConfig>>(StackConfig, env)
  } catch (error) {
    throw wrongCall(messageOf(error))
  }
}

function clamdAddress(config: ReturnType<typeof readConfig>): ClamdAddress | undefined {
  if (config.CLAMD_SOCKET !== undefined) return { socket: config.CLAMD_SOCKET }
  if (config.CLAMD_HOST !== undefined) return { host: config.CLAMD_HOST, port: config.CLAMD_PORT }
  return undefined
}

/** Ollama's own variable may lack the scheme and the port, and may be a listen address. */
function ollamaUrl(host: string | undefined): string | undefined {
  if (host === undefined) return undefined
  const hasScheme = /^https?:\/\//i.test(host)
  const text = hasScheme ? host : `http://${host}`
  if (!URL.canParse(text)) throw wrongCall('OLLAMA_HOST must be an address, like http://localhost:11434')
  const url = new URL(text)
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  if (!hasScheme && url.port === '') url.port = '11434'
  return url.href.replace(/\/+$/, '')
}

function wholeNumber(flag: string, text: string, maximum: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : 0
  if (value < 1 || value > maximum) {
    throw wrongCall(`${flag} must be a whole number from 1 to ${maximum}; ${SEE_HELP}`)
  }
  return value
}
