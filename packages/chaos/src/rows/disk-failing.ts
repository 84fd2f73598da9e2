import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startCell } from '../harness/cell.js'
import type { Row, RowContext } from '../harness/row.js'

const exec = promisify(execFile)
const POINTS = ['blob.open', 'blob.write', 'blob.sync', 'blob.link']
const CODES = ['EIO', 'ENOSPC', 'EROFS']
const PROJECT = 'disk-failing'
const DISK_MB = 4
const MARKER = '.filewright-store'

export const diskFailing: Row = {
  name: 'disk full, EIO',
  promises: ['P1', 'P2', 'P9', 'P10'],
  target: '503, heals when freed, 300 uploads, 0 corrupt',
  counts: { quick: 12, full: 300 },
  run: async (context) => {
    const full = context.profile === 'full' ? await mountSmallDisk() : undefined
    const onDisk = full === undefined ? 0 : Math.floor(context.count / 3)
    await failingCalls(context, context.count - onDisk)
    if (full !== undefined) {
      try {
        await fullDisk(context, full.folder, onDisk)
      } finally {
        await full.unmount()
      }
    } else if (context.profile === 'full') {
      context.say('no small disk could be mounted (root only): full disks are errors thrown at failpoints')
    }
  }
}

/** The disk fails at the opening, at a write, at the sync, or at the link. */
async function failingCalls({ rig, tally, random, history }: RowContext, count: number): Promise<void> {
  const subject = rig.subject({ history, onFault: tally.violate })
  for (let number = 0; number < count; number++) {
    const point = POINTS[number % POINTS.length] ?? ''
    tally.injected++
    rig.failpoints.arm(point, random.pick(CODES))
    const { status, name } = await subject.upload({
      project: PROJECT,
      sizeBytes: random.pick([10, 3_000, 400_000])
    })
    tally.operations++
    const isTaken = rig.failpoints.left(point) === 0
    rig.failpoints.disarm(point)
    tally.expect(isTaken, `${name}: ${point} was not reached`)
    // The gateway's own disk check may have hit the fault first.
    if (isTaken && status === 503) tally.hit++
    tally.expect(status === 503 || status === 201, `${name}: ${point} failed, answered ${status}`)
    const startedAt = performance.now()
    const healed = await subject.upload({ project: PROJECT })
    tally.operations++
    tally.expect(healed.status === 201, `${healed.name}: the disk was well again, answered ${healed.status}`)
    tally.recoveryMs.push(performance.now() - startedAt)
  }
  tally.expect(tally.hit >= count * 0.9, `only ${tally.hit} of ${count} faults met an upload`)
}

/** A real disk with no room: filled, freed by deletes, filled again. */
async function fullDisk({ rig, tally }: RowContext, folder: string, count: number): Promise<void> {
  // The rig's database goes with this disk too, because it carries the same marker.
  await copyFile(join(rig.stack.dataDir, 'blobs', MARKER), join(folder, MARKER))
  const cell = await startCell(rig, { apps: ['gateway', 'scan-worker'], env: { BLOB_DIR: folder } })
  try {
    await cell.ready()
    const subject = cell.subject({ onFault: tally.violate })
    const kept: Array<{ id: string; content: Buffer }> = []
    for (let number = 0; number < count; number++) {
      const { status, id, content } = await subject.upload({ project: 'disk-full', sizeBytes: 400_000 })
      tally.operations++
      if (status === 201 && id !== undefined) kept.push({ id, content })
      else {
        tally.injected++
        tally.hit++
        tally.expect(status === 503, `a full disk answered ${status}`)
        const startedAt = performance.now()
        for (const { id: old } of kept.splice(0, 3)) {
          tally.expect((await subject.remove(old)).status === 200, 'a delete failed on the full disk')
        }
        tally.expect(
          (await subject.upload({ project: 'disk-full', sizeBytes: 100 })).status === 201,
          'no upload after room was made'
        )
        tally.recoveryMs.push(performance.now() - startedAt)
      }
    }
    for (const { id, content } of kept) {
      tally.expect(
        (await subject.download(id)).body?.equals?.(content) === true,
        `${id}: not the bytes that were sent`
      )
    }
    for (const { id } of kept) await subject.remove(id)
    await rig.sql("UPDATE files SET state = 'deleting' WHERE project_id = 'disk-full'")
  } finally {
    await cell.stop()
  }
}

async function mountSmallDisk(): Promise<{ folder: string; unmount: () => Promise<void> } | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'filewright-small-disk-'))
  try {
    await exec('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=700`, 'tmpfs', folder])
  } catch {
    await rmdir(folder)
    return undefined
  }
  return {
    folder,
    unmount: async () => {
      await exec('umount', ['-l', folder])
      await rmdir(folder)
    }
  }
}
