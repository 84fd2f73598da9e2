import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createSignatureFolder } from '../../src/clamd/signature-folder.js'

const SETTLE_MS = 60_000

async function watched(t: Test) {
  const dir = await mkdtemp(join(tmpdir(), 'fw-signatures-'))
  t.teardown(async () => await rm(dir, { recursive: true, force: true }))
  let time = 0
  const put = async (name: string, text: string): Promise<void> => await writeFile(join(dir, name), text)
  await put('filewright.ndb', 'A:0:*:41414141\n')
  const folder = createSignatureFolder({ dir, settleMs: SETTLE_MS, now: () => time })
  /** Advances the clock and reads the version. */
  const after = async (ms: number): Promise<string | null> => {
    time += ms
    return await folder.version()
  }
  return { dir, put, after }
}

t.test('new signatures are a new version, but not before clamd has certainly loaded them', async (t) => {
  const { put, after } = await watched(t)
  const first = await after(0)
  t.match(first, /^[0-9a-f]{8}$/)

  await put('own.ndb', 'B:0:*:42424242\n')
  t.equal(await after(2_000), first)
  t.equal(await after(SETTLE_MS - 1_000), first)
  t.not(await after(SETTLE_MS), first)
})

t.test('a change counts only once it has been stable; a reverted change never counts', async (t) => {
  const { put, after } = await watched(t)
  const first = await after(0)

  await put('filewright.ndb', 'C:0:*:43434343\n')
  await after(2_000)
  await put('filewright.ndb', 'D:0:*:44444444\n')
  t.equal(await after(SETTLE_MS), first, 'another change: its time begins anew')
  await put('filewright.ndb', 'A:0:*:41414141\n')
  t.equal(await after(SETTLE_MS), first)
  t.equal(await after(SETTLE_MS), first)
})

t.test(
  'the same signatures are the same version, whenever and wherever they were written; other files do not count',
  async (t) => {
    const one = await watched(t)
    const two = await watched(t)
    await utimes(join(two.dir, 'filewright.ndb'), new Date(0), new Date(0))
    await two.put('freshclam.dat', 'notes of the updater')

    t.equal(await one.after(0), await two.after(0))
  }
)

t.test('an official database is identified by its header', async (t) => {
  const one = await watched(t)
  const two = await watched(t)
  const header = 'ClamAV-VDB:12 Nov 2026:27500:'.padEnd(512)
  await one.put('daily.cvd', `${header}x`)
  await two.put('daily.cvd', `${header}y`)
  t.equal(await one.after(0), await two.after(0))

  await two.put('daily.cvd', header.replace('27500', '27501'))
  await two.after(2_000)
  t.not(await two.after(SETTLE_MS), await one.after(0))
})

t.test('an unreadable folder has no version, and does not prevent verdicts', async (t) => {
  t.equal(await createSignatureFolder({ dir: '/nowhere/at/all', settleMs: 1 }).version(), null)
})
