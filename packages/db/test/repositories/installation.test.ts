import t from 'tap'
import { openDatabase, insertReady, insertScanning } from '../helpers/database.js'

t.setTimeout(600_000)

const many = <T>(make: (number: number) => Promise<T>): Array<Promise<T>> =>
  Array.from({ length: 12 }, async (_, number) => await make(number))

t.test('the installation', async (t) => {
  const { db, server } = await openDatabase(t)
  const { installation } = db

  await t.test('has no id before the first claim, and nothing to bind a store to', async (t) => {
    t.equal(await installation.find(), null)
    t.equal(await installation.bindStore('store'), null)
  })

  await t.test('gets one id, however many claim it at once', async (t) => {
    const claimed = await Promise.all(many((number) => installation.claim(`id-${number}`, null)))

    t.equal(new Set(claimed.map(({ id }) => id)).size, 1)
    const unbound = { id: claimed[0]?.id, storeId: null, mirrorId: null, moveId: null }
    t.strictSame(await installation.find(), unbound)
    await t.rejects(server.query("INSERT INTO installation (id) VALUES ('second')"), { code: '23505' })
  })

  await t.test('is bound to one store, however many are bound at once', async (t) => {
    const bound = await Promise.all(many((number) => installation.bindStore(`store-${number}`)))

    t.equal(new Set(bound.map((record) => record?.storeId)).size, 1)
    t.equal((await installation.bindStore('late'))?.storeId, bound[0]?.storeId)
  })

  await t.test("is replaced as a whole on an operator's command, with the move under way", async (t) => {
    const storeId = (await installation.find())?.storeId ?? ''
    t.ok(await db.moves.begin({ moveId: 'move', storeId, mirrorId: 'mirror' }))

    await installation.replace({ id: 'new', storeId: 'new-store' })

    const replaced = { id: 'new', storeId: 'new-store', mirrorId: null, moveId: null }
    t.strictSame(await installation.find(), replaced)
  })

  await t.test('samples both ends of the ready files and no others', async (t) => {
    t.strictSame(await installation.sampleReadyKeys(4), [])
    const keys = []
    for (let number = 0; number < 6; number++) keys.push((await insertReady(db, 'acme')).blobKey)
    await insertScanning(db, 'acme')
    keys.sort()

    t.strictSame((await installation.sampleReadyKeys(4)).sort(), [keys[0], keys[1], keys[4], keys[5]])
    t.strictSame((await installation.sampleReadyKeys(100)).sort(), keys)
  })
})

t.test('a long time between two sweeps is unknown, and so is the past of an adopted store', async (t) => {
  const {
    db: { installation }
  } = await openDatabase(t)
  const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 0, minute))
  const sweep = async (minute: number) => await installation.noteSweep({ now: at(minute), gapMs: 600_000 })

  t.strictSame(await sweep(0), [], 'no installation yet')
  await installation.claim('id', at(0))
  t.strictSame(await sweep(9), [])
  t.strictSame(await sweep(8), [], 'a gateway whose clock is behind')
  t.strictSame(await sweep(19), [])
  t.strictSame(await sweep(30), [{ beganAt: at(19), endedAt: at(30) }])
  t.strictSame(await sweep(31), [{ beganAt: at(19), endedAt: at(30) }], 'and stays unknown')

  await installation.replace({ id: 'id', storeId: 'store' })

  t.match(await sweep(32), [{ beganAt: at(19) }, { beganAt: new Date(0), endedAt: at(32) }])
})

t.test('concurrent sweeps find the same unknown period', async (t) => {
  const {
    db: { installation }
  } = await openDatabase(t)
  await installation.claim('id', new Date(0))
  const now = new Date()

  const found = await Promise.all(many(() => installation.noteSweep({ now, gapMs: 60_000 })))

  for (const times of found) t.strictSame(times, [{ beganAt: new Date(0), endedAt: now }])
})
