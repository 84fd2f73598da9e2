import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { limits } from '@filewright/contracts'
import { startCell } from '../harness/cell.js'
import type { Row } from '../harness/row.js'
import { peakMb, resetPeak } from '../hostile/memory.js'

/** The gateway's maximum resident memory: lower for twelve concurrent uploads than for a hundred. */
const limitMb = (count: number): number => (count > 12 ? 512 : 350)
const CHUNK_BYTES = 64 * 1024
const CHUNKS = limits.fileSizeBytes / CHUNK_BYTES
const BOUNDARY = 'parallel'

/** 50 MB of text that differs in every piece, made as it is sent. */
function* piecesOf(file: string): Generator<Buffer> {
  const piece = Buffer.alloc(CHUNK_BYTES, 'the quick brown fox jumps over the lazy dog and back again\n')
  for (let index = 0; index < CHUNKS; index++) {
    piece.write(`${file} ${index}\n`)
    yield Buffer.from(piece)
  }
}

function sha256Of(file: string): string {
  const hash = createHash('sha256')
  for (const piece of piecesOf(file)) hash.update(piece)
  return hash.digest('hex')
}

export const parallelUploads: Row = {
  name: '100 × 50 MB in parallel',
  promises: ['P1', 'P4', 'P8'],
  target: `5 GB, 0 mismatches, gateway under ${limitMb(100)} MB`,
  counts: { quick: 4, full: 100 },
  run: async ({ rig, tally, after, count, seed, say }) => {
    const project = 'parallel-uploads'
    const authorization = `Bearer ${rig.stack.token}`
    // Long timeouts, because this row measures memory and bytes, not time.
    const patient = {
      SCAN_DEADLINE_MS: '1500000',
      UPLOAD_TIMEOUT_MS: '1500000',
      IDLE_TIMEOUT_MS: '120000',
      SCAN_CONCURRENCY: '4'
    }
    const cell = await startCell(rig, { apps: ['gateway', 'scan-worker'], env: patient, direct: true })

    async function upload(name: string): Promise<string | undefined> {
      const part = (head: string): Buffer =>
        Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`)
      const before = Buffer.concat([
        part('name="project_id"'),
        Buffer.from(`${project}\r\n`),
        part(`name="file"; filename="${name}.txt"`)
      ])
      const after = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
      const call = request(`${cell.baseUrl}/api/files/upload`, {
        method: 'POST',
        agent: false,
        headers: {
          authorization,
          'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
          'content-length': before.length + limits.fileSizeBytes + after.length
        }
      })
      const answered = new Promise<{ status: number; body: string }>((resolve, reject) => {
        call.on('response', (response) => {
          buffer(response).then(
            (bytes) => resolve({ status: response.statusCode ?? 0, body: bytes.toString() }),
            reject
          )
        })
        call.on('error', reject)
      })
      Readable.from(
        (function* () {
          yield before
          yield* piecesOf(name)
          yield after
        })()
      ).pipe(call)
      const { status, body } = await answered.catch((error: Error) => ({ status: 0, body: error.message }))
      tally.expect(status === 201, `${name}: ${status} ${body.slice(0, 200)}`)
      return status === 201 ? (JSON.parse(body) as { file: { id: string } }).file.id : undefined
    }

    async function download(name: string, id: string): Promise<void> {
      const response = await fetch(`${cell.baseUrl}/files/${id}/download`, { headers: { authorization } })
      const hash = createHash('sha256')
      for await (const chunk of response.body ?? []) hash.update(chunk as Uint8Array)
      tally.expect(hash.digest('hex') === sha256Of(name), `${name} came back with another hash`)
    }

    after(cell.stop)
    await cell.ready()
    const pid = cell.app('gateway')?.pid ?? 0
    await resetPeak(pid)
    const names = Array.from({ length: count }, (_, index) => `parallel-${seed}-${index}`)
    let most = 0
    let underWay = 0
    const ids = await Promise.all(
      names.map(async (name) => {
        tally.operations++
        tally.injected++
        most = Math.max(most, ++underWay)
        const id = await upload(name)
        underWay--
        if (id !== undefined) tally.hit++
        return id
      })
    )
    say(`${most} under way at once, ${tally.hit} stored, the gateway had at most ${await peakMb(pid)} MB`)
    // A few at a time, because the downloads are checked one by one anyway.
    const stored = names.flatMap((name, index) =>
      ids[index] === undefined ? [] : [{ name, id: ids[index] }]
    )
    while (stored.length > 0) {
      await Promise.all(
        stored.splice(0, 4).map(async ({ name, id }) => {
          await download(name, id)
          tally.operations++
          await fetch(`${cell.baseUrl}/api/files/${id}`, { method: 'DELETE', headers: { authorization } })
        })
      )
    }
    const peak = await peakMb(pid)
    tally.expect(cell.app('gateway')?.isRunning() === true, 'the gateway was restarted')
    tally.expect(peak < limitMb(count), `the gateway had ${peak} MB`)
  }
}
