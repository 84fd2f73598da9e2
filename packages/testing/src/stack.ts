import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { UNOPTIMIZED_WASM } from '@filewright/runtime'
import { freePort } from './free-port.js'
import { chosenBucket } from './peers/bucket.js'
import { MIGRATED, SHARED_SERVER, createTestDatabase } from './test-database.js'

const ROOT = resolve(fileURLToPath(new URL('.', import.meta.url)), '../../../..')
const READY_LINE = 'Filewright is ready'
const START_TIMEOUT_MS = 120_000
/** The supervisor guarantees to exit within 10 s. */
const STOP_TIMEOUT_MS = 15_000

/** `$DATA_DIR/run/stack.json`. */
export interface RunningStackInfo {
  baseUrl: string
  adminUrl: string
  databaseUrl: string
  redisUrl: string
  clamd: { socket: string } | { host: string; port: number }
  ollamaUrl: string
  pids: Record<string, number>
}

export interface StackResult {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface RunningStack {
  readonly baseUrl: string
  readonly adminUrl: string
  readonly token: string
  readonly dataDir: string
  /** Of the supervisor. */
  readonly supervisorPid: number
  /** The current addresses and process ids. */
  info: () => RunningStackInfo
  /**
   * The pid of a part: gateway, scan-worker-1, inference-worker-1, redis, clamd, postgres, sandbox-model.
   * Undefined while it is down.
   */
  pid: (name: string) => number | undefined
  /** Everything it has printed so far. */
  output: () => string
  /** SIGTERM to the supervisor, and its exit. Also removes the data folder, unless it was given. */
  stop: (signal?: NodeJS.Signals) => Promise<StackResult>
}

export interface StartStackOptions {
  env?: NodeJS.ProcessEnv
  args?: readonly string[]
  /** An existing folder to start on, which is kept; default a new one. */
  dataDir?: string
  /**
   * With the test runner's coverage, which costs every process time and memory. Default false: runs what is
   * shipped.
   */
  coverage?: boolean
  /**
   * The stack's own, as with `npm start`, or one on the run's server, which is faster. Default the latter,
   * where the run has a server.
   */
  database?: 'embedded' | 'server'
}

export interface Teardown {
  teardown: (run: () => Promise<unknown>) => unknown
}

/**
 * Starts the built local stack like `npm start`, on its own ports and in its own folder. With a tap test it
 * stops at that test's end.
 */
export async function startStack(
  t?: Teardown,
  { env = {}, args = [], dataDir: given, coverage = false, database = 'server' }: StartStackOptions = {}
): Promise<RunningStack> {
  const dataDir = given ?? (await mkdtemp(join(tmpdir(), 'filewright-stack-')))
  const token = env.ACCESS_TOKEN ?? `test-${randomBytes(16).toString('hex')}`
  const ownDatabase =
    database === 'embedded' || env.DATABASE_URL !== undefined || process.env[SHARED_SERVER] === undefined
  const testDatabase = ownDatabase ? undefined : await createTestDatabase({ template: MIGRATED })
  // A folder given by the caller has its files in it.
  const bucket = given !== undefined || namesStore(env) ? undefined : await chosenBucket()
  const [port, adminPort] = await Promise.all([freePort(), freePort()])
  // Coverage is counted by file.
  const build = coverage ? 'src' : (env.FILEWRIGHT_BUILD ?? 'bundle')
  const main = join(ROOT, 'infra', 'local', 'dist', build, 'main.js')
  const child = spawn(process.execPath, [UNOPTIMIZED_WASM, main, ...args], {
    cwd: ROOT,
    env: {
      ...withoutStackSettings(process.env),
      // Empty, not absent: Node would pass on its own.
      ...(coverage ? {} : { NODE_V8_COVERAGE: '' }),
      FILEWRIGHT_BUILD: build,
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      FRESHCLAM: 'false',
      // Does not look for an Ollama on this machine. A test with its own sets OLLAMA_HOST, which takes
      // precedence.
      SANDBOX_MODEL: 'true',
      // Receivers of webhooks are on this machine.
      WEBHOOK_ALLOW_PRIVATE: 'true',
      // One token does the work of many clients. A test of the limits sets its own.
      RATE_LIMIT_PER_MINUTE: '0',
      AI_RATE_LIMIT_PER_MINUTE: '0',
      AUTH_FAILURES_PER_MINUTE: '0',
      ...(testDatabase === undefined ? {} : { DATABASE_URL: testDatabase.url }),
      ...bucket?.settings,
      ...env,
      DATA_DIR: dataDir,
      ACCESS_TOKEN: token
    },
    // The channel closes with this process, however it ends, and the stack then stops by itself.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc']
  })
  if (child.stdout === null || child.stderr === null) throw new Error('the stack was started without pipes')
  let output = ''
  const take = (text: string): void => {
    output += text
  }
  child.stdout.setEncoding('utf8').on('data', take)
  child.stderr.setEncoding('utf8').on('data', take)
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  let running = true
  void exited.then(() => {
    running = false
  })

  async function stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<StackResult> {
    child.kill(signal)
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    const [code, endedBy] = await exited
    clearTimeout(timer)
    await testDatabase?.stop()
    await bucket?.stop()
    if (given === undefined) {
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    }
    return { code, signal: endedBy }
  }
  t?.teardown(stop)

  const deadline = Date.now() + START_TIMEOUT_MS
  while (!output.includes(READY_LINE)) {
    if (running && Date.now() < deadline) {
      await sleep(30)
      continue
    }
    const how = running ? `was not ready in ${START_TIMEOUT_MS / 1000} s` : 'ended at its start'
    await stop()
    throw new Error(`The stack ${how}:\n${output}`)
  }

  const info = (): RunningStackInfo => readStackInfo(dataDir)
  const { baseUrl, adminUrl } = info()
  return {
    baseUrl,
    adminUrl,
    token,
    dataDir,
    supervisorPid: child.pid ?? 0,
    info,
    pid: (name) => info().pids[name],
    output: () => output,
    stop
  }
}

const namesStore = (env: NodeJS.ProcessEnv): boolean =>
  ['BLOB_DIR', 'GCS_BUCKET', 'S3_BUCKET', 'AZURE_CONTAINER'].some((name) => env[name] !== undefined)

export const readStackInfo = (dataDir: string): RunningStackInfo =>
  JSON.parse(readFileSync(join(dataDir, 'run', 'stack.json'), 'utf8')) as RunningStackInfo

/** Every setting of the product, and those of Ollama and of the models. */
function settingNames(): RegExp {
  const example = readFileSync(join(ROOT, '.env.example'), 'utf8')
  const names = [...example.matchAll(/^#([A-Z0-9_]+)=/gm)].map(([, name]) => name)
  return new RegExp(`^(?:${names.join('|')}|(?:OLLAMA|MODEL)_.*)$`)
}

/** A developer's own settings must not reach a test. */
function withoutStackSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = settingNames()
  return Object.fromEntries(Object.entries(env).filter(([key]) => !names.test(key)))
}
