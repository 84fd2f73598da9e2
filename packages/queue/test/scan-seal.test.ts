import t from 'tap'
import { isSealed, scanFile, sealVerdict, type ScanFileResult } from '../src/index.js'

const key = Buffer.alloc(32, 7)
const asked = { round: 'r1' }
const result: Required<Omit<ScanFileResult, 'seal'>> = {
  verdict: 'clean',
  signature: 'Some.Virus',
  reason: 'why',
  engine: 'clamd/1',
  signaturesAt: '2026-11-12T09:00:00.000Z',
  fileId: 'f1',
  sizeBytes: 5,
  sha256: 'a'.repeat(64),
  unpackedBytes: 6,
  scanMs: 7
}

/** As returned by Redis. */
const overTheWire = (value: object): ScanFileResult => scanFile.parseResult(JSON.parse(JSON.stringify(value)))

t.test('a signature is valid after a round trip through Redis, in any order of properties', async (t) => {
  const sealed = sealVerdict(key, asked, { ...result, reason: 'ü "\\ \u2028' })

  t.match(sealed.seal, /^[0-9a-f]{64}$/)
  t.ok(isSealed(key, asked, overTheWire(sealed)))
  t.ok(isSealed(key, asked, overTheWire(Object.fromEntries(Object.entries(sealed).reverse()))))
  t.ok(isSealed(key, {}, overTheWire(sealVerdict(key, {}, result))), 'without a round')
})

t.test('a change of any field invalidates the signature', async (t) => {
  const sealed = sealVerdict(key, asked, result)
  const changed: Required<Omit<ScanFileResult, 'seal'>> = {
    verdict: 'infected',
    signature: 'Another.Virus',
    reason: 'why not',
    engine: 'clamd/2',
    signaturesAt: '2026-11-13T09:00:00.000Z',
    fileId: 'f2',
    sizeBytes: 6,
    sha256: 'b'.repeat(64),
    unpackedBytes: 7,
    scanMs: 8
  }

  for (const [field, value] of Object.entries(changed)) {
    t.notOk(isSealed(key, asked, overTheWire({ ...sealed, [field]: value })), `another ${field}`)
    const { [field as keyof ScanFileResult]: _gone, ...rest } = sealed
    t.notOk(isSealed(key, asked, rest as ScanFileResult), `no ${field}`)
  }
  t.notOk(isSealed(key, asked, overTheWire({ ...sealed, newer: 1 })), 'one field more')
  const newer = sealVerdict(key, asked, overTheWire({ ...result, newer: 1 }))
  t.ok(isSealed(key, asked, newer), 'a field that only the worker knows is sealed too')
})

t.test('a signature is valid for one key and one attempt', async (t) => {
  const sealed = sealVerdict(key, asked, result)

  t.notOk(isSealed(Buffer.alloc(32, 8), asked, sealed))
  t.notOk(isSealed(key, { round: 'r2' }, sealed))
  t.notOk(isSealed(key, {}, sealed))
})

t.test('an invalid signature is refused', async (t) => {
  const { seal = '', ...rest } = sealVerdict(key, asked, result)

  t.notOk(isSealed(key, asked, rest))
  for (const wrong of ['', 'zz', seal.slice(2), `${seal}00`, 'x'.repeat(64)]) {
    t.notOk(isSealed(key, asked, { ...rest, seal: wrong }), wrong)
  }
})
