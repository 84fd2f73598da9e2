import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto'
import type { ReceiptStatement } from '@filewright/contracts'

/** The receipt or the key is not valid. The message gives the reason without quoting the input. */
export class ReceiptError extends Error {
  override readonly name = 'ReceiptError'
}

export interface TrustedKey {
  /** Thumbprint by RFC 7638, computed here, because a key file could claim any id. */
  kid: string
  key: KeyObject
}

export interface TrustedKeys {
  keys: TrustedKey[]
  /** The installation that published the keys; null for a single key, which does not name it. */
  installation: string | null
}

export interface VerifiedReceipt {
  /** Who signed it. */
  kid: string
  fileId: string
  sha256: string
  size: number
  scannedAt: string
  engine: string
  signatures: ReceiptStatement['predicate']['signatures']
  installation: string
}

export const MAX_RECEIPT_CHARS = 16_384
export const MAX_KEYS_CHARS = 1_048_576

const PAYLOAD_TYPE = 'application/vnd.in-toto+json'
const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1'
const PREDICATE_TYPE = 'urn:filewright:scan-receipt:v1'
const SIGNATURE_BYTES = 64

function assert(isRight: boolean, message: string): asserts isRight {
  if (!isRight) throw new ReceiptError(message)
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ReceiptError(`The ${what} is not JSON`)
  }
}

type Fields = Record<string, unknown>

/** Requires exactly these keys, so that no two parsers interpret the same text differently. */
function fieldsOf(value: unknown, keys: readonly string[], what: string): Fields {
  assert(typeof value === 'object' && value !== null && !Array.isArray(value), `The ${what} is not an object`)
  const found = Object.keys(value)
  assert(
    found.length === keys.length && keys.every((key) => Object.hasOwn(value, key)),
    `The ${what} does not have exactly the fields ${keys.join(', ')}`
  )
  return value as Fields
}

function onlyItem(value: unknown, what: string): unknown {
  assert(Array.isArray(value) && value.length === 1, `The receipt does not have exactly one ${what}`)
  return value[0]
}

function stringOf(value: unknown, pattern: RegExp, what: string): string {
  assert(typeof value === 'string' && pattern.test(value), `The ${what} is not valid`)
  return value
}

/**
 * Accepts only one encoding of the same bytes: no other alphabet, no missing padding, no extra bits at the
 * end.
 */
function bytesOf(value: unknown, what: string): Buffer {
  assert(typeof value === 'string', `The ${what} is not a string`)
  const bytes = Buffer.from(value, 'base64')
  assert(bytes.toString('base64') === value, `The ${what} is not canonical base64`)
  return bytes
}

/** Spaces between tokens are allowed. Repeated keys, escapes and other spellings of the same JSON are not. */
function assertPlainJson(text: string, value: unknown, what: string): void {
  const compact = text.replace(/("(?:[^"\\]|\\.)*")|[ \t\r\n]+/g, '$1')
  assert(compact === JSON.stringify(value), `The ${what} has repeated keys or escaped characters`)
}

function envelopeOf(text: string): { body: Buffer; keyid: string; signature: Buffer } {
  assert(text.length <= MAX_RECEIPT_CHARS, 'The receipt is too large')
  const value = parse(text, 'receipt')
  const envelope = fieldsOf(value, ['payloadType', 'payload', 'signatures'], 'receipt')
  const signed = fieldsOf(onlyItem(envelope.signatures, 'signature'), ['keyid', 'sig'], 'signature')
  assertPlainJson(text, value, 'receipt')
  assert(envelope.payloadType === PAYLOAD_TYPE, `The receipt is not of the type ${PAYLOAD_TYPE}`)
  const signature = bytesOf(signed.sig, 'signature')
  assert(signature.length === SIGNATURE_BYTES, `The signature does not have ${SIGNATURE_BYTES} bytes`)
  return {
    body: bytesOf(envelope.payload, 'payload'),
    keyid: stringOf(signed.keyid, /^[\w-]{43}$/, 'key id'),
    signature
  }
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const timeOf = (value: unknown, what: string): string => {
  const text = stringOf(value, TIME, what)
  const time = new Date(text)
  assert(!Number.isNaN(time.getTime()) && time.toISOString() === text, `The ${what} is not valid`)
  return text
}
const orNull = <T>(value: unknown, check: (value: unknown) => T): T | null =>
  value === null ? null : check(value)

function statementOf(body: Buffer): Omit<VerifiedReceipt, 'kid'> {
  const text = body.toString('utf8')
  const value = parse(text, 'payload')
  // Byte for byte as the service writes it.
  assert(Buffer.from(JSON.stringify(value)).equals(body), 'The payload is not canonical JSON')
  const statement = fieldsOf(value, ['_type', 'subject', 'predicateType', 'predicate'], 'payload')
  assert(statement._type === STATEMENT_TYPE, 'The payload is not an in-toto statement, version 1')
  assert(statement.predicateType === PREDICATE_TYPE, 'The statement is not a receipt of a scan')
  const subject = fieldsOf(onlyItem(statement.subject, 'subject'), ['name', 'digest'], 'subject')
  const digest = fieldsOf(subject.digest, ['sha256'], 'digest')
  const predicate = fieldsOf(
    statement.predicate,
    ['verdict', 'size', 'scanned_at', 'engine', 'signatures', 'installation'],
    'predicate'
  )
  assert(predicate.verdict === 'clean', 'The verdict is not "clean"')
  const { size } = predicate
  assert(typeof size === 'number' && Number.isSafeInteger(size) && size >= 0, 'The size is not valid')
  const signatures = fieldsOf(predicate.signatures, ['version', 'date', 'local'], 'signature database')
  return {
    fileId: stringOf(subject.name, /^\w{1,64}$/, 'file id'),
    sha256: stringOf(digest.sha256, /^[0-9a-f]{64}$/, 'hash'),
    size,
    scannedAt: timeOf(predicate.scanned_at, 'time of the scan'),
    engine: stringOf(predicate.engine, /^[\w .+-]{0,100}$/, 'name of the engine'),
    signatures: {
      version: orNull(signatures.version, (version) => stringOf(version, /^\d{1,20}$/, 'signature version')),
      date: orNull(signatures.date, (date) => timeOf(date, 'signature date')),
      local: orNull(signatures.local, (local) => stringOf(local, /^[0-9a-f]{1,64}$/, 'signature fingerprint'))
    },
    installation: stringOf(predicate.installation, /^[\w-]{1,64}$/, 'id of the installation')
  }
}

/** DSSE's pre-authentication encoding. */
const encode = (type: string, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${body.length} `), body])

/**
 * Checks the signature first, then every field. The caller compares the bytes of the file.
 *
 * @throws ReceiptError
 */
export function verifyReceipt(receipt: string, { keys, installation }: TrustedKeys): VerifiedReceipt {
  const { body, keyid, signature } = envelopeOf(receipt)
  const trusted = keys.find(({ kid }) => kid === keyid)
  assert(trusted !== undefined, 'The receipt is signed by a key that is not among the given ones')
  assert(
    verify(null, encode(PAYLOAD_TYPE, body), trusted.key, signature),
    'The signature does not match: the receipt was changed, or the key did not sign it'
  )
  const statement = statementOf(body)
  assert(
    installation === null || installation === statement.installation,
    'The receipt is of another installation than the keys'
  )
  return { kid: trusted.kid, ...statement }
}

function trustedKeyOf(x: string): TrustedKey {
  const thumbprint = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x })
  return {
    kid: createHash('sha256').update(thumbprint).digest('base64url'),
    key: createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  }
}

/** Keys of other types are ignored, so an entry cannot choose how signatures are checked. */
function keyOfSet(value: unknown): TrustedKey | null {
  const { kty, crv, x, kid, alg = 'EdDSA', use = 'sig', revoked_at: revokedAt = null, d } = value as Fields
  assert(d === undefined, 'The key file holds a private key; give the public one')
  const isOurs = kty === 'OKP' && crv === 'Ed25519' && alg === 'EdDSA' && use === 'sig'
  if (!isOurs || revokedAt !== null) return null
  const key = trustedKeyOf(stringOf(x, /^[\w-]{42}[AEIMQUYcgkosw048]$/, 'public key'))
  assert(kid === undefined || kid === key.kid, 'A key in the key file has the id of another key')
  return key
}

function keysOfJson(text: string): TrustedKeys {
  const value = parse(text, 'key file') as Fields | null
  const entries: unknown = Array.isArray(value?.keys) ? value.keys : [value]
  const isSet = entries === value?.keys
  const keys = (entries as unknown[]).flatMap((entry) => {
    assert(typeof entry === 'object' && entry !== null, 'The key file is not a JWK set')
    const key = keyOfSet(entry)
    return key === null ? [] : [key]
  })
  assert(keys.length > 0, 'The key file has no Ed25519 key that is valid')
  const installation = isSet ? (value?.installation ?? null) : null
  return { keys, installation: orNull(installation, (id) => stringOf(id, /^[\w-]{1,64}$/, 'installation')) }
}

/**
 * Reads filewright-keys.json, one JWK, or a public key in PEM.
 *
 * @throws ReceiptError
 */
export function readTrustedKeys(text: string): TrustedKeys {
  assert(text.length <= MAX_KEYS_CHARS, 'The key file is too large')
  // Node.js would derive the public key from a private one.
  assert(!text.includes('PRIVATE KEY'), 'The key file holds a private key; give the public one')
  if (!text.trimStart().startsWith('-----BEGIN PUBLIC KEY-----')) return keysOfJson(text)
  let key: KeyObject
  try {
    key = createPublicKey(text)
  } catch {
    throw new ReceiptError('The key file is not a public key in PEM')
  }
  assert(key.asymmetricKeyType === 'ed25519', 'The key is not an Ed25519 key')
  return { keys: [trustedKeyOf(key.export({ format: 'jwk' }).x ?? '')], installation: null }
}
