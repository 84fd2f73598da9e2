import t from 'tap'
import { createId } from '@filewright/runtime'
import { compareIdentity, establishIdentity } from '../../src/identity/establish.js'
import { formatMarker } from '../../src/identity/identity.js'
import {
  depsOf,
  everything,
  openBucket,
  openFolder,
  openRecords,
  storeFile,
  writeBlob,
  type OpenStore
} from './installation.js'

t.setTimeout(600_000)

const mismatch = (message: RegExp | string) => ({ code: 'STORE_MISMATCH', message })

const stores: Record<string, OpenStore> = { folder: openFolder, bucket: openBucket }

for (const [name, openStore] of Object.entries(stores)) {
  t.test(`on a ${name}`, async (t) => {
    t.test('an empty database and an empty store get one identity, and keep it', async (t) => {
      const records = await openRecords(t)
      const blobs = await openStore(t)

      const identity = await establishIdentity(depsOf(records, blobs))

      t.equal(await blobs.marker.read(), formatMarker(identity))
      const { installation: id, store: storeId } = identity
      t.strictSame(await records.database.installation.find(), {
        id,
        storeId,
        mirrorId: null,
        moveId: null
      })
      t.strictSame(await establishIdentity(depsOf(records, blobs)), identity)
    })

    t.test('gateways that start concurrently on one database and one store agree', async (t) => {
      const records = await openRecords(t)
      const blobs = await openStore(t)

      const gateways = Array.from({ length: 8 }, () => depsOf(records, blobs))

      const identities = await Promise.all(gateways.map(establishIdentity))

      t.equal(new Set(identities.map((identity) => formatMarker(identity))).size, 1)
    })

    t.test('of two stores that start concurrently on one database, one wins', async (t) => {
      const records = await openRecords(t)
      const [first, second] = [await openStore(t), await openStore(t)]

      const gateways = [first, second].map((blobs) => depsOf(records, blobs))

      const results = await Promise.allSettled(gateways.map(establishIdentity))

      t.strictSame(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
      const loser = results[0]?.status === 'rejected' ? first : second
      await t.rejects(establishIdentity(depsOf(records, loser)), { code: 'STORE_MISMATCH' }, 'also next time')
    })

    t.test('of two databases that start concurrently on one store, one wins', async (t) => {
      const [first, second] = [await openRecords(t), await openRecords(t)]
      const blobs = await openStore(t)

      const gateways = [first, second].map((records) => depsOf(records, blobs))

      const results = await Promise.allSettled(gateways.map(establishIdentity))

      t.strictSame(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    })

    t.test('a start that was interrupted between any two steps continues', async (t) => {
      const afterClaim = await openRecords(t)
      const afterMark = await openRecords(t)
      const [unmarked, marked] = [await openStore(t), await openStore(t)]
      await afterClaim.database.installation.claim(createId(), null)
      const { id } = await afterMark.database.installation.claim(createId(), null)
      await marked.marker.create(formatMarker({ installation: id, store: createId() }))

      await establishIdentity(depsOf(afterClaim, unmarked))
      await establishIdentity(depsOf(afterMark, marked))

      t.equal((await compareIdentity(depsOf(afterClaim, unmarked))).kind, 'same')
      t.equal((await compareIdentity(depsOf(afterMark, marked))).kind, 'same')
    })

    t.test('an older installation is adopted when most of its files have bytes here', async (t) => {
      const records = await openRecords(t)
      const blobs = await openStore(t)
      for (let number = 0; number < 3; number++) await storeFile(records.database, blobs)
      await storeFile(records.database, null)

      await establishIdentity(depsOf(records, blobs))

      t.equal((await compareIdentity(depsOf(records, blobs))).kind, 'same')
    })

    t.test('an older installation whose only upload never became ready is adopted', async (t) => {
      const records = await openRecords(t)
      const blobs = await openStore(t)
      const id = createId()
      const { files } = records.database
      await files.insertPending({ id, blobKey: `x/${id}`, tokenId: null, leaseExpiresAt: new Date() })
      await writeBlob(blobs, id)

      await establishIdentity(depsOf(records, blobs))

      t.equal((await compareIdentity(depsOf(records, blobs))).kind, 'same')
    })

    t.test('is refused without any change', async (t) => {
      t.test('when an older installation meets an empty store', async (t) => {
        const records = await openRecords(t)
        const empty = await openStore(t)
        await storeFile(records.database, null)
        const before = await everything(records, empty)

        const sentence = mismatch(/bucket one\) is empty, but .*localhost\/one\) has files/)
        await t.rejects(establishIdentity(depsOf(records, empty)), sentence)

        t.strictSame(await everything(records, empty), before)
      })

      t.test('when an older installation meets the store of another', async (t) => {
        const records = await openRecords(t)
        const blobs = await openStore(t)
        await storeFile(records.database, null)
        await writeBlob(blobs, createId())
        const before = await everything(records, blobs)

        await t.rejects(establishIdentity(depsOf(records, blobs)), mismatch(/0 of 1 files/))

        t.strictSame(await everything(records, blobs), before)
      })

      t.test('when an empty database meets a store full of blobs', async (t) => {
        const records = await openRecords(t)
        const blobs = await openStore(t)
        for (let number = 0; number < 3; number++) await writeBlob(blobs, createId())
        const before = await everything(records, blobs)

        const sentence = mismatch(/has no record of them.*store adopt/)
        await t.rejects(establishIdentity(depsOf(records, blobs)), sentence)

        t.strictSame(await everything(records, blobs), before)
      })

      t.test(
        'when another database meets the store, with both ids and locations in the message',
        async (t) => {
          const records = await openRecords(t)
          const blobs = await openStore(t)
          const { installation } = await establishIdentity(depsOf(records, blobs))
          const [fresh, other] = [await openRecords(t), await openRecords(t)]
          const { installation: otherId } = await establishIdentity(depsOf(other, await openStore(t)))
          await storeFile(records.database, blobs)
          await storeFile(other.database, null)
          const before = await everything(records, blobs)
          const [freshBefore, otherBefore] = [await everything(fresh), await everything(other)]

          const none = mismatch(new RegExp(`installation ${installation}.*to none yet`))
          await t.rejects(establishIdentity(depsOf(fresh, blobs)), none)
          const places = { store: 'folder /srv', database: 'db/two' }
          await t.rejects(
            establishIdentity({ ...depsOf(other, blobs), places }),
            mismatch(
              new RegExp(
                [
                  `folder /srv\\) belongs to installation ${installation}`,
                  `db/two\\) to installation ${otherId}`,
                  'Nothing was changed'
                ].join('.*')
              )
            )
          )

          t.strictSame(await everything(records, blobs), before)
          t.strictSame([await everything(fresh), await everything(other)], [freshBefore, otherBefore])
        }
      )

      t.test('when the database meets another store, empty or of another installation', async (t) => {
        const records = await openRecords(t)
        await establishIdentity(depsOf(records, await openStore(t)))
        await storeFile(records.database, null)
        const [empty, foreign] = [await openStore(t), await openStore(t)]
        await establishIdentity(depsOf(await openRecords(t), foreign))
        const before = await everything(records, empty, foreign)

        await t.rejects(establishIdentity(depsOf(records, empty)), mismatch(/has no marker/))
        await t.rejects(establishIdentity(depsOf(records, foreign)), mismatch(/belongs to installation/))

        t.strictSame(await everything(records, empty, foreign), before)
      })

      t.test('when there is something other than our marker in its place', async (t) => {
        const records = await openRecords(t)
        const blobs = await openStore(t)
        await blobs.marker.create('hello')

        await t.rejects(establishIdentity(depsOf(records, blobs)), mismatch(/not one of Filewright/))
      })
    })
  })
}
