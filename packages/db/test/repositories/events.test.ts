import t, { type Test } from 'tap'
import { startPglite } from '@filewright/embedded-postgres'
import { createId } from '@filewright/runtime'
import { createMigratedDatabase } from '@filewright/testing'
import pg from 'pg'
import {
  createDatabase,
  eventIdOf,
  migrate,
  parseEventId,
  type Database,
  type EventPosition,
  type EventRecord
} from '../../src/index.js'
import { insertPending, insertReady, insertScanning, openDatabase } from '../helpers/database.js'

t.setTimeout(600_000)

const FIRST: EventPosition = { txid: '0', id: '0' }
const verdict = { engine: 'ClamAV 1.5', at: new Date('2026-11-18T12:00:00.123Z') }

async function openBoth(t: Test, name: string): Promise<Database> {
  const server =
    name === 'PGlite' ? await startPglite() : await createMigratedDatabase(migrate, { isShared: false })
  if (name === 'PGlite') await migrate({ url: server.url })
  const db = createDatabase({ url: server.url, connectTimeoutMs: 30_000, statementTimeoutMs: 30_000 })
  t.teardown(async () => {
    await db.close()
    await server.stop()
  })
  return db
}

for (const name of ['PostgreSQL', 'PGlite']) {
  t.test(`events on ${name}`, async (t) => {
    const db = await openBoth(t, name)
    const { files, trash, events } = db
    let seen = FIRST

    /** The events written since the last call. */
    async function written(): Promise<Array<Pick<EventRecord, 'type' | 'data' | 'projectId'>>> {
      const rows = await events.readAfter({ after: seen, limit: 1_000 })
      seen = rows.at(-1) ?? seen
      return rows.map(({ type, data, projectId }) => ({ type, data, projectId }))
    }
    const typesWritten = async (): Promise<string[]> => (await written()).map(({ type }) => type)

    await t.test(
      'a file that becomes ready writes file.created, and its earlier states write nothing',
      async (t) => {
        const project = createId()
        const id = await insertScanning(db, project, { folder: 'a/b', name: 'x.txt' })
        t.strictSame(await written(), [])

        await files.publish(id, verdict)
        await files.publish(id, verdict)

        t.strictSame(await written(), [
          {
            type: 'file.created',
            projectId: project,
            data: {
              project_id: project,
              file_id: id,
              name: 'x.txt',
              folder: 'a/b',
              size: 10,
              type: 'text/plain',
              sha256: 'a'.repeat(64),
              scanned_at: '2026-11-18T12:00:00.123Z',
              restored: false
            }
          }
        ])
      }
    )

    await t.test('trash, restore and erase each write one event, a lost race none', async (t) => {
      const { id } = await insertReady(db, createId())
      await written()

      await Promise.all([files.markTrashed(id), files.markTrashed(id)])
      await trash.restore(id)
      await files.markTrashed(id)
      await trash.markDeleting(id)
      await files.markDeleting(id)
      await files.remove(id)

      const found = await written()
      t.match(found, [
        { type: 'file.deleted', data: { file_id: id, permanent: false } },
        { type: 'file.created', data: { file_id: id, restored: true } },
        { type: 'file.deleted', data: { file_id: id, permanent: false } },
        { type: 'file.deleted', data: { file_id: id, permanent: true } }
      ])
      t.equal(found.length, 4)
    })

    await t.test('an upload that is withdrawn after it was visible writes file.deleted', async (t) => {
      const { id } = await insertReady(db, createId())
      await files.withdraw(id)

      t.strictSame(await typesWritten(), ['file.created', 'file.deleted'])
    })

    await t.test(
      'new signatures that withdraw a file, even from the trash, write file.withdrawn',
      async (t) => {
        for (const inTrash of [false, true]) {
          const { id } = await insertReady(db, createId())
          if (inTrash) await files.markTrashed(id)
          await written()

          await files.markQuarantined(id, { ...verdict, signature: 'Eicar' }, 'stored')
          await files.clearBlob(id)

          t.match(await written(), [
            {
              type: 'file.withdrawn',
              data: {
                file_id: id,
                signature: 'Eicar',
                engine: 'ClamAV 1.5',
                verdict_at: '2026-11-18T12:00:00.123Z'
              }
            }
          ])
        }
      }
    )

    await t.test(
      'a refused upload writes file.rejected with its reason; a failed one does not',
      async (t) => {
        const project = createId()
        const scanned = await insertScanning(db, project)
        await files.markQuarantined(scanned, {
          ...verdict,
          signature: 'Eicar',
          rejection: 'malware; malware was found'
        })
        const unnamed = await insertPending(db)
        const refusal = {
          projectId: project,
          name: 'setup.exe',
          rejection: 'unsupported-type; executable; files; no'
        }
        await files.withdraw(unnamed, { refusal })
        await files.withdraw(await insertPending(db))
        await files.withdraw(await insertScanning(db, project))

        const found = await written()
        t.strictSame(found, [
          {
            type: 'file.rejected',
            projectId: project,
            data: { project_id: project, name: 'report.txt', code: 'malware', reason: 'malware was found' }
          },
          {
            type: 'file.rejected',
            projectId: project,
            data: {
              project_id: project,
              name: 'setup.exe',
              code: 'unsupported-type',
              reason: 'executable; files; no'
            }
          }
        ])
        t.notMatch(JSON.stringify(found), 'Eicar', 'the name of the signature stays with the operator')
      }
    )

    await t.test('a quota warns at 80 % and 100 %, once until usage was below 80 % again', async (t) => {
      const project = createId()
      const publish = async (sizeBytes: number): Promise<string> => {
        const id = await insertScanning(db, project, { sizeBytes })
        const none = { maxFiles: null, maxBytes: null }
        await files.publish(id, verdict, {
          quotas: {
            project: { maxFiles: null, maxBytes: 100 },
            token: none
          }
        })
        return id
      }
      const warnings = async (): Promise<unknown[]> =>
        (await written())
          .filter(({ type }) => type === 'project.quota.warning')
          .map(({ data }) => [data['threshold'], data['unit'], data['used'], data['limit']])

      const largest = await publish(79)
      t.strictSame(await warnings(), [])
      await publish(1)
      t.strictSame(await warnings(), [[80, 'bytes', 80, 100]])
      await publish(10)
      t.strictSame(await warnings(), [], 'still above')
      await publish(11)
      await publish(11)
      t.strictSame(await warnings(), [[100, 'bytes', 90, 100]], 'refused twice, warned once')

      await files.markDeleting(largest)
      await publish(1)
      t.strictSame(await warnings(), [])
      await publish(88)
      t.strictSame(
        await warnings(),
        [[100, 'bytes', 100, 100]],
        'over both thresholds at once: the higher one'
      )
    })

    await t.test('a generation that ends has an event without prompt and result', async (t) => {
      const generations = db.generations
      const startedAt = new Date()
      const end = async (outcome: 'succeeded' | 'unchanged' | 'failed' | 'cancelled'): Promise<string> => {
        const id = createId()
        await generations.create({
          id,
          kind: 'generate',
          tokenId: 'token-9',
          startedAt,
          modelAsked: 'alpha-4o',
          prompt: 'CANARY'
        })
        const finishedAt = new Date(startedAt.getTime() + 1_500)
        const result = { modelUsed: 'CANARY', tokensUsed: 7, result: 'CANARY', errorCode: 'X' }
        await generations.finish(id, { outcome, finishedAt, ...result })
        await generations.finish(id, { outcome: 'failed', finishedAt })
        return id
      }
      const [done, failed] = [await end('succeeded'), await end('failed')]
      await end('cancelled')
      await end('unchanged')

      const common = { kind: 'generate', model: 'alpha-4o', tokens_used: 7, duration_ms: 1_500 }
      t.strictSame(await written(), [
        { type: 'generation.completed', projectId: null, data: { generation_id: done, ...common } },
        { type: 'generation.failed', projectId: null, data: { generation_id: failed, ...common, error: 'X' } }
      ])
    })

    await t.test('a part that degrades and recovers has one event each, however many notice', async (t) => {
      await events.notePart('scanner', 'ok')
      await Promise.all(Array.from({ length: 5 }, async () => await events.notePart('scanner', 'degraded')))
      await events.notePart('scanner', 'ok')

      t.strictSame(await typesWritten(), ['scanner.degraded', 'scanner.recovered'])
    })

    await t.test('events of a project and of a token are read in order, without other events', async (t) => {
      const project = createId()
      const first = await insertReady(db, project)
      await insertReady(db, createId())
      const id = createId()
      await db.generations.create({ id, kind: 'analyze', tokenId: 'mine', startedAt: new Date() })
      await db.generations.finish(id, { outcome: 'succeeded', finishedAt: new Date() })
      await files.markTrashed(first.id)

      const read = async (after: EventPosition): Promise<string[]> =>
        (await events.readProjectsAfter({ projectIds: [project], after, limit: 2 }, 'mine')).map(
          ({ type }) => type
        )
      const page = await events.readProjectsAfter({ projectIds: [project], after: FIRST, limit: 2 }, 'mine')

      t.strictSame(await read(FIRST), ['file.created', 'generation.completed'])
      t.strictSame(await read(page[1] ?? FIRST), ['file.deleted'])
    })

    await t.test('old events are removed, oldest first', async (t) => {
      t.equal(await events.removeOld({ days: 1, limit: 10 }), 0)
      t.equal(await events.removeOld({ days: -1, limit: 2 }), 2)
    })
  })
}

t.test('events of transactions that commit in the opposite order are all read, in one order', async (t) => {
  const { db, server } = await openDatabase(t, { isShared: false })
  const [a, b] = [await insertScanning(db, 'p'), await insertScanning(db, 'p')]
  const clients = [new pg.Client(server.url), new pg.Client(server.url)] as const
  for (const client of clients) {
    await client.connect()
    await client.query('BEGIN')
  }
  t.teardown(async () => await Promise.all(clients.map(async (client) => await client.end())))
  const publish = "UPDATE files SET state = 'ready', scanned_at = now() WHERE id = $1"
  const read = async (after: EventPosition): Promise<EventRecord[]> =>
    await db.events.readAfter({ after, limit: 10 })

  await clients[0].query(publish, [a])
  await clients[1].query(publish, [b])
  await clients[1].query('COMMIT')
  t.strictSame(await read(FIRST), [], 'the later one waits for the earlier one')
  t.strictSame(await db.events.lastPosition(), FIRST)

  await clients[0].query('COMMIT')
  const both = await read(FIRST)
  t.strictSame(
    both.map(({ fileId }) => fileId),
    [a, b]
  )
  t.strictSame(await read(both[0] ?? FIRST), both.slice(1))
})

t.test('a change that is rolled back has no event', async (t) => {
  const { db, server } = await openDatabase(t, { isShared: false })
  const id = await insertScanning(db, 'p')
  await server.query(`DO $$ BEGIN
    BEGIN UPDATE files SET state = 'ready' WHERE id = '${id}'; RAISE 'no'; EXCEPTION WHEN OTHERS THEN NULL; END;
  END $$`)

  t.strictSame(await db.events.readAfter({ after: FIRST, limit: 10 }), [])
})

t.test(
  'events with ids of transactions that this cluster never had are adopted, and none is lost',
  async (t) => {
    const { db, server } = await openDatabase(t, { isShared: false })
    const { id } = await insertReady(db, 'p')
    await server.query('UPDATE events SET txid = 1000000000')
    await server.query('UPDATE event_cursor SET txid = 1000000000, id = 0')
    t.strictSame(await db.events.readAfter({ after: FIRST, limit: 10 }), [])

    t.equal(await db.events.adoptRestored(), 1)

    t.match(await db.events.readAfter({ after: FIRST, limit: 10 }), [{ fileId: id, txid: '0' }])
    t.match(await db.events.readAfter({ after: { txid: '999999999', id: '5' }, limit: 10 }), [{ fileId: id }])
    t.equal(await db.events.adoptRestored(), 0)
  }
)

t.test("an event's id contains its position, and other strings are rejected", async (t) => {
  for (const position of [FIRST, { txid: '9223372036854775807', id: '9223372036854775807' }]) {
    t.strictSame(parseEventId(eventIdOf(position)), position)
  }
  for (const text of [
    '',
    'evt_',
    'evt_1',
    'evt_1_',
    'evt_1_2_3',
    'evt_zzzzzzzzzzzzz_1',
    'EVT_1_2',
    'evt_-1_2'
  ]) {
    t.equal(parseEventId(text), null, text)
  }
})
