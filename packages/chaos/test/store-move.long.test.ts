import { spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import t, { type Test } from 'tap'
import { createClient, sha256 } from '@filewright/acceptance'
import { poll, startStack, startSwiftServer, type RunningStack } from '@filewright/testing'

/** FILEWRIGHT_MOVE_FILES=10000 for a longer run. */
const FILES = Number(process.env['FILEWRIGHT_MOVE_FILES'] ?? 150)
const KILLS = 3
const AT_ONCE = 8
/** Time from request to request. Swift in one process takes a second for a write on a busy machine. */
const PACE_MS = Number(process.env['FILEWRIGHT_MOVE_PACE_MS'] ?? 500)
const BUCKET = 'filewright-move'
const here = fileURLToPath(new URL('.', import.meta.url))
const script = resolve(here, '../../../../infra/tooling/bin/admin.mjs')

t.setTimeout(2 * 3_600_000)

const textOf = (sizeBytes: number): Buffer => Buffer.from(randomBytes(sizeBytes / 2 + 1).toString('hex'))

const blobsOf = ({ dataDir }: RunningStack): string => join(dataDir, 'blobs')

function startAdmin({ dataDir }: RunningStack, args: string[]) {
  // A group of its own: the command is a child of the script, and both are killed.
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true
  })
  let [output, notes] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    notes += text
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output, notes }))
  return { pid: child.pid ?? 0, ended, notes: () => notes }
}

const admin = async (stack: RunningStack, ...args: string[]) => await startAdmin(stack, args).ended

async function openStack(t: Test): Promise<RunningStack> {
  const { endpoint, credentials, createBucket, stop } = await startSwiftServer()
  t.teardown(stop)
  await createBucket(BUCKET)
  return await startStack(t, {
    env: {
      SECOND_S3_BUCKET: BUCKET,
      SECOND_S3_ENDPOINT: endpoint,
      SECOND_S3_ALLOW_HTTP: 'true',
      SECOND_S3_ACCESS_KEY_ID: credentials.accessKeyId,
      SECOND_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      RESCAN_BATCH: '0',
      SWEEP_INTERVAL_MS: '2000',
      TRASH_DAYS: '0',
      UPLOAD_TIMEOUT_MS: '20000'
    }
  })
}

/** Sends requests at a fixed pace, and counts what fails. */
function startRequests(stack: RunningStack, hashes: Map<string, string>) {
  const client = createClient(stack.baseUrl, stack.token)
  const failures: string[] = []
  const deleted = new Set<string>()
  const running = new Set<Promise<void>>()
  let count = 0
  const stopping = new AbortController()

  const fail = (what: string, status: number): void => {
    failures.push(`${new Date().toISOString()} ${what}: ${status}`)
  }
  async function upload(): Promise<void> {
    const content = textOf(randomInt(1, 20_000))
    const reply = await client.upload({ content, name: `under-way-${count}.txt` })
    if (reply.status === 201) hashes.set(reply.body.file.id as string, sha256(content))
    else fail('upload', reply.status)
  }
  async function download(): Promise<void> {
    const ids = [...hashes.keys()]
    const id = ids[randomInt(ids.length)] ?? ''
    const { status, bytes } = await client.download(`${stack.baseUrl}/api/files/${id}/download`)
    if (deleted.has(id)) return
    if (status !== 200 || sha256(bytes) !== hashes.get(id)) fail(`download of ${id}`, status)
  }
  async function remove(): Promise<void> {
    const id = [...hashes.keys()].at(randomInt(hashes.size)) ?? ''
    deleted.add(id)
    hashes.delete(id)
    const { status } = await client.call('DELETE', `/api/files/${id}`)
    if (status !== 200) fail(`delete of ${id}`, status)
  }
  const kinds = [upload, download, download, download, upload, download, download, remove]
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      const kind = kinds[count++ % kinds.length] ?? download
      const task = kind().catch((error: unknown) => {
        failures.push(`${kind.name}: ${String(error)}`)
      })
      running.add(task)
      void task.then(() => running.delete(task))
      await sleep(PACE_MS)
    }
    await Promise.all(running)
  })()
  return {
    deleted,
    stop: async () => {
      stopping.abort()
      await loop
      return { count, failures }
    }
  }
}

/** Runs `store copy`, kills it with -9 so often, each time after it has copied some files, and lets it end. */
async function copyWithKills(t: Test, stack: RunningStack, to: string, hasProgress: () => Promise<number>) {
  for (let kill = 1; kill <= KILLS; kill++) {
    const { pid, ended, notes } = startAdmin(stack, ['store', 'copy', '--to', to])
    const before = await hasProgress()
    let over: unknown
    void ended.then((result) => {
      over = result
    })
    await poll(async () => over !== undefined || (await hasProgress()) >= before + FILES / 10, {
      what: `copying to go on: ${notes()}`,
      timeoutMs: 600_000
    })
    t.equal(over, undefined, `kill ${kill} hits a running command: ${JSON.stringify(over)}`)
    if (over === undefined) process.kill(-pid, 'SIGKILL')
    await ended
  }
  return await admin(stack, 'store', 'copy', '--to', to, '--json')
}

t.test(`${FILES} files move from the disk to S3 and back while requests go on`, async (t) => {
  const stack = await openStack(t)
  const client = createClient(stack.baseUrl, stack.token)
  const hashes = new Map<string, string>()
  let next = 0
  const uploader = async (): Promise<void> => {
    while (next < FILES) {
      const number = next++
      // A few have more than one part in a bucket.
      const content = textOf(number % 100 === 0 ? 6_000_000 : randomInt(1, 30_000))
      const { status, body } = await client.upload({ content, name: `file-${number}.txt` })
      if (status !== 201) throw new Error(`upload: ${status}`)
      hashes.set(body.file.id as string, sha256(content))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, uploader))
  const database = new pg.Client({ connectionString: stack.info().databaseUrl })
  await database.connect()
  t.teardown(async () => await database.end())
  const inBoth = async (): Promise<number> => {
    const { rows } = await database.query<{ count: string }>(
      'SELECT count(*) FROM files JOIN installation ON files.move_id = installation.move_id'
    )
    return Number(rows[0]?.count)
  }
  const expect = async (where: string): Promise<void> => {
    const left = [...hashes]
    t.comment(`${where}: ${left.length} files are read back`)
    const reader = async (): Promise<void> => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        const [id, hash] = next
        const { status, bytes } = await client.download(`${stack.baseUrl}/api/files/${id}/download`)
        if (requests.deleted.has(id)) continue
        if (status !== 200 || sha256(bytes) !== hash) t.fail(`${where}: ${id} is ${status}`)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, reader))
  }
  const requests = startRequests(stack, hashes)

  for (const to of [`s3://${BUCKET}`, blobsOf(stack)]) {
    const copied = await copyWithKills(t, stack, to, inBoth)
    t.equal(copied.code, 0, copied.output + copied.notes)
    t.comment(copied.notes, copied.output)
    const switched = await admin(stack, 'store', 'switch')
    t.equal(switched.code, 0, switched.output + switched.notes)
    t.equal((await admin(stack, 'store', 'finish')).code, 0)
    await expect(`after the move to ${to}`)
    // So that the way back is a real one. The marker stays.
    if (to.startsWith('s3:')) await removeBlobs(blobsOf(stack))
  }

  const { count, failures } = await requests.stop()
  t.comment(`${count} requests beside the move, ${failures.length} failed`)
  t.strictSame(failures, [])
  await expect('at the end')
  const found = await poll(
    async () => {
      const { output } = await admin(stack, 'reconcile', '--json')
      const report = JSON.parse(output) as {
        blobs: number
        records: number
        lost: unknown[]
        damaged: unknown[]
      }
      return report.blobs === report.records && report
    },
    { what: 'the sweeper to remove what is left', timeoutMs: 400_000, intervalMs: 2_000 }
  )
  t.match(found, { records: hashes.size, lost: [], damaged: [] })
})

async function removeBlobs(root: string): Promise<void> {
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && !entry.name.startsWith('.filewright-')) await rm(join(entry.parentPath, entry.name))
  }
}
