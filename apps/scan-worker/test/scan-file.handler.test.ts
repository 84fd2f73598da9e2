import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { blobKeyOf, createLocalBlobStore } from '@filewright/blob-store'
import { isSealed } from '@filewright/queue'
import { AppError, createId, systemClock } from '@filewright/runtime'
import type { Scanner } from '@filewright/scanner'
import { poll } from '@filewright/testing'
import { createScanFileHandler, createSealKey } from '../src/index.js'

async function stored(t: Test, content: string) {
  const root = await mkdtemp(join(tmpdir(), 'fw-scan-worker-'))
  t.teardown(async () => await rm(root, { recursive: true }))
  const blobs = createLocalBlobStore({ root })
  const fileId = createId()
  const blobKey = blobKeyOf(fileId)
  await blobs.write(blobKey, Readable.from([Buffer.from(content)]))
  const sha256 = createHash('sha256').update(content).digest('hex')
  return {
    blobs,
    payload: { v: 1 as const, fileId, blobKey, sizeBytes: content.length, sha256, requestId: 'r' }
  }
}

const { signal } = new AbortController()
const sealKey = async () => null
const clean = { verdict: 'clean', engine: 'test/1', unpackedBytes: 0, waitedMs: 0 } as const

t.test('the scanner gets size, hash and the stored bytes, and its verdict is the result', async (t) => {
  const { blobs, payload } = await stored(t, 'hello')
  const seen: unknown[] = []
  const scan: Scanner['scan'] = async ({ sizeBytes, sha256, open }) => {
    seen.push(sizeBytes, sha256, await text(await open()), await text(await open({ start: 1, end: 2 })))
    return clean
  }

  const result = await createScanFileHandler({ blobs, sealKey, scanner: { scan } })(payload, { signal })

  const { fileId, sha256 } = payload
  t.match(result, { verdict: 'clean', engine: 'test/1', unpackedBytes: 0, fileId, sizeBytes: 5, sha256 })
  t.strictSame(seen, [5, payload.sha256, 'hello', 'el'])
})

t.test("the scanner's reason is returned with its verdict, truncated to fit a header", async (t) => {
  const { blobs, payload } = await stored(t, 'hello')
  const unscannable = { ...clean, verdict: 'unscannable', reason: 'r'.repeat(900) } as const
  const scan: Scanner['scan'] = async () => unscannable

  const result = await createScanFileHandler({ blobs, sealKey, scanner: { scan } })(payload, { signal })

  t.equal(result.verdict, 'unscannable')
  t.equal(result.reason, 'r'.repeat(200))
})

t.test(
  'the result has the cost of the scan, without its waiting time, also when the file is refused',
  async (t) => {
    const { blobs, payload } = await stored(t, 'hello')
    const lanes: unknown[] = []
    const scan: Scanner['scan'] = async (_source, options) => {
      lanes.push(options?.lane)
      return { ...clean, verdict: 'unscannable', unpackedBytes: 4_000_000, waitedMs: 3_600_000 }
    }
    const ran: Scanner['scan'] = async () => {
      const since = performance.now()
      await poll(() => (performance.now() - since > 20 ? true : null))
      return clean
    }

    const refused = await createScanFileHandler({ blobs, sealKey, scanner: { scan } })(
      { ...payload, tokenId: 'token-1' },
      { signal }
    )
    const scanned = await createScanFileHandler({ blobs, sealKey, scanner: { scan: ran } })(payload, {
      signal
    })

    t.match(refused, { verdict: 'unscannable', unpackedBytes: 4_000_000, scanMs: 0 })
    t.notOk('waitedMs' in refused)
    t.strictSame(lanes, ['token-1'])
    t.ok((scanned.scanMs ?? 0) >= 20)
  }
)

t.test('a missing blob fails the job permanently: its upload was abandoned', async (t) => {
  const { blobs, payload } = await stored(t, 'hello')
  const scan: Scanner['scan'] = async ({ open }) => {
    await text(await open())
    return clean
  }
  await blobs.remove(payload.blobKey)

  await t.rejects(createScanFileHandler({ blobs, sealKey, scanner: { scan } })(payload, { signal }), {
    code: 'JOB_FAILED',
    retryable: false
  })
})

t.test('a scanner that is down fails the job with a retry', async (t) => {
  const { blobs, payload } = await stored(t, 'hello')
  const scan: Scanner['scan'] = async () => {
    throw new AppError('SCAN_UNAVAILABLE', 'scripted', { retryable: true })
  }

  await t.rejects(createScanFileHandler({ blobs, sealKey, scanner: { scan } })(payload, { signal }), {
    code: 'SCAN_UNAVAILABLE',
    retryable: true
  })
})

t.test("a verdict is signed with the store's secret, for the attempt that requested it", async (t) => {
  const { blobs, payload } = await stored(t, 'hello')
  const key = await blobs.secret.ensure()
  const handle = createScanFileHandler({
    blobs,
    sealKey: async () => key,
    scanner: { scan: async () => clean }
  })

  const atUpload = await handle(payload, { signal })
  const later = await handle({ ...payload, round: 'r2' }, { signal })

  t.ok(isSealed(key, {}, atUpload))
  t.ok(isSealed(key, { round: 'r2' }, later))
  t.notOk(isSealed(key, {}, later))
})

t.test('a verdict has no signature while the store has no secret, as with an older gateway', async (t) => {
  const { blobs, payload } = await stored(t, 'hello')
  const ofStore = createSealKey({ secret: blobs.secret, clock: systemClock })
  const handle = createScanFileHandler({ blobs, sealKey: ofStore, scanner: { scan: async () => clean } })

  const result = await handle(payload, { signal })

  t.equal(result.verdict, 'clean')
  t.notOk('seal' in result)
})
