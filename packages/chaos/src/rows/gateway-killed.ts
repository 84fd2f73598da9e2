import { eicar, inFlight, sha256, uniqueText } from '@filewright/acceptance'
import { poll } from '@filewright/testing'
import { startCell, type Cell } from '../harness/cell.js'
import type { Upload } from '../harness/subject.js'
import type { Row, Tally } from '../harness/row.js'

type Flow = 'upload' | 'refused upload' | 'delete' | 'restore' | 'erase' | 'analyze'

/**
 * Every step of the flows. Once published, a file whose response was lost exists; before that, it never does.
 */
const POINTS: ReadonlyArray<{ point: string; flow: Flow; published?: boolean; quick?: boolean }> = [
  { point: 'upload.begun', flow: 'upload' },
  { point: 'upload.row-inserted', flow: 'upload' },
  { point: 'blob.open', flow: 'upload' },
  { point: 'blob.write', flow: 'upload', quick: true },
  { point: 'blob.sync', flow: 'upload' },
  { point: 'blob.synced', flow: 'upload' },
  { point: 'blob.link', flow: 'upload' },
  { point: 'blob.linked', flow: 'upload' },
  { point: 'upload.blob-written', flow: 'upload' },
  { point: 'upload.checked', flow: 'upload' },
  { point: 'upload.scanning', flow: 'upload', quick: true },
  { point: 'upload.verdict', flow: 'upload' },
  { point: 'upload.published', flow: 'upload', published: true, quick: true },
  { point: 'upload.quarantined', flow: 'refused upload' },
  { point: 'discard.withdrawn', flow: 'refused upload', quick: true },
  { point: 'discard.blob-removed', flow: 'refused upload' },
  { point: 'delete.trashed', flow: 'delete', quick: true },
  { point: 'restore.done', flow: 'restore', quick: true },
  { point: 'erase.row-marked', flow: 'erase', quick: true },
  { point: 'delete.blob-removed', flow: 'erase' },
  { point: 'delete.row-removed', flow: 'erase' },
  { point: 'ai.recorded', flow: 'analyze', quick: true },
  { point: 'ai.answered', flow: 'analyze' }
]

const CELLS = { quick: 1, full: 3 }
const PROJECT = 'gateway-killed'

export const gatewayKilled: Row = {
  name: 'kill -9 gateway at each failpoint',
  promises: ['P2', 'P9', 'P12'],
  target: `${POINTS.length} points, each hit 20 times`,
  counts: { quick: 1, full: 20 },
  // The row itself checks the uploads without a response, one by one.
  settle: (operations) =>
    operations.filter(({ op, status }) => op !== 'upload' || (status !== 0 && status !== 409)),
  run: async ({ rig, tally, count, profile, random, history, say }) => {
    const points = POINTS.filter(({ quick }) => profile === 'full' || quick === true)

    const oneCell = async (number: number): Promise<void> => {
      const cell = await startCell(rig)
      try {
        await cell.ready()
        for (let round = number; round < count; round += CELLS[profile]) {
          say(`round ${round + 1} of ${count}`)
          for (const point of random.fork(round).shuffled(points)) await killAt(point, round, cell)
        }
      } finally {
        await cell.stop()
      }
    }

    async function killAt(
      { point, flow, published = false }: (typeof POINTS)[number],
      round: number,
      cell: Cell
    ): Promise<void> {
      const subject = cell.subject({ history, onFault: tally.violate, mayBreak: () => true })
      const name = `${point}-${round}.txt`
      const idempotencyKey = flow === 'upload' ? name : undefined
      const content = flow === 'refused upload' ? Buffer.from(eicar) : uniqueText(3_000)
      const isTrash = flow === 'restore' || flow === 'erase'
      const stored = flow === 'delete' || isTrash ? await subject.upload({ project: PROJECT }) : undefined
      if (isTrash) await subject.remove(stored?.id ?? '')
      const gateway = cell.app('gateway')
      tally.injected++
      cell.failpoints.arm(point, 'kill')
      const act = async (): Promise<{ status: number }> => {
        if (flow === 'analyze') return await subject.ai('analyze', { code: 'let a = 1\n', language: 'js' })
        if (flow === 'restore') return await subject.restore(stored?.id ?? '')
        if (flow === 'erase') return await subject.erase(stored?.id ?? '')
        if (flow === 'delete') return await subject.remove(stored?.id ?? '')
        return await subject.upload({
          project: PROJECT,
          content,
          name,
          idempotencyKey,
          flagged: flow === 'refused upload'
        })
      }
      const { status } = await act()
      tally.operations++
      if (cell.failpoints.left(point) > 0) {
        cell.failpoints.disarm(point)
        return tally.violate(`${point} was not reached: ${status}`)
      }
      tally.expect(status === 0, `${point}: the process was not killed and answered ${status}`)
      tally.hit++
      await gateway?.stop('SIGKILL')
      cell.start('gateway')
      const startedAt = performance.now()
      await poll(async () => (await cell.probe('startup')) === 200, {
        what: 'a gateway that works',
        timeoutMs: 60_000,
        intervalMs: 25
      })
      tally.recoveryMs.push(performance.now() - startedAt)
      if (stored !== undefined) await checkTrash(flow, stored, subject, tally)
      if (flow === 'upload') await retry(name, content, published, subject, tally)
    }

    await inFlight(CELLS[profile], CELLS[profile], oneCell)
  }
}

/**
 * Checks that the file is complete and in the state of its last change. Deletes it again, so that the
 * history's delete stays valid.
 */
async function checkTrash(
  flow: Flow,
  { id = '', content }: Upload,
  subject: ReturnType<Cell['subject']>,
  tally: Tally
): Promise<void> {
  const again = await subject.restore(id)
  tally.operations++
  const status = flow === 'erase' ? 404 : 200
  tally.expect(again.status === status, `${flow} of ${id}: a restore after the kill answered ${again.status}`)
  if (status === 404) return
  const got = await subject.peek(id)
  tally.expect(got === sha256(content), `${id}: other bytes came back from the trash`)
  await subject.remove(id)
}

/** Leftovers of the killed process must not be visible, and a retry with its key stores one file, not two. */
async function retry(
  name: string,
  content: Buffer,
  published: boolean,
  subject: ReturnType<Cell['subject']>,
  tally: Tally
): Promise<void> {
  const { names } = await subject.list(PROJECT)
  tally.expect(
    names.includes(name) === published,
    `${name} is ${published ? 'not ' : ''}visible after the kill`
  )
  const answer = await poll(
    async () => {
      const upload = await subject.upload({ project: PROJECT, content, name, idempotencyKey: name })
      return upload.status === 409 ? null : upload
    },
    { what: 'a key that is free again', timeoutMs: 20_000, intervalMs: 200 }
  )
  tally.operations++
  tally.expect(answer.status === 201, `${name}: the retry under its key answered ${answer.status}`)
  const listed = (await subject.list(PROJECT)).names.filter((each) => each === name)
  tally.expect(listed.length === 1, `${name}: ${listed.length} files under one key`)
}
