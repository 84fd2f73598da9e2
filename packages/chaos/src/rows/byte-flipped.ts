import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inFlight } from '@filewright/acceptance'
import { poll } from '@filewright/testing'
import type { Row } from '../harness/row.js'

export const byteFlipped: Row = {
  name: 'byte flipped on disk after the scan',
  promises: ['P1', 'P3', 'P4'],
  target: 'never served whole, alarm raised, 100 of 100',
  counts: { quick: 10, full: 100 },
  run: async ({ rig, tally, count, random, history }) => {
    // A damaged download must be interrupted.
    const subject = rig.subject({
      history,
      mayBreak: () => true,
      // 500 before the first byte is a correct response here.
      onFault: (fault) => tally.expect(/^(download|cdn): 500/.test(fault), fault)
    })
    const log = join(rig.stack.dataDir, 'logs', 'gateway.log')

    await inFlight(count, 4, async (number) => {
      const draw = random.fork(number)
      const { id, status } = await subject.upload({
        project: 'byte-flipped',
        sizeBytes: draw.pick([1, 100, 5_000, 300_000, 1_500_000])
      })
      if (id === undefined) return tally.violate(`an upload answered ${status}`)
      const [row] = await rig.sql<{ blob_key: string; size_bytes: number }>(
        'SELECT blob_key, size_bytes FROM files WHERE id = $1',
        [id]
      )
      tally.injected++
      await flip(join(rig.stack.dataDir, 'blobs', row?.blob_key ?? ''), draw.below(row?.size_bytes ?? 1))
      for (const via of ['api', 'cdn'] as const) {
        const got = await subject.download(id, via)
        tally.operations++
        tally.expect(got.status !== 200, `${id}: damaged bytes were served whole over ${via}`)
      }
      await poll(
        async () =>
          (await readFile(log, 'utf8'))
            .split('\n')
            .some((line) => line.includes(id) && line.includes('stored file is damaged')),
        { what: 'the alarm in the log' }
      ).then(
        () => {
          tally.hit++
        },
        () => tally.violate(`${id}: the log does not report the damage`)
      )
      tally.expect((await subject.remove(id)).status === 200, `${id}: a damaged file could not be deleted`)
    })
    await beforeTheScan(Math.ceil(count / 5))

    /** Flipped while the scan waits: a verdict on other bytes is not a verdict. */
    async function beforeTheScan(times: number): Promise<void> {
      for (let turn = 0; turn < times; turn++) {
        const workers = ['scan-worker-1', 'scan-worker-2'].map((name) => rig.stack.pid(name) ?? 0)
        // Stopped, so that neither worker has read a byte when it changes.
        for (const pid of workers) process.kill(pid, 'SIGSTOP')
        const upload = subject.upload({ project: 'byte-flipped', sizeBytes: 900_000 })
        const blobKey = await poll(
          async () =>
            (await rig.sql<{ blob_key: string }>("SELECT blob_key FROM files WHERE state = 'scanning'"))[0]
              ?.blob_key,
          { what: 'a scan' }
        )
        tally.injected++
        await flip(join(rig.stack.dataDir, 'blobs', blobKey), 899_999)
        for (const pid of workers) process.kill(pid, 'SIGCONT')
        const { status, name } = await upload
        tally.operations++
        if (status === 503) tally.hit++
        tally.expect(status === 503, `${name}: changed before its scan, answered ${status}`)
      }
    }
  }
}

async function flip(path: string, at: number): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at)
    buffer[0] = (buffer[0] ?? 0) ^ 0x01
    await file.write(buffer, 0, 1, at)
  } finally {
    await file.close()
  }
}
