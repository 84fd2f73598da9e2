import t from 'tap'
import { createId } from '@filewright/runtime'
import type { KeyClaim } from '../../src/index.js'
import { inMinutes, insertScanning, openDatabase, winners } from '../helpers/database.js'

const { db } = await openDatabase(t)
const { files, idempotency: keys } = db
const completion = { fingerprint: 'f'.repeat(64), answer: '{"body":"\\u0000"}' }
const verdict = { engine: 'test/1', at: new Date() }

const claimOf = (key: string, attemptId: string, overrides: Partial<KeyClaim> = {}): KeyClaim => ({
  tokenId: 'token-1',
  key,
  attemptId,
  route: 'POST /x',
  fingerprint: null,
  now: new Date(),
  leaseExpiresAt: inMinutes(1),
  expiresAt: inMinutes(60),
  ...overrides
})

t.test('a key', async (t) => {
  t.test('is claimed by exactly one of twenty', async (t) => {
    const key = createId()

    t.equal(await winners(async () => await keys.claim(claimOf(key, createId()))), 1)
    t.match(await keys.find('token-1', key), { route: 'POST /x', fingerprint: null, answer: null })
  })

  t.test('belongs to its token', async (t) => {
    const key = createId()

    t.ok(await keys.claim(claimOf(key, createId())))
    t.ok(await keys.claim(claimOf(key, createId(), { tokenId: 'token-2' })))
  })

  t.test('is taken over by exactly one of twenty once its lease has expired, and not before', async (t) => {
    const key = createId()
    await keys.claim(claimOf(key, 'first', { leaseExpiresAt: inMinutes(1) }))

    t.equal(await winners(async () => await keys.claim(claimOf(key, createId()))), 0)
    t.equal(
      await winners(
        async () =>
          await keys.claim(claimOf(key, createId(), { now: inMinutes(2), leaseExpiresAt: inMinutes(3) }))
      ),
      1
    )
    t.notOk(
      await keys.complete({ tokenId: 'token-1', key, attemptId: 'first' }, completion),
      'the first attempt has lost it'
    )
    t.notOk(await keys.renew({ tokenId: 'token-1', key, attemptId: 'first' }, inMinutes(9)))
  })

  t.test(
    'with a response is not taken over when its lease expires, but is when its lifetime is over',
    async (t) => {
      const key = createId()
      const claim = claimOf(key, createId())
      await keys.claim(claim)

      t.ok(await keys.complete(claim, completion))
      t.notOk(await keys.complete(claim, completion), 'one answer only')
      t.notOk(await keys.claim(claimOf(key, createId(), { now: inMinutes(30) })))
      t.match(await keys.find('token-1', key), completion)
      t.ok(await keys.claim(claimOf(key, createId(), { now: inMinutes(61) })))
      t.match(await keys.find('token-1', key), { answer: null, fingerprint: null })
    }
  )

  t.test('is renewed by its holder', async (t) => {
    const key = createId()
    const claim = claimOf(key, createId())
    await keys.claim(claim)

    t.ok(await keys.renew(claim, inMinutes(5)))
    t.notOk(await keys.claim(claimOf(key, createId(), { now: inMinutes(2) })))
  })

  t.test('is free after a release, and only its holder releases it', async (t) => {
    const key = createId()
    const claim = claimOf(key, createId())
    await keys.claim(claim)

    await keys.release({ ...claim, attemptId: 'other' })
    t.notOk(await keys.claim(claimOf(key, createId())))
    await keys.release(claim)
    t.ok(await keys.claim(claimOf(key, createId())))
  })

  t.test('is removed after its lifetime', async (t) => {
    const [old, young] = [createId(), createId()]
    await keys.claim(claimOf(old, createId(), { expiresAt: inMinutes(-1) }))
    await keys.claim(claimOf(young, createId()))

    t.ok((await keys.removeExpired(new Date(), 100)) >= 1)
    t.equal(await keys.find('token-1', old), null)
    t.ok(await keys.find('token-1', young))
  })
})

const LOST = { file: null, refusal: null }

t.test('a file uploaded with a key', async (t) => {
  async function scanning(): Promise<{ id: string; holder: KeyClaim }> {
    const id = await insertScanning(db, 'acme')
    const holder = claimOf(createId(), id)
    await keys.claim(holder)
    return { id, holder }
  }

  t.test('becomes ready together with the response', async (t) => {
    const { id, holder } = await scanning()

    t.match(await files.publish(id, verdict, { key: { holder, completion } }), {
      file: { id, state: 'ready', createdAt: verdict.at }
    })
    t.match(await keys.find('token-1', holder.key), completion)
  })

  t.test('never becomes ready after its key was taken over', async (t) => {
    const { id, holder } = await scanning()
    t.ok(await keys.claim(claimOf(holder.key, createId(), { now: inMinutes(2) })))

    t.strictSame(await files.publish(id, verdict, { key: { holder, completion } }), LOST)
    t.strictSame(await files.findStates([id]), new Map([[id, 'scanning']]))
    t.match(await keys.find('token-1', holder.key), { answer: null })
  })

  t.test('that was abandoned leaves the key without a response', async (t) => {
    const { id, holder } = await scanning()
    await files.markAbandoned(id)

    t.strictSame(await files.publish(id, verdict, { key: { holder, completion } }), LOST)
    t.match(await keys.find('token-1', holder.key), { answer: null })
  })

  t.test('is withdrawn together with the response', async (t) => {
    const { id, holder } = await scanning()
    await files.publish(id, verdict, { key: { holder, completion } })

    t.equal(await files.withdraw(id, { holder }), 'abandoned')
    t.equal(await keys.find('token-1', holder.key), null)
  })

  t.test('stays when the response was sent before it was withdrawn', async (t) => {
    const { id, holder } = await scanning()
    await files.publish(id, verdict, { key: { holder, completion } })

    t.ok(await keys.markReplayed(holder))
    t.equal(await files.withdraw(id, { holder }), 'ready')
    t.match(await keys.find('token-1', holder.key), completion)
  })

  t.test('is not returned once it was withdrawn', async (t) => {
    const { id, holder } = await scanning()
    await files.publish(id, verdict, { key: { holder, completion } })
    await files.withdraw(id, { holder })

    t.notOk(await keys.markReplayed(holder))
  })

  t.test('is withdrawn after its key was taken over, and the key stays with the other request', async (t) => {
    const { id, holder } = await scanning()
    await keys.claim(claimOf(holder.key, 'other', { now: inMinutes(2) }))

    t.equal(await files.withdraw(id, { holder }), 'abandoned')
    t.match(await keys.find('token-1', holder.key), { attemptId: 'other' })
  })
})
