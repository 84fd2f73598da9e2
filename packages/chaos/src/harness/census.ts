import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { poll } from '@filewright/testing'
import type { Rig } from './rig.js'
import { socketCounts } from './sockets.js'

/** Everything that a fault may leave behind. */
export interface Census {
  temporaryFiles: string[]
  /** Stored bytes without a row. */
  orphanBlobs: string[]
  /** Unfinished rows that will not finish, rows without their blob, AI requests without an outcome. */
  stuckRows: string[]
  /** Per process. */
  sockets: Record<string, number>
}

export async function takeCensus(rig: Rig): Promise<Census> {
  const root = join(rig.stack.dataDir, 'blobs')
  const rows = await rig.sql<{ id: string; state: string; blob_key: string | null }>(
    'SELECT id, state, blob_key FROM files'
  )
  const running = await rig.sql<{ id: string }>("SELECT id FROM generations WHERE outcome = 'running'")
  const blobs = await blobsIn(root)
  const known = new Set(rows.map(({ blob_key: key }) => key))
  const stored = new Set(blobs)
  return {
    temporaryFiles: await namesIn(join(root, 'tmp')),
    orphanBlobs: blobs.filter((key) => !known.has(key)),
    stuckRows: [
      ...rows
        .filter(({ state, blob_key: key }) => (state === 'quarantined' ? key !== null : state !== 'ready'))
        .map(({ id, state }) => `${id} is ${state}`),
      ...rows
        .filter(({ state, blob_key: key }) => state === 'ready' && (key === null || !stored.has(key)))
        .map(({ id }) => `${id} is ready without its blob`),
      ...running.map(({ id }) => `generation ${id} is running`)
    ],
    sockets: await socketCounts(rig.stack)
  }
}

/** One connection more or less to the database or Redis is not a leak. */
const SLACK = 4

/**
 * Simulates ten minutes: every lease and file is made that much older, and the sweeper runs. For the trash it
 * simulates a year. What is left is a leak. Nothing may be running.
 */
export async function leaksAfterTenMinutes(rig: Rig): Promise<string[]> {
  await rig.sql(
    "UPDATE files SET lease_expires_at = lease_expires_at - interval '10 minutes' WHERE lease_expires_at IS NOT NULL"
  )
  await rig.sql("UPDATE files SET trashed_at = trashed_at - interval '1 year' WHERE state = 'trashed'")
  await rig.sql("UPDATE idempotency_keys SET lease_expires_at = lease_expires_at - interval '10 minutes'")
  await rig.sql(
    "UPDATE generations SET started_at = started_at - interval '10 minutes' WHERE outcome = 'running'"
  )
  const root = join(rig.stack.dataDir, 'blobs')
  const then = new Date(Date.now() - 600_000)
  const files = [
    ...(await blobsIn(root)).map((key) => join(root, key)),
    ...(await namesIn(join(root, 'tmp'))).map((name) => join(root, 'tmp', name))
  ]
  for (const path of files) await utimes(path, then, then).catch(() => {})
  let leaks: string[] = []
  await poll(
    async () => {
      leaks = leaksIn(await takeCensus(rig), rig.sockets)
      return leaks.length === 0
    },
    { timeoutMs: 40_000, intervalMs: 250 }
  ).catch(() => {})
  return leaks
}

function leaksIn(
  { temporaryFiles, orphanBlobs, stuckRows, sockets }: Census,
  before: Record<string, number>
): string[] {
  return [
    ...temporaryFiles.map((name) => `temporary file ${name}`),
    ...orphanBlobs.map((key) => `blob ${key} without a row`),
    ...stuckRows.map((what) => `stuck: ${what}`),
    ...Object.entries(before).flatMap(([name, count]) =>
      (sockets[name] ?? 0) > count + SLACK
        ? [`${name} has ${sockets[name] ?? 0} sockets, ${count} before`]
        : []
    )
  ]
}

async function blobsIn(root: string): Promise<string[]> {
  const folders = (await namesIn(root)).filter((name) => name.length === 1)
  return (
    await Promise.all(
      folders.map(async (folder) => (await namesIn(join(root, folder))).map((name) => `${folder}/${name}`))
    )
  ).flat()
}

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch(() => [])
}
