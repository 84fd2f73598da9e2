import { sentences } from '@filewright/contracts'
import type { Row } from '../harness/row.js'
import { FILLS_MEMORY, hostileFiles, type HostileFile } from '../hostile/files.js'
import { peakMb, resetPeak } from '../hostile/memory.js'

const WORKER_MB = 300
/** The default number of a worker's concurrent scans. */
const TOGETHER = 4
const MAX_TRIES = 5

export const hostileFilesRow: Row = {
  name: 'EICAR in every wrapping, archive bombs, encrypted archives',
  promises: ['P2', 'P3', 'P8'],
  target: `every one 400 and never readable, 10 rounds; worker under ${WORKER_MB} MB`,
  counts: { quick: 1, full: 10 },
  run: async ({ rig, tally, count, random, history, say }) => {
    const subject = rig.subject({ history, onFault: tally.violate })
    const project = 'hostile-files'
    const workersNow = (): number[] =>
      Object.entries(rig.stack.info().pids)
        .filter(([name]) => name.startsWith('scan-worker'))
        .map(([, pid]) => pid)
    const workers = workersNow()
    await Promise.all(workers.map(resetPeak))

    async function send(
      { what, name, content, sentence = sentences.fileRejected }: HostileFile,
      index: string
    ): Promise<void> {
      tally.injected++
      tally.operations++
      const bytes = await content()
      let { status, body, error } = await subject.upload({
        project,
        name: `${index}-${name}`,
        content: bytes,
        flagged: true
      })
      // A bomb may make a busy machine miss its deadline: no verdict, and the client retries.
      for (let tries = 1; (status === 503 || status === 408) && tries < MAX_TRIES; tries++) {
        ;({ status, body, error } = await subject.upload({
          project,
          name: `${index}-${name}`,
          content: bytes,
          flagged: true
        }))
      }
      if (status === 400) tally.hit++
      tally.expect(
        status === 400 && body?.error === sentence,
        `${what}: ${status} ${String(body?.error ?? error)}`
      )
    }

    for (let round = 0; round < count; round++) {
      say(`round ${round + 1} of ${count}`)
      const files = hostileFiles(random)
      const waiting = random.shuffled(files.map((file, index) => ({ file, index: `${round}-${index}` })))
      await Promise.all(
        Array.from({ length: TOGETHER }, async () => {
          for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
            await send(next.file, next.index)
          }
        })
      )
      const greedy = files.find(({ what }) => what === FILLS_MEMORY)
      if (greedy !== undefined) {
        await Promise.all(
          Array.from({ length: TOGETHER }, async (_, index) => await send(greedy, `${round}-again-${index}`))
        )
      }
    }

    tally.expect(workersNow().join() === workers.join(), 'a worker was restarted')
    const peak = Math.max(...(await Promise.all(workers.map(peakMb))))
    say(`a worker had at most ${peak} MB`)
    tally.expect(peak < WORKER_MB, `a worker had ${peak} MB`)
    const { names } = await subject.list(project)
    tally.expect(names.length === 0, `${names.length} are on the list: ${names.join()}`)
    const kept = await rig.sql<{ id: string; state: string }>(
      "SELECT f.id, f.state FROM files f WHERE f.project_id = $1 AND f.state = 'quarantined'",
      [project]
    )
    for (const { id } of kept) {
      for (const via of ['api', 'cdn'] as const) {
        tally.expect((await subject.download(id, via)).status === 404, `${id} is readable`)
      }
    }
  }
}
