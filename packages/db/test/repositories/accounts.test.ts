import t from 'tap'
import { createId } from '@filewright/runtime'
import { ensureToken } from '../../src/setup.js'
import {
  inMinutes,
  insertPending,
  insertReady,
  insertScanning,
  openDatabase,
  winners
} from '../helpers/database.js'

t.setTimeout(600_000)

const { db, server } = await openDatabase(t)

const tokenOf = (overrides: object = {}) => ({
  id: createId(),
  name: 'ci',
  hash: createId(),
  projects: ['acme', 'other'],
  ...overrides
})

t.test('a token is found by its hash, with its projects and expiry', async (t) => {
  const expiresAt = inMinutes(60)
  const token = tokenOf({ expiresAt })

  const created = await db.tokens.create(token)

  t.match(created, { ...token, expiresAt, revokedAt: null })
  t.type(created.createdAt, Date)
  t.strictSame(await db.tokens.findByHash(token.hash), created)
  t.equal(await db.tokens.findByHash('unknown'), null)
})

t.test('tokens that are looked up at the same time are each found by their own hash', async (t) => {
  const tokens = await Promise.all([1, 2, 3].map(async () => await db.tokens.create(tokenOf())))
  const hashes = tokens.flatMap(({ hash }) => [hash, 'unknown', hash])

  const found = await Promise.all(hashes.map(db.tokens.findByHash))

  t.strictSame(
    found,
    tokens.flatMap((token) => [token, null, token])
  )
})

t.test('the same hash cannot be created twice', async (t) => {
  const token = tokenOf()
  await db.tokens.create(token)

  await t.rejects(db.tokens.create(tokenOf({ hash: token.hash })))
})

t.test(
  'ensuring a token creates it once, later opens its projects without expiry, and never restores a revoked one',
  async (t) => {
    const ensure = async (token: object): Promise<boolean> =>
      await ensureToken({ url: server.url, token: tokenOf(token) })
    const hash = createId()
    t.strictSame(
      await Promise.all(Array.from({ length: 10 }, async () => await ensure({ hash }))),
      Array.from({ length: 10 }, () => true)
    )
    const [first, ...others] = (await db.tokens.list()).filter((token) => token.hash === hash)
    t.match(first, { name: 'ci', projects: ['acme', 'other'], expiresAt: null, revokedAt: null })
    t.equal(others.length, 0)

    const expiring = await db.tokens.create(tokenOf({ name: 'made by hand', expiresAt: inMinutes(60) }))
    t.equal(await ensure({ hash: expiring.hash, projects: ['*'] }), true)
    t.strictSame(await db.tokens.findByHash(expiring.hash), { ...expiring, projects: ['*'], expiresAt: null })

    const at = new Date()
    t.equal(await db.tokens.revoke(first!.id, at), true)
    t.equal(await ensure({ hash }), false)
    t.strictSame((await db.tokens.findByHash(hash))?.revokedAt, at)
    await t.rejects(ensureToken({ url: 'postgresql://postgres@127.0.0.1:1/none', token: tokenOf() }), {
      code: 'DATABASE_UNAVAILABLE'
    })
  }
)

t.test('revoking affects the token with that id, once, and none that only shares its name', async (t) => {
  const name = createId()
  const at = new Date('2026-01-01T00:00:00.000Z')
  const other = await db.tokens.create(tokenOf({ name }))
  const { id, hash } = await db.tokens.create(tokenOf({ name }))

  t.equal(await db.tokens.revoke(id, at), true)
  t.equal(await db.tokens.revoke(id, new Date()), false)
  t.equal(await db.tokens.revoke(name, at), false)
  t.strictSame((await db.tokens.findByHash(hash))?.revokedAt, at)
  t.equal((await db.tokens.findByHash(other.hash))?.revokedAt, null)
})

t.test('usage counts ready files only, in total and by kind', async (t) => {
  await insertReady(db, 'counted', { kind: 'image', sizeBytes: 5 })
  await insertReady(db, 'counted', { kind: 'image', sizeBytes: 7 })
  await insertReady(db, 'counted', { kind: 'code', sizeBytes: 0 })
  await insertScanning(db, 'counted', { sizeBytes: 1_000 })
  await insertPending(db)

  t.strictSame(await db.projects.usage('counted'), {
    id: 'counted',
    files: 3,
    bytes: 12,
    byKind: { code: { files: 1, bytes: 0 }, image: { files: 2, bytes: 12 } }
  })
  const summary = (await db.projects.list()).find(({ id }) => id === 'counted')
  t.match(summary, { id: 'counted', files: 3, bytes: 12 })
  t.type(summary?.createdAt, Date)
})

t.test(
  'a project whose only upload is still being scanned exists and is empty; an unknown one does not exist',
  async (t) => {
    await insertScanning(db, 'empty')

    t.strictSame(await db.projects.usage('empty'), { id: 'empty', files: 0, bytes: 0, byKind: {} })
    t.equal(await db.projects.usage('never'), null)
  }
)

t.test("a project's bytes may exceed 32 bits", async (t) => {
  await Promise.all(
    Array.from({ length: 42 }, async () => await insertReady(db, 'large', { sizeBytes: 52_428_800 }))
  )

  t.equal((await db.projects.usage('large'))?.bytes, 42 * 52_428_800)
})

t.test('a generation stores its request and its outcome', async (t) => {
  const id = createId()
  const startedAt = new Date('2026-01-01T00:00:00.000Z')
  const finishedAt = new Date('2026-01-01T00:00:02.500Z')
  await db.generations.create({
    id,
    kind: 'generate',
    type: 'code',
    modelAsked: 'alpha-4o',
    tokenId: 'token-1',
    startedAt
  })
  const running = {
    id,
    kind: 'generate',
    type: 'code',
    modelAsked: 'alpha-4o',
    modelUsed: null,
    engine: null,
    tokensUsed: null,
    outcome: 'running',
    errorCode: null,
    startedAt,
    finishedAt: null,
    tokenId: 'token-1',
    prompt: null,
    options: null,
    result: null
  }
  t.strictSame(await db.generations.findById(id), running)

  t.equal(
    await db.generations.finish(id, {
      outcome: 'succeeded',
      finishedAt,
      modelUsed: 'qwen',
      engine: 'model',
      tokensUsed: 42
    }),
    true
  )

  t.strictSame(await db.generations.findById(id), {
    ...running,
    outcome: 'succeeded',
    finishedAt,
    modelUsed: 'qwen',
    engine: 'model',
    tokensUsed: 42
  })
  t.equal(await db.generations.findById('unknown'), null)
})

t.test('a generation ends once among twenty concurrent callers, and the first outcome counts', async (t) => {
  const id = createId()
  await db.generations.create({ id, kind: 'analyze', tokenId: 'token-1', startedAt: new Date() })

  t.equal(
    await winners(
      async () => await db.generations.finish(id, { outcome: 'cancelled', finishedAt: new Date() })
    ),
    1
  )
  t.equal(await db.generations.finish(id, { outcome: 'succeeded', finishedAt: new Date() }), false)
  t.equal((await db.generations.findById(id))?.outcome, 'cancelled')
})

t.test('generations that a crash left running are failed, younger ones are kept', async (t) => {
  const old = createId()
  const young = createId()
  await db.generations.create({ id: old, kind: 'optimize', tokenId: 'token-1', startedAt: inMinutes(-30) })
  await db.generations.create({ id: young, kind: 'optimize', tokenId: 'token-1', startedAt: new Date() })
  const at = new Date()

  t.equal(await db.generations.failRunning({ startedBefore: inMinutes(-10), at, errorCode: 'ABANDONED' }), 1)

  t.match(await db.generations.findById(old), { outcome: 'failed', errorCode: 'ABANDONED', finishedAt: at })
  t.equal((await db.generations.findById(young))?.outcome, 'running')
})

t.test(
  'ended generations are removed in bounded batches, oldest first; running and younger ones stay',
  async (t) => {
    const ended = async (startedAt: Date): Promise<string> => {
      const id = createId()
      await db.generations.create({ id, kind: 'analyze', tokenId: 'token-1', startedAt })
      await db.generations.finish(id, { outcome: 'succeeded', finishedAt: startedAt })
      return id
    }
    const days = (count: number): Date => inMinutes(-count * 24 * 60)
    const [oldest, old, young] = [await ended(days(2_000)), await ended(days(1_000)), await ended(days(1))]
    const running = createId()
    await db.generations.create({ id: running, kind: 'analyze', tokenId: 'token-1', startedAt: days(2_000) })
    const stored = async () =>
      (await Promise.all([oldest, old, young, running].map(db.generations.findById))).map(
        (found) => found !== null
      )

    t.equal(await db.generations.removeEnded({ startedBefore: days(500), limit: 1 }), 1)
    t.strictSame(await stored(), [false, true, true, true])
    t.equal(await db.generations.removeEnded({ startedBefore: days(500), limit: 10 }), 1)
    t.strictSame(await stored(), [false, false, true, true])
  }
)

t.test('old verdicts of refused files are removed once their bytes are gone', async (t) => {
  const refused = async (at: Date): Promise<string> => {
    const id = await insertScanning(db, 'refused')
    await db.files.markQuarantined(id, { engine: 'test/1', signature: 'Eicar', at })
    return id
  }
  const [old, withBytes, young] = [
    await refused(inMinutes(-60)),
    await refused(inMinutes(-60)),
    await refused(new Date())
  ]
  for (const id of [old, young]) await db.files.clearBlob(id)

  t.equal(await db.files.removeRefused({ scannedBefore: inMinutes(-30), limit: 10 }), 1)

  t.strictSame(
    [...(await db.files.findStates([old, withBytes, young])).keys()].sort(),
    [withBytes, young].sort()
  )
})
