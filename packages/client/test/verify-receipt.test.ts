import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import t from 'tap'
import {
  MAX_KEYS_CHARS,
  MAX_RECEIPT_CHARS,
  readTrustedKeys,
  ReceiptError,
  verifyReceipt
} from '../src/index.js'

const PAYLOAD_TYPE = 'application/vnd.in-toto+json'
const installation = '7Kd2mVxQ0pRt5YcWb9NhLe'

const pair = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ed25519')
const jwkOf = (key: KeyObject) => key.export({ format: 'jwk' }) as { x: string }
const pemOf = (key: KeyObject): string => key.export({ format: 'pem', type: 'spki' }).toString()
const keys = readTrustedKeys(pemOf(pair.publicKey))
const kid = keys.keys[0]?.kid ?? ''

const statement = {
  _type: 'https://in-toto.io/Statement/v1',
  subject: [{ name: '4fR8uW2cXz0LkJ9sQvYbNe', digest: { sha256: 'ab'.repeat(32) } }],
  predicateType: 'urn:filewright:scan-receipt:v1',
  predicate: {
    verdict: 'clean',
    size: 5,
    scanned_at: '2026-11-12T09:00:00.000Z',
    engine: 'ClamAV 1.4.3',
    signatures: { version: '27500', date: '2026-11-12T06:00:00.000Z', local: '1f0a93bc' },
    installation
  }
}

interface Made {
  body?: string | Buffer
  type?: string
  signedType?: string
  key?: KeyObject
  keyid?: string
}

function envelopeOf({
  body = JSON.stringify(statement),
  type = PAYLOAD_TYPE,
  signedType = type,
  key = pair.privateKey,
  keyid = kid
}: Made = {}) {
  const bytes = Buffer.from(body)
  const pae = Buffer.concat([
    Buffer.from(`DSSEv1 ${signedType.length} ${signedType} ${bytes.length} `),
    bytes
  ])
  return {
    payloadType: type,
    payload: bytes.toString('base64'),
    signatures: [{ keyid, sig: sign(null, pae, key).toString('base64') }]
  }
}

const text = (value: unknown): string => JSON.stringify(value)
const receipt = envelopeOf()
const signature = (): { keyid: string; sig: string } => ({ keyid: '', sig: '', ...receipt.signatures[0] })

t.test('a receipt is verified with a PEM, a JWK and a key set, and returns the signed content', async (t) => {
  const { x } = jwkOf(pair.publicKey)
  const jwk = { kty: 'OKP', crv: 'Ed25519', x }
  const set = { installation, keys: [{ ...jwk, kid, alg: 'EdDSA', use: 'sig', revoked_at: null }] }

  for (const trusted of [pemOf(pair.publicKey), text(jwk), text(set), text({ keys: [jwk] })]) {
    t.strictSame(verifyReceipt(text(receipt), readTrustedKeys(trusted)), {
      kid,
      fileId: '4fR8uW2cXz0LkJ9sQvYbNe',
      sha256: 'ab'.repeat(32),
      size: 5,
      scannedAt: '2026-11-12T09:00:00.000Z',
      engine: 'ClamAV 1.4.3',
      signatures: { version: '27500', date: '2026-11-12T06:00:00.000Z', local: '1f0a93bc' },
      installation
    })
  }
  t.ok(verifyReceipt(JSON.stringify(receipt, null, 2), keys), 'spaces between tokens change nothing')
})

const withStatement = (change: object): string => text({ ...statement, ...change })
const withPredicate = (change: object): Made => ({
  body: withStatement({ predicate: { ...statement.predicate, ...change } })
})
const flip = (base64: string, index: number): string => {
  const bytes = Buffer.from(base64, 'base64')
  bytes[index] = (bytes[index] ?? 0) ^ 1
  return bytes.toString('base64')
}

t.test('an altered envelope is refused', async (t) => {
  const attacks: Record<string, [unknown, RegExp]> = {
    'another payload': [
      { ...receipt, payload: Buffer.from(withStatement({ subject: [] })).toString('base64') },
      /does not match/
    ],
    'one bit of the payload': [{ ...receipt, payload: flip(receipt.payload, 100) }, /does not match/],
    'one bit of R': [
      { ...receipt, signatures: [{ keyid: kid, sig: flip(signature().sig, 3) }] },
      /not match/
    ],
    'one bit of S': [
      { ...receipt, signatures: [{ keyid: kid, sig: flip(signature().sig, 40) }] },
      /not match/
    ],
    'a zero signature': [
      { ...receipt, signatures: [{ keyid: kid, sig: Buffer.alloc(64).toString('base64') }] },
      /does not match/
    ],
    'a short signature': [{ ...receipt, signatures: [{ keyid: kid, sig: 'AAAA' }] }, /64 bytes/],
    'an empty signature': [{ ...receipt, signatures: [{ keyid: kid, sig: '' }] }, /64 bytes/],
    'no signature': [{ ...receipt, signatures: [] }, /exactly one signature/],
    'two signatures': [{ ...receipt, signatures: [signature(), signature()] }, /exactly one signature/],
    'an unknown key id': [
      { ...receipt, signatures: [{ ...signature(), keyid: 'A'.repeat(43) }] },
      /not among the given/
    ],
    'a key id from outside': [
      { ...receipt, signatures: [{ ...signature(), keyid: '\u001b[2J' }] },
      /key id is not valid/
    ],
    'another key': [envelopeOf({ key: other.privateKey }), /does not match/],
    'another payload type': [envelopeOf({ type: 'application/json' }), /not of the type/],
    'a type that was not signed': [envelopeOf({ signedType: 'application/json' }), /does not match/],
    'an algorithm of its own': [{ ...receipt, alg: 'none' }, /exactly the fields/],
    'an algorithm in the signature': [
      { ...receipt, signatures: [{ ...signature(), alg: 'HS256' }] },
      /exactly the fields/
    ],
    base64url: [
      { ...receipt, signatures: [{ keyid: kid, sig: signature().sig.replace(/=+$/, '') }] },
      /canonical base64/
    ],
    'base64 with spaces': [{ ...receipt, payload: ` ${receipt.payload}` }, /canonical base64/],
    'an array': [[receipt], /not an object/],
    null: [null, /not an object/]
  }

  for (const [name, [envelope, reason]] of Object.entries(attacks)) {
    t.throws(() => verifyReceipt(text(envelope), keys), { name: 'ReceiptError', message: reason }, name)
  }
})

t.test('an equivalent signature, S plus the group order, is refused', async (t) => {
  const bytes = Buffer.from(signature().sig, 'base64')
  const order = 2n ** 252n + 27742317777372353535851937790883648493n
  const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + order
  Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse().copy(bytes, 32)

  t.throws(
    () =>
      verifyReceipt(text({ ...receipt, signatures: [{ keyid: kid, sig: bytes.toString('base64') }] }), keys),
    /does not match/
  )
})

t.test('a text with several interpretations is refused', async (t) => {
  const twice = text(receipt).replace('{', `{"payload":"${envelopeOf({ body: '{}' }).payload}",`)
  t.throws(() => verifyReceipt(twice, keys), /repeated keys/)
  t.throws(() => verifyReceipt(text(receipt).replace('"keyid"', '"key\\u0069d"'), keys), /escaped characters/)
  const inner = text(statement)
  const readings = [
    inner.replace('"size":5', '"size":4,"size":5'),
    inner.replace('"size":5', '"size":5.0'),
    inner.replace('"size":5', '"size": 5'),
    inner.replace('"clean"', '"cl\\u0065an"'),
    `\ufeff${inner}`,
    `${inner}\n`
  ]
  for (const body of readings) {
    t.throws(
      () => verifyReceipt(text(envelopeOf({ body })), keys),
      /canonical JSON|not JSON/,
      JSON.stringify(body.slice(0, 9))
    )
  }
  const invalid = Buffer.from(inner.replace('ClamAV', 'Clam\u00ff'), 'latin1')
  t.throws(() => verifyReceipt(text(envelopeOf({ body: invalid })), keys), /canonical JSON/)
})

t.test('content signed by a trusted key is still checked, field by field', async (t) => {
  const attacks: Record<string, Made> = {
    'another statement type': { body: withStatement({ _type: 'https://in-toto.io/Statement/v0.1' }) },
    'another predicate': { body: withStatement({ predicateType: 'https://slsa.dev/provenance/v1' }) },
    'two subjects': { body: withStatement({ subject: [...statement.subject, ...statement.subject] }) },
    'one more field': { body: withStatement({ note: 'x' }) },
    'a prototype': { body: text(statement).replace('{', '{"__proto__":{},') },
    'an infected file': withPredicate({ verdict: 'infected' }),
    'a negative size': withPredicate({ size: -1 }),
    'a size as text': withPredicate({ size: '5' }),
    'a time that is none': withPredicate({ scanned_at: '2026-13-45T09:00:00.000Z' }),
    'a day that is none': withPredicate({ scanned_at: '2026-02-31T09:00:00.000Z' }),
    'a terminal command': withPredicate({ engine: 'ClamAV \u001b]0;x\u0007' }),
    'a second line': withPredicate({ engine: 'ClamAV\nreport.pdf: clean' }),
    'an installation that is an object': withPredicate({ installation: {} }),
    'signatures as a list': withPredicate({ signatures: [] })
  }

  for (const [name, made] of Object.entries(attacks)) {
    t.throws(() => verifyReceipt(text(envelopeOf(made)), keys), ReceiptError, name)
  }
})

t.test('the keys of this installation refuse a receipt of another', async (t) => {
  const set = { installation: 'another', keys: [{ kty: 'OKP', crv: 'Ed25519', ...jwkOf(pair.publicKey) }] }

  t.throws(() => verifyReceipt(text(receipt), readTrustedKeys(text(set))), /another installation/)
})

t.test('no key file can enable another algorithm than Ed25519', async (t) => {
  const { x } = jwkOf(pair.publicKey)
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
  const x25519 = generateKeyPairSync('x25519').publicKey
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
  const attacks: Record<string, [string, RegExp]> = {
    'the public key as an HMAC secret': [text({ keys: [{ kty: 'oct', k: x, kid }] }), /no Ed25519 key/],
    'no algorithm': [text({ keys: [{ kty: 'OKP', crv: 'Ed25519', x, alg: 'none' }] }), /no Ed25519 key/],
    'a key for encryption': [
      text({ keys: [{ kty: 'OKP', crv: 'Ed25519', x, use: 'enc' }] }),
      /no Ed25519 key/
    ],
    'another curve': [text({ keys: [{ kty: 'OKP', crv: 'X25519', x }] }), /no Ed25519 key/],
    'a revoked key': [
      text({ keys: [{ kty: 'OKP', crv: 'Ed25519', x, revoked_at: '2026-11-12T09:00:00.000Z' }] }),
      /no Ed25519 key/
    ],
    'the id of another key': [
      text({ keys: [{ kty: 'OKP', crv: 'Ed25519', ...jwkOf(other.publicKey), kid }] }),
      /id of another key/
    ],
    'a short key': [text({ keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'AAAA' }] }), /public key is not valid/],
    'a private JWK': [text(pair.privateKey.export({ format: 'jwk' })), /private key/],
    'a private PEM': [pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), /private key/],
    'an RSA key': [pemOf(rsa), /not an Ed25519/],
    'an X25519 key': [pemOf(x25519), /not an Ed25519/],
    'an EC key': [pemOf(ec), /not an Ed25519/],
    'a broken PEM': ['-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----', /not a public key/],
    'no key': [text({ keys: [] }), /no Ed25519 key/],
    null: ['null', /not a JWK set/],
    text: ['key', /not JSON/]
  }

  for (const [name, [file, reason]] of Object.entries(attacks)) {
    t.throws(() => readTrustedKeys(file), { name: 'ReceiptError', message: reason }, name)
  }
})

t.test('malformed and huge input causes an error message', async (t) => {
  for (const bad of ['', '{', '"', '[]', 'true', '{}', '[['.repeat(5_000), `"${'\\u0000'.repeat(100)}"`]) {
    t.throws(() => verifyReceipt(bad, keys), ReceiptError)
  }
  t.throws(() => verifyReceipt(' '.repeat(MAX_RECEIPT_CHARS + 1), keys), /too large/)
  t.throws(() => readTrustedKeys(' '.repeat(MAX_KEYS_CHARS + 1)), /too large/)
})
