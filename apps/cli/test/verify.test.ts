import { generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readTrustedKeys } from '@filewright/client'
import { filewright, sha256 } from './helpers.js'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString()
const content = Buffer.from('scanned bytes')

function receiptOf(predicate: object = {}): string {
  const body = Buffer.from(
    JSON.stringify({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: '4fR8uW2cXz0LkJ9sQvYbNe', digest: { sha256: sha256(content) } }],
      predicateType: 'urn:filewright:scan-receipt:v1',
      predicate: {
        verdict: 'clean',
        size: content.length,
        scanned_at: '2026-11-12T09:00:00.000Z',
        engine: 'ClamAV 1.4.3',
        signatures: { version: '27500', date: '2026-11-12T06:00:00.000Z', local: null },
        installation: 'here',
        ...predicate
      }
    })
  )
  const type = 'application/vnd.in-toto+json'
  const signed = Buffer.concat([Buffer.from(`DSSEv1 28 ${type} ${body.length} `), body])
  const keyid = readTrustedKeys(pem).keys[0]?.kid
  const sig = sign(null, signed, privateKey).toString('base64')
  return JSON.stringify({ payloadType: type, payload: body.toString('base64'), signatures: [{ keyid, sig }] })
}

function folderOf(t: Test, receipt = receiptOf()) {
  const cwd = t.testdir({ 'a.txt': content, 'a.txt.receipt.json': receipt, 'key.pem': pem })
  const verify = async (...args: string[]) =>
    await filewright(
      { env: {}, cwd },
      'verify',
      'a.txt',
      '-r',
      'a.txt.receipt.json',
      '-k',
      'key.pem',
      ...args
    )
  return { cwd, verify }
}

t.test("verify works without a server and prints the receipt's content", async (t) => {
  const { verify } = folderOf(t)

  const { code, out, note } = await verify()

  t.equal(code, 0, note)
  t.match(
    out,
    'a.txt: clean on 2026-11-12 09:00 UTC, scanned by ClamAV 1.4.3 with signatures 27500 of 2026-11-12 06:00 UTC'
  )
  t.match(JSON.parse((await verify('--json')).out), { verdict: 'clean', size: 13, installation: 'here' })
})

t.test('another file, a changed file and a shorter one fail', async (t) => {
  const { cwd, verify } = folderOf(t)
  for (const bytes of ['scanned byteS', 'scanned', '', 'scanned bytes\n']) {
    writeFileSync(join(cwd, 'a.txt'), bytes)
    const { code, out, note } = await verify()
    t.equal(code, 1)
    t.equal(out, '')
    t.match(note, 'a.txt is not the file of the receipt: its bytes differ')
  }
})

t.test('content of a receipt or a key file is sanitized before it is printed', async (t) => {
  const { cwd, verify } = folderOf(
    t,
    receiptOf({ engine: '\u001b]0;owned\u0007', installation: 'a\nb: clean' })
  )
  const refused = await verify()
  t.equal(refused.code, 1)
  t.notMatch(refused.note + refused.out, /owned|b: clean/)

  writeFileSync(join(cwd, 'key.pem'), '{"\u001b[2Jowned": 1}')
  t.notMatch((await verify()).note, /owned/)
})

t.test('an endless receipt is not read to its end', { skip: process.platform === 'win32' }, async (t) => {
  const { cwd, verify } = folderOf(t)
  symlinkSync('/dev/zero', join(cwd, 'zero'))

  t.match((await verify('-r', 'zero')).note, /too large/)
  t.match((await verify('-k', 'zero')).note, /too large/)
})

t.test('a missing file causes a one-line error, and nothing is written', async (t) => {
  const { cwd, verify } = folderOf(t)

  t.match(await verify('-r', 'missing.json'), { code: 1, note: /no such file/ })
  t.equal(readFileSync(join(cwd, 'a.txt'), 'utf8'), content.toString())
})

t.test('a folder given instead of a file is a usage error that names it', async (t) => {
  const { cwd } = folderOf(t)
  const given = ['a.txt', 'a.txt.receipt.json', 'key.pem']
  for (const place of given.keys()) {
    const [file = '', receipt = '', key = ''] = given.map((each, index) => (index === place ? '.' : each))
    const { code, note } = await filewright({ env: {}, cwd }, 'verify', file, '-r', receipt, '-k', key)
    t.equal(code, 3)
    t.match(note, '. is a folder; name a file')
  }
})
