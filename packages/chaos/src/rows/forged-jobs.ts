import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { eicar, sha256, uniqueText } from '@filewright/acceptance'
import { poll } from '@filewright/testing'
import { startCell, type Cell } from '../harness/cell.js'
import type { Rig } from '../harness/rig.js'
import type { Row, Tally } from '../harness/row.js'
import type { Subject } from '../harness/subject.js'
import { forgeries, type Forgery, type StoredFile } from '../hostile/forgeries.js'
import { startPausedUpload } from '../hostile/paused-upload.js'

const PROJECT = 'forged-jobs'
/** Few enough to be all in Redis at once, however many jobs of one token may be there. */
const AT_ONCE = 6
/** A forgery that prevents the verdict must fail the upload, so a short deadline ends these quickly. */
const DEADLINE_MS = 6_000
/** Longer than the interval at which a gateway polls a job. */
const STARE_MS = 1_500

interface Victim {
  forgery: Forgery
  name: string
  answer: Promise<number>
  file: StoredFile | undefined
}

async function storedFile(rig: Rig, name: string): Promise<StoredFile | undefined> {
  type Found = { id: string; blob_key: string; size_bytes: number; sha256: string }
  const [row] = await rig.sql<Found>('SELECT id, blob_key, size_bytes, sha256 FROM files WHERE name = $1', [
    name
  ])
  return row === undefined
    ? undefined
    : { fileId: row.id, blobKey: row.blob_key, sizeBytes: row.size_bytes, sha256: row.sha256 }
}

/** Finds the file of an incomplete upload, whose name is not stored yet: the newly pending one. */
async function pendingFile(
  rig: Rig,
  known: ReadonlySet<string>,
  like: StoredFile
): Promise<StoredFile | undefined> {
  const rows = await rig.sql<{ id: string; blob_key: string }>(
    "SELECT id, blob_key FROM files WHERE state = 'pending'"
  )
  const row = rows.find(({ id }) => !known.has(id))
  return row === undefined ? undefined : { ...like, fileId: row.id, blobKey: row.blob_key }
}

/** Whether the file is visible at any address or in the list. */
async function isVisible(subject: Subject, { file, name }: Victim): Promise<string | undefined> {
  if (file !== undefined) {
    for (const answer of [
      await subject.info(file.fileId),
      await subject.download(file.fileId),
      await subject.download(file.fileId, 'cdn')
    ]) {
      if (answer.status !== 404) return `answers ${answer.status} for its id`
    }
  }
  return (await subject.list(PROJECT)).names.includes(name) ? 'is on the list' : undefined
}

export const forgedJobs: Row = {
  name: 'forged-jobs: jobs, results and events of the scan changed in Redis',
  promises: ['P3', 'P4'],
  target: 'an infected file is never readable, on any address',
  counts: { quick: 1, full: 4 },
  run: async ({ rig, tally, after, count, random, say }) => {
    const cell = await startCell(rig, {
      apps: ['gateway', 'scan-worker'],
      direct: true,
      env: { SCAN_DEADLINE_MS: String(DEADLINE_MS) }
    })
    const redis = new Redis(rig.redis.url)
    after(cell.stop)
    after(() => redis.disconnect())
    await cell.ready()
    const subject = cell.subject({ onFault: tally.violate })
    for (let round = 0; round < count; round++) {
      const left = random.fork(round).shuffled(forgeries)
      while (left.length > 0) {
        await forgeBatch(left.splice(0, AT_ONCE), { rig, cell, redis, subject, tally })
      }
      say(
        `round ${round + 1} of ${count}: ${tally.hit} of ${tally.injected} forged, ` +
          `${tally.violations.length} violations`
      )
    }
  }
}

interface Stage {
  rig: Rig
  cell: Cell
  redis: Redis
  subject: Subject
  tally: Tally
}

let victims = 0

async function forgeBatch(
  batch: readonly Forgery[],
  { rig, cell, redis, subject, tally }: Stage
): Promise<void> {
  const cleanUpload = await subject.upload({ project: PROJECT, content: uniqueText(900) })
  const clean = await storedFile(rig, cleanUpload.name)
  if (clean === undefined) throw new Error(`a clean file was answered ${cleanUpload.status}`)
  const content = Buffer.from(eicar)
  const worker = cell.app('scan-worker')?.pid ?? 0
  const known = new Set<string>()
  const like = { ...clean, sizeBytes: content.length, sha256: sha256(content) }
  const all: Victim[] = []
  process.kill(worker, 'SIGSTOP')
  try {
    // These two are not forged. They show that the forgeries, not the pause, caused the outcome of the
    // others.
    const names = [`untouched-${++victims}.txt`, `untouched-${++victims}.txt`]
    const controls = names.map(
      async (name, at) =>
        await subject.upload({ project: PROJECT, name, ...(at === 0 ? {} : { content, flagged: true }) })
    )
    for (const name of names) await found(async () => await storedFile(rig, name))
    for (const forgery of batch) {
      const name = `forged-${++victims}.txt`
      tally.injected++
      tally.operations++
      const scene = { redis, prefix: cell.queuePrefix, clean }
      if (forgery.when === 'early') {
        const upload = await startPausedUpload({
          baseUrl: cell.baseUrl,
          token: rig.stack.token,
          project: PROJECT,
          name,
          content
        })
        const file = await found(async () => await pendingFile(rig, known, like))
        known.add(file.fileId)
        if (await forgery.forge({ ...scene, infected: file })) tally.hit++
        all.push({ forgery, name, file, answer: upload.finish() })
      } else {
        const answer = subject
          .upload({ project: PROJECT, name, content, flagged: true })
          .then(({ status }) => status)
        const file = await found(async () => await storedFile(rig, name))
        known.add(file.fileId)
        const isThere = async (): Promise<boolean> =>
          (await redis.exists(`${cell.queuePrefix}:scan:scan-${file.fileId}`)) === 1
        await poll(isThere, { what: `the scan job of ${name}`, intervalMs: 5 }).catch(() => {})
        const forged = await forgery.forge({ ...scene, infected: file })
        tally.expect(forged, `${forgery.name}: nothing to forge was found`)
        if (forged) tally.hit++
        all.push({ forgery, name, file, answer })
      }
    }
    await sleep(STARE_MS)
    process.kill(worker, 'SIGCONT')
    const [untouched, infected] = await Promise.all(controls)
    tally.expect(
      untouched?.status === 201,
      `the upload of an unforged clean file got ${untouched?.status ?? 0}`
    )
    tally.expect(
      infected?.status === 400,
      `the upload of an unforged infected file got ${infected?.status ?? 0}`
    )
  } finally {
    process.kill(worker, 'SIGCONT')
  }
  for (const victim of all) {
    const status = await victim.answer
    tally.expect(status >= 400, `${victim.forgery.name}: answered ${status}`)
    const visible = await isVisible(subject, victim)
    tally.expect(visible === undefined, `${victim.forgery.name}: the infected file ${visible ?? ''}`)
  }
}

async function found<T>(look: () => Promise<T | undefined>): Promise<T> {
  let result: T | undefined
  await poll(async () => (result = await look()) !== undefined, {
    what: 'the row of an upload',
    intervalMs: 5
  })
  return result as T
}
