import { createHash } from 'node:crypto'
import t from 'tap'
import { readTrustedKeys, verifyReceipt } from '@filewright/client'
import { createRescanFile } from '@filewright/domain'
import { createId, createLogger, systemClock } from '@filewright/runtime'
import { RECEIPT_KEY, startTestGateway, type TestGateway } from '../../helpers/test-gateway.js'

const KEYS = '/.well-known/filewright-keys.json'
const seedOf = (byte: number): string => Buffer.alloc(32, byte).toString('base64')
const receiptOf = async (gateway: TestGateway, id: string) => await gateway.get(`/api/files/${id}/receipt`)

async function verified(gateway: TestGateway, receipt: string) {
  return verifyReceipt(receipt, readTrustedKeys((await gateway.get(KEYS)).body))
}

function rescanOf(gateway: TestGateway) {
  const { files, rescans } = gateway.database
  return createRescanFile({
    files,
    rescans,
    blobs: gateway.blobs,
    requestVerdict: gateway.requestVerdict,
    clock: systemClock,
    logger: createLogger({ name: 'test', level: 'silent' }),
    deadlineMs: 10_000
  })
}

t.test(
  'a receipt verifies and describes the scan, and the same verdict gives the same receipt',
  async (t) => {
    const gateway = await startTestGateway(t)
    const engine = `ClamAV 1.4.3/${Date.now()} (1f0a93bc)`
    gateway.onScan(async () => ({ verdict: 'clean', engine, signaturesAt: '2026-11-12T06:00:00.000Z' }))
    const id = await gateway.store({ content: 'twelve bytes' })
    const { scanned_at: scannedAt } = (
      await gateway.get(`/api/files/${id}`, { accept: 'application/vnd.filewright+json' })
    ).json().file

    const receipt = await receiptOf(gateway, id)

    t.equal(receipt.statusCode, 200)
    t.equal(receipt.headers['cache-control'], 'private, no-cache')
    t.match(await verified(gateway, receipt.body), {
      fileId: id,
      sha256: createHash('sha256').update('twelve bytes').digest('hex'),
      size: 12,
      scannedAt,
      engine: 'ClamAV 1.4.3',
      signatures: { version: /^\d+$/, date: '2026-11-12T06:00:00.000Z', local: '1f0a93bc' },
      installation: 'test-installation'
    })
    t.equal((await receiptOf(gateway, id)).body, receipt.body)
  }
)

t.test('a rescan produces a new receipt, and the old one still verifies', async (t) => {
  const gateway = await startTestGateway(t)
  const id = await gateway.store({ content: createId() })
  const before = await receiptOf(gateway, id)
  gateway.onScan(async () => ({ verdict: 'clean', engine: `ClamAV 1.4.3/${Date.now()}` }))

  await rescanOf(gateway)((await gateway.database.files.findReady(id))!)

  const after = await receiptOf(gateway, id)
  t.equal((await verified(gateway, before.body)).engine, 'test')
  t.match(await verified(gateway, after.body), { engine: 'ClamAV 1.4.3', signatures: { date: null } })
})

t.test(
  'a receipt needs a token that can read the file; a foreign file gets the same response as a missing one',
  async (t) => {
    const gateway = await startTestGateway(t)
    const id = await gateway.store({ project: 'mine' })
    const ask = async (token: string, file: string) =>
      await gateway.app.inject({
        url: `/api/files/${file}/receipt`,
        headers: { authorization: `Bearer ${token}` }
      })
    const foreign = await gateway.token('other')

    t.equal((await ask('wrong', id)).statusCode, 401)
    t.equal((await ask(await gateway.token('mine'), id)).statusCode, 200)
    const [refused, absent] = [await ask(foreign, id), await ask(foreign, 'A'.repeat(22))]
    t.equal(refused.statusCode, 404)
    t.equal(refused.body, absent.body)
    t.strictSame(refused.json(), { error: 'File not found' })
    await gateway.database.files.markTrashed(id)
    t.equal((await receiptOf(gateway, id)).statusCode, 404, 'a deleted file has none')
  }
)

t.test('without a key no receipts are issued, and old keys stay published', async (t) => {
  const signed = await startTestGateway(t)
  const id = await signed.store()
  const receipt = await receiptOf(signed, id)
  const gateway = await startTestGateway(t, { receiptKey: '' })

  for (const file of [id, 'A'.repeat(22)]) {
    const refused = await receiptOf(gateway, file)
    t.equal(refused.statusCode, 404)
    t.strictSame(refused.json(), { error: 'Receipts are not enabled on this service' })
  }
  t.ok(await verified(gateway, receipt.body))
})

t.test(
  'after a rotation every gateway publishes both keys, even one that has only the old one',
  async (t) => {
    const old = await startTestGateway(t)
    const id = await old.store()
    const before = await receiptOf(old, id)
    const rotated = await startTestGateway(t, { receiptKey: `${seedOf(2)} , ${RECEIPT_KEY}` })

    const after = await receiptOf(rotated, id)

    const kids = [before, after].map((receipt) => receipt.json().signatures[0].keyid)
    t.not(kids[0], kids[1])
    for (const gateway of [old, rotated]) {
      for (const receipt of [before, after]) t.ok(await verified(gateway, receipt.body))
    }
    const { installation, keys } = (await old.get(KEYS)).json()
    t.equal(installation, 'test-installation')
    t.ok(kids.every((kid) => keys.some((key: { kid: string }) => key.kid === kid)))
    t.notOk(JSON.stringify(keys).includes('"d"'), 'no private key')
  }
)

t.test('a revoked key signs nothing any more, and its receipts fail', async (t) => {
  const gateway = await startTestGateway(t, { receiptKey: `${seedOf(3)},${seedOf(4)}` })
  const id = await gateway.store()
  const before = await receiptOf(gateway, id)
  const { keyid } = before.json().signatures[0]

  t.equal(await gateway.database.receipts.revokeKey(keyid), true)

  const after = await receiptOf(gateway, id)
  t.not(after.json().signatures[0].keyid, keyid)
  t.ok(await verified(gateway, after.body))
  await t.rejects(verified(gateway, before.body), /not among the given/)
  await gateway.database.receipts.revokeKey(after.json().signatures[0].keyid)
  t.equal((await receiptOf(gateway, id)).statusCode, 404)
  t.equal(await gateway.database.receipts.revokeKey('unknown'), false)
})

t.test('the keys need no token, and are cached', async (t) => {
  const gateway = await startTestGateway(t)

  const keys = await gateway.app.inject({ url: KEYS })

  t.equal(keys.statusCode, 200)
  t.equal(keys.headers['cache-control'], 'public, max-age=300')
  t.equal((await gateway.app.inject({ method: 'POST', url: KEYS })).statusCode, 405)
})
