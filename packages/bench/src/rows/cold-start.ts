import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@filewright/testing'
import type { BenchContext, Measurement, Row } from '../context.js'
import { spreadOf } from '../statistics.js'

const ROOT = resolve(fileURLToPath(new URL('.', import.meta.url)), '../../../../..')
const READY_LINE = 'Filewright is ready'

/** `npm start` with its own data folder, until it prints that it is ready. */
async function start(dataDir: string): Promise<number> {
  const [port, adminPort] = [await freePort(), await freePort()]
  const startedAt = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    // Its own process group, so that a stop also reaches npm's child.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      DATA_DIR: dataDir,
      FRESHCLAM: 'false',
      SANDBOX_MODEL: 'true',
      NODE_V8_COVERAGE: ''
    }
  })
  const exited = once(child, 'exit')
  let said = ''
  const ready = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.includes(READY_LINE)) resolve()
    })
  })
  await Promise.race([
    ready,
    exited.then(() => {
      throw new Error(`npm start ended: ${said}`)
    })
  ])
  const ms = performance.now() - startedAt
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
  await exited
  return ms
}

async function run({ quick }: BenchContext): Promise<Measurement> {
  const dataDir = await mkdtemp(join(tmpdir(), 'filewright-bench-'))
  try {
    const first = await start(dataDir)
    const times: number[] = []
    for (let round = 0; round < (quick ? 1 : 5); round++) times.push(await start(dataDir))
    const { median, min, max } = spreadOf(times.map((ms) => ms / 1000))
    return {
      value: median,
      min,
      max,
      note: `the first start on an empty folder took ${(first / 1000).toFixed(1)} s`
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
}

export const coldStartRows: Row[] = [
  { name: 'cold start, warm machine', measure: 'npm start to ready, s', goal: { atMost: 6 }, run }
]
