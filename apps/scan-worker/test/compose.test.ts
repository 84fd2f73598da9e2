import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t from 'tap'
import { blobKeyOf, createBlobStoreFrom } from '@filewright/blob-store'
import { createQueueClient, scanFile } from '@filewright/queue'
import { createId, createLogger, loadConfig } from '@filewright/runtime'
import { baselineSignaturesDir, renderClamdConf } from '@filewright/scanner'
import { freePort, poll, startChaosProxy, startClamdServer, startRedisServer } from '@filewright/testing'
import { startScanWorker } from '../src/compose.js'
import { ScanWorkerConfig } from '../src/config.js'

const PREFIX = 'compose'
const PATIENCE = { timeoutMs: 60_000 }
const logger = createLogger({ name: 'test', level: 'silent' })

t.setTimeout(300_000)

t.test(
  'a worker whose clamd is down pauses, says so, and resumes automatically, without a failed attempt',
  async (t) => {
    const redis = await startRedisServer()
    t.teardown(redis.stop)
    const clamd = await startClamdServer({
      renderConf: renderClamdConf,
      signaturesDir: baselineSignaturesDir()
    })
    t.teardown(clamd.stop)
    // Not tap's folder: a socket path has at most 107 bytes.
    const folder = mkdtempSync(join(tmpdir(), 'filewright-scan-worker-'))
    t.teardown(() => rmSync(folder, { recursive: true, force: true }))
    const socket = join(folder, 'clamd.sock')
    const port = await freePort()
    const config: ScanWorkerConfig = loadConfig(ScanWorkerConfig, {
      REDIS_URL: redis.url,
      QUEUE_PREFIX: PREFIX,
      BLOB_DIR: join(folder, 'blobs'),
      CLAMD_SOCKET: socket,
      ALLOW_BASELINE_SIGNATURES: 'true',
      SIGNATURES_MAX_AGE_HOURS: '0',
      PROBE_PORT: String(port)
    })
    const blobs = createBlobStoreFrom(config, { logger })
    const queue = createQueueClient({ redisUrl: redis.url, prefix: PREFIX, logger, definitions: [scanFile] })
    const steps = await startScanWorker(config, logger)
    t.teardown(async () => {
      for (const { run } of steps) await run()
      await queue.close()
      await blobs.close()
    })
    const readiness = async (): Promise<number> =>
      (await fetch(`http://127.0.0.1:${port}/health/ready`)).status
    const scan = async (fileId: string): Promise<string> => {
      const bytes = Buffer.from(`nothing special in ${fileId}`)
      const blobKey = blobKeyOf(fileId)
      await blobs.write(blobKey, Readable.from([bytes]))
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const { verdict } = await queue.request(
        scanFile,
        { v: 1, fileId, blobKey, sizeBytes: bytes.length, sha256, requestId: 'r' },
        { deadlineMs: 120_000 }
      )
      return verdict
    }
    const failedAttempts = async (fileId: string): Promise<string> =>
      await redis.command(`HGET ${PREFIX}:scan:scan-${fileId} atm`)

    // As in a pod whose clamd is still loading its signatures.
    await poll(async () => (await queue.workers(scanFile)).length === 1, PATIENCE)
    const [first, second] = [createId(), createId()]
    const early = scan(first)
    await poll(async () => (await queue.counts(scanFile)).waiting === 1, PATIENCE)
    t.match(await queue.workers(scanFile), [{ ok: false, reason: /ENOENT/ }])
    t.equal(await readiness(), 503)
    t.match(await queue.counts(scanFile), { active: 0, delayed: 0, failed: 0 })

    const proxy = await startChaosProxy({ target: { path: clamd.socketPath }, path: socket })
    t.teardown(proxy.close)
    t.equal(await early, 'clean')
    t.match(await failedAttempts(first), /^\$1\r\n1/)
    await poll(async () => (await readiness()) === 200, PATIENCE)

    await clamd.kill()
    const late = scan(second)
    await poll(async () => !(await queue.hasWorker(scanFile)), PATIENCE)
    await poll(async () => (await readiness()) === 503, PATIENCE)
    await clamd.restart()
    t.equal(await late, 'clean')
    t.match(await failedAttempts(second), /^\$1\r\n1/, 'the one that succeeded')
  }
)
