import t from 'tap'
import { createId } from '@filewright/runtime'
import { createDatabase } from '../../src/index.js'
import {
  inMinutes,
  insertPending,
  insertReady,
  insertScanning,
  openDatabase,
  uploadOf,
  winners
} from '../helpers/database.js'

t.setTimeout(600_000)

const { db, server } = await openDatabase(t)

t.test('an upload that passes the scan becomes a ready record with all its properties', async (t) => {
  const id = createId()
  const at = new Date('2026-03-01T10:20:30.456Z')
  await db.files.insertPending({ id, blobKey: 'blobs/1', tokenId: 'token-1', leaseExpiresAt: inMinutes(1) })
  const upload = uploadOf('acme', {
    name: 'naïve ☃.png',
    folder: 'a/b',
    description: 'a drawing',
    sizeBytes: 52_428_800,
    type: 'image/png',
    kind: 'image',
    charset: 'koi8-r'
  })

  const moved = await db.files.markScanning(id, upload)
  const { file: ready } = await db.files.publish(id, { engine: 'ClamAV 1.4', at })

  const { leaseExpiresAt, ...given } = upload
  t.equal(moved, true)
  t.strictSame(ready, {
    ...given,
    id,
    state: 'ready',
    blobKey: 'blobs/1',
    tokenId: 'token-1',
    leaseExpiresAt: null,
    createdAt: at,
    engine: 'ClamAV 1.4',
    signature: null,
    scannedAt: at
  })
  t.strictSame(await db.files.findReady(id), ready)
})

t.test('a file is not found until it is ready, nor after its deletion began', async (t) => {
  const pending = await insertPending(db)
  const scanning = await insertScanning(db, 'acme')
  const deleting = await insertReady(db, 'acme')
  await db.files.markDeleting(deleting.id)

  for (const id of [pending, scanning, deleting.id, createId()]) t.equal(await db.files.findReady(id), null)
})

t.test("times are returned unchanged, whatever the database's time zone", async (t) => {
  const at = new Date('2026-07-01T23:59:59.999Z')
  const { id } = await insertReady(db, 'acme', { at })

  const { rows } = await server.query<{ epoch: number }>(
    'SELECT extract(epoch FROM created_at)::float8 AS epoch FROM files WHERE id = $1',
    [id]
  )

  t.equal(rows[0]?.epoch, at.getTime() / 1000)
  t.equal((await db.files.findReady(id))?.createdAt.getTime(), at.getTime())
})

t.test('each transition has exactly one winner among twenty simultaneous callers', async (t) => {
  const at = new Date()
  const id = await insertPending(db)
  t.equal(
    await winners(async () => await db.files.markScanning(id, uploadOf('raced'))),
    1,
    'pending to scanning'
  )
  t.equal(
    await winners(async () => (await db.files.publish(id, { engine: 'e', at })).file !== null),
    1,
    'scanning to ready'
  )
  t.equal(await winners(async () => await db.files.markDeleting(id)), 1, 'ready to deleting')
  t.equal(await winners(async () => await db.files.remove(id)), 1, 'deleting to gone')

  const infected = await insertScanning(db, 'raced')
  t.equal(
    await winners(async () => await db.files.markQuarantined(infected, { engine: 'e', signature: 's', at })),
    1,
    'scanning to quarantined'
  )

  const given = await insertScanning(db, 'raced')
  t.equal(await winners(async () => await db.files.markAbandoned(given)), 1, 'scanning to abandoned')
  t.equal(await winners(async () => await db.files.remove(given)), 1, 'abandoned to gone')
})

t.test('a verdict and a deadline that race leave one of ready and abandoned, never both', async (t) => {
  for (let round = 0; round < 20; round++) {
    const id = await insertScanning(db, 'raced')

    const [{ file: ready }, abandoned] = await Promise.all([
      db.files.publish(id, { engine: 'e', at: new Date() }),
      db.files.markAbandoned(id)
    ])

    t.equal((ready !== null) !== abandoned, true)
    t.equal((await db.files.findReady(id)) !== null, ready !== null)
  }
})

t.test('a transition from any other state changes nothing', async (t) => {
  const at = new Date()
  const pending = await insertPending(db)
  const { id: ready } = await insertReady(db, 'acme')

  t.strictSame(await db.files.publish(pending, { engine: 'e', at }), { file: null, refusal: null })
  t.equal(await db.files.markQuarantined(pending, { engine: 'e', signature: 's', at }), false)
  t.equal(await db.files.markDeleting(pending), false)
  t.equal(await db.files.remove(pending), false)
  t.equal(await db.files.markScanning(ready, uploadOf('elsewhere')), false)
  t.equal(await db.files.markAbandoned(ready), false)
  t.equal(await db.files.remove(ready), false)

  t.strictSame(
    await db.files.findStates([pending, ready]),
    new Map([
      [pending, 'pending'],
      [ready, 'ready']
    ])
  )
  t.equal((await db.files.findReady(ready))?.projectId, 'acme')
  t.equal(await db.projects.usage('elsewhere'), null, 'a lost compare-and-set creates no project')
})

t.test('twenty concurrent first uploads create their project once, and all continue', async (t) => {
  const ids = await Promise.all(Array.from({ length: 20 }, async () => await insertPending(db)))

  const moved = await Promise.all(
    ids.map(async (id) => await db.files.markScanning(id, uploadOf('brand-new')))
  )

  t.strictSame(
    moved,
    ids.map(() => true)
  )
  t.equal((await db.projects.list()).filter(({ id }) => id === 'brand-new').length, 1)
})

t.test('a quarantined row keeps its verdict when its blob is gone', async (t) => {
  const at = new Date('2026-03-01T00:00:00.000Z')
  const id = await insertScanning(db, 'acme')
  await db.files.markQuarantined(id, { engine: 'ClamAV 1.4', signature: 'Eicar-Test', at })
  t.equal(
    (await db.files.findWithDoomedBlob(100)).some((file) => file.id === id),
    true
  )

  await db.files.clearBlob(id)

  t.equal(
    (await db.files.findWithDoomedBlob(100)).some((file) => file.id === id),
    false
  )
  const { rows } = await server.query(
    'SELECT state, engine, signature, scanned_at, blob_key FROM files WHERE id = $1',
    [id]
  )
  t.strictSame(rows, [
    { state: 'quarantined', engine: 'ClamAV 1.4', signature: 'Eicar-Test', scanned_at: at, blob_key: null }
  ])
})

t.test('the sweeper finds only uploads whose lease has expired, longest expired first', async (t) => {
  const now = new Date()
  const long = await insertPending(db, inMinutes(-20))
  const scanning = await insertScanning(db, 'acme', { leaseExpiresAt: inMinutes(-10) })
  const alive = await insertPending(db, inMinutes(5))
  const done = await insertReady(db, 'acme', { leaseExpiresAt: inMinutes(-30) })

  const expired = await db.files.findExpired(now, 100)

  t.strictSame(
    expired.map(({ id, state }) => [id, state]),
    [
      [long, 'pending'],
      [scanning, 'scanning']
    ]
  )
  t.strictSame(
    (await db.files.findExpired(now, 1)).map(({ id }) => id),
    [long]
  )
  t.equal(
    expired.some(({ id }) => id === alive || id === done.id),
    false
  )
})

t.test('the sweeper finds every ended row that still has a blob', async (t) => {
  const abandoned = await insertPending(db)
  await db.files.markAbandoned(abandoned)
  const { id: deleting } = await insertReady(db, 'acme')
  await db.files.markDeleting(deleting)
  const { id: ready } = await insertReady(db, 'acme')

  const doomed = new Map((await db.files.findWithDoomedBlob(1_000)).map((file) => [file.id, file]))

  t.equal(doomed.get(abandoned)?.state, 'abandoned')
  t.equal(doomed.get(deleting)?.blobKey, `blobs/${deleting}`)
  t.equal(doomed.has(ready), false)
})

t.test('states are returned for known ids only', async (t) => {
  const id = await insertPending(db)

  t.strictSame(await db.files.findStates([id, createId()]), new Map([[id, 'pending']]))
  t.strictSame(await db.files.findStates([]), new Map())
})

t.test('a ready row without its verified values throws instead of returning a broken file', async (t) => {
  const { id } = await insertReady(db, 'acme')
  await server.query('UPDATE files SET sha256 = NULL WHERE id = $1', [id])

  await t.rejects(db.files.findReady(id), { message: `File ${id} is ready but incomplete` })
  await db.files.markDeleting(id)
})

t.test('a failing read does not affect concurrent reads', async (t) => {
  const { id } = await insertReady(db, 'together')

  const results = await Promise.allSettled([
    db.files.findReady(id),
    db.files.findReady('nul\u0000'),
    db.files.findReady('absent'),
    db.files.findReady(id)
  ])

  t.match(results, [
    { status: 'fulfilled', value: { id } },
    { status: 'rejected' },
    { status: 'fulfilled', value: null },
    { status: 'fulfilled', value: { id } }
  ])
})

t.test('only the commits that clients rely on wait for the disk', async (t) => {
  await server.query('CREATE TABLE commits (id text, step text, waits text)')
  await server.query(`
    CREATE FUNCTION note_commit() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO commits VALUES (
        coalesce(NEW.id, OLD.id), coalesce(NEW.state, 'removed'), current_setting('synchronous_commit')
      );
      RETURN NULL;
    END $$`)
  await server.query(`
    CREATE TRIGGER note_commits AFTER INSERT OR UPDATE OR DELETE ON files
    FOR EACH ROW EXECUTE FUNCTION note_commit()`)
  // Test servers do not wait for the disk by default.
  await server.query(
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = on', current_database()); END $$`
  )
  const durable = createDatabase({ url: server.url })
  t.teardown(durable.close)

  const { id } = await insertReady(durable, 'durable')
  await durable.files.markDeleting(id)
  await durable.files.remove(id)

  const { rows } = await server.query('SELECT step, waits FROM commits WHERE id = $1', [id])
  t.strictSame(
    new Set(rows.map(({ step, waits }) => `${String(step)} ${String(waits)}`)),
    new Set(['pending off', 'scanning off', 'ready on', 'deleting on', 'removed off'])
  )
  await server.query('DROP TRIGGER note_commits ON files')
})
