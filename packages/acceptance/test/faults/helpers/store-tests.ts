import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { poll, startStack, type Bucket, type RunningStack } from '@filewright/testing'
import { createClient, eicar, sha256 } from '../../../src/index.js'

/** FILEWRIGHT_BUCKET_UPLOADS=1000 and FILEWRIGHT_BUCKET_KILLS=20 for a longer run. */
const UPLOADS = Number(process.env['FILEWRIGHT_BUCKET_UPLOADS'] ?? 100)
const KILLS = Number(process.env['FILEWRIGHT_BUCKET_KILLS'] ?? 3)
const AT_ONCE = 8
const here = fileURLToPath(new URL('.', import.meta.url))
const script = resolve(here, '../../../../../../infra/tooling/bin/admin.mjs')

/** @param hasAddresses whether the store can sign addresses */
export function testStore(
  name: string,
  open: () => Promise<Bucket>,
  { hasAddresses = true }: { hasAddresses?: boolean } = {}
): void {
  t.setTimeout(3_600_000)

  async function start(t: Test, more: NodeJS.ProcessEnv = {}): Promise<RunningStack> {
    const { settings, stop } = await open()
    t.teardown(stop)
    return await startStack(t, {
      env: {
        ...settings,
        ...more,
        SWEEP_INTERVAL_MS: '1000',
        RESCAN_BATCH: '0',
        // Bytes without a record are removed a minute after this.
        UPLOAD_TIMEOUT_MS: '20000'
      }
    })
  }

  t.test(`the whole service works on ${name}`, async (t) => {
    const stack = await start(t, hasAddresses ? { CDN_DIRECT: 'true' } : {})
    const client = createClient(stack.baseUrl, stack.token)
    const large = Buffer.from(randomBytes(3_000_000).toString('hex'))

    const uploaded = await client.upload({ content: large, name: 'large.txt' })
    t.equal(uploaded.status, 201)
    const { id, url } = uploaded.body.file as { id: string; url: string }
    const address = `${stack.baseUrl}/api/files/${id}/download`

    t.equal(sha256((await client.download(address)).bytes), sha256(large))
    const range = await client.download(address, {
      authorization: `Bearer ${stack.token}`,
      range: 'bytes=5300000-5400000'
    })
    t.equal(range.status, 206)
    t.ok(range.bytes.equals(large.subarray(5_300_000, 5_400_001)))
    const redirect = await fetch(url, { redirect: 'manual' })
    t.equal(redirect.status, hasAddresses ? 302 : 200)
    const direct = hasAddresses ? await fetch(redirect.headers.get('location') ?? '') : redirect
    t.equal(
      direct.headers.get('content-disposition'),
      `inline; filename="large.txt"; filename*=UTF-8''large.txt`
    )
    t.equal(sha256(Buffer.from(await direct.arrayBuffer())), sha256(large), 'the public address')
    const infected = await client.upload({ content: eicar, name: 'eicar.txt' })
    t.equal(infected.status, 400)
    const report = await admin(stack, ['doctor', '--json'], { CDN_DIRECT: String(hasAddresses) })
    t.match(checkOf(report, 'blob store'), { status: 'ok', found: /can be written and read/ })
    t.match(checkOf(report, 'bucket addresses'), { status: hasAddresses ? 'ok' : 'skipped' })
    t.equal((await client.call('DELETE', `/api/files/${id}`)).status, 200)
    t.equal((await client.download(address)).status, 404)
    t.equal((await fetch(url, { redirect: 'manual' })).status, 404, 'and gives no new address')
  })

  t.test(
    `on ${name}, a gateway killed ${KILLS} times during ${UPLOADS} uploads loses nothing that it acknowledged`,
    async (t) => {
      const stack = await start(t)
      const client = createClient(stack.baseUrl, stack.token)
      const acknowledged = new Map<string, string>()
      let attempted = 0
      let killed = 0

      const uploader = async (): Promise<void> => {
        while (attempted < UPLOADS) {
          const number = attempted++
          // Every tenth has more than one part.
          const content = Buffer.from(
            `file ${number} ${randomBytes(number % 10 === 0 ? 2_750_000 : 10_000).toString('hex')}`
          )
          const reply = await client.upload({ content, name: `file-${number}.txt` }).catch(() => undefined)
          if (reply?.status === 201) acknowledged.set(reply.body.file.id as string, sha256(content))
          else await untilUp(stack)
        }
      }
      const killer = async (): Promise<void> => {
        for (; killed < KILLS; killed++) {
          const from = attempted
          await poll(() => attempted >= from + UPLOADS / (KILLS + 2) || attempted >= UPLOADS, {
            what: 'uploads to run',
            timeoutMs: 300_000
          })
          const pid = stack.pid('gateway')
          if (pid !== undefined) process.kill(pid, 'SIGKILL')
          await poll(async () => stack.pid('gateway') !== pid && (await isUp(stack)), {
            what: 'the gateway to be started again',
            timeoutMs: 60_000
          })
        }
      }
      await Promise.all([killer(), ...Array.from({ length: AT_ONCE }, uploader)])

      t.equal(killed, KILLS)
      t.comment(
        `${acknowledged.size} of ${UPLOADS} uploads were acknowledged; the gateway used at most ${peakMb(stack)} MB`
      )
      t.ok(acknowledged.size > UPLOADS / 2)
      for (const [id, hash] of acknowledged) {
        const { status, bytes } = await client.download(`${stack.baseUrl}/api/files/${id}/download`)
        if (status !== 200 || sha256(bytes) !== hash) t.fail(`${id} is lost: ${status}`)
      }
      const report = await poll(
        async () => {
          const found = JSON.parse(await admin(stack, ['reconcile', '--json'])) as Findings
          return found.blobs === found.records && found
        },
        { what: 'the sweeper to remove what the killed gateways left', timeoutMs: 400_000, intervalMs: 2_000 }
      )
      t.match(report, { orphans: [], lost: [], damaged: [] })
      t.ok(report.records >= acknowledged.size)
    }
  )
}

/** What `npm run admin` prints for this stack; the SDK's warnings go to stderr. */
async function admin(
  { dataDir }: RunningStack,
  args: string[],
  more: NodeJS.ProcessEnv = {}
): Promise<string> {
  const env = { ...process.env, DATA_DIR: dataDir, ...more }
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], { env })
  return stdout
}

/** Resident memory of the gateway that runs now, at its maximum. */
function peakMb(stack: RunningStack): number {
  const status = readFileSync(`/proc/${stack.pid('gateway')}/status`, 'utf8')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024)
}

const checkOf = (report: string, name: string): object | undefined =>
  (JSON.parse(report) as { checks: Array<{ name: string }> }).checks.find((check) => check.name === name)

interface Findings {
  records: number
  blobs: number
  orphans: string[]
  lost: unknown[]
  damaged: unknown[]
}

const untilUp = async (stack: RunningStack): Promise<void> => {
  await poll(async () => await isUp(stack), { what: 'the gateway to be back', timeoutMs: 60_000 })
}

async function isUp({ baseUrl }: RunningStack): Promise<boolean> {
  return await fetch(`${baseUrl}/api/files?project_id=acme`).then(
    () => true,
    () => false
  )
}
