import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { fuzzParameters, numbersFrom, testSeed, type FuzzParameters } from '@filewright/testing'
import fc from 'fast-check'
import { detect } from './samples.js'

const EXECUTABLE = Buffer.from('\x7fELF', 'latin1')
const MAX_FILES = 400
const MAX_BYTES = 2_000_000

/** Programs, libraries and the like, from Node and the system. */
async function machineFiles(): Promise<string[]> {
  const found: string[] = []
  for (const folder of ['/usr/bin', '/usr/sbin', '/usr/lib', '/bin']) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      if (entry.isFile()) found.push(join(folder, entry.name))
    }
  }
  return found.slice(0, MAX_FILES)
}

t.test('no program on this machine is mistaken for text or another type', async (t) => {
  let programs = 0
  for (const path of await machineFiles()) {
    if ((await stat(path)).size > MAX_BYTES) continue
    const content = await readFile(path)
    if (!content.subarray(0, 4).equals(EXECUTABLE)) continue
    programs++
    const detected = [await detect(content, 'a.txt'), await detect(content, 'a.tga')]
    if (detected.some((one) => one !== null)) t.fail(`${path} is ${JSON.stringify(detected)}`)
  }
  t.ok(programs > 0 || process.platform !== 'linux', `${programs} programs`)
})

/**
 * Three-byte signatures that identify a file alone, as in the WHATWG MIME Sniffing Standard: noise that
 * happens to start with one is such a file, damaged after its start.
 */
const SHORT_SIGNATURES: ReadonlyArray<readonly [type: string, signature: Buffer]> = [
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff])],
  ['application/gzip', Buffer.from([0x1f, 0x8b, 0x08])]
]

const hasShortSignature = (content: Buffer): boolean =>
  SHORT_SIGNATURES.some(([, signature]) => content.subarray(0, signature.length).equals(signature))

async function assertNoiseIsRefused(parameters: FuzzParameters): Promise<void> {
  const random = fc
    .uint8Array({ minLength: 200, maxLength: 3_000, size: 'max' })
    .map((array) => Buffer.from(array))

  await fc.assert(
    fc.asyncProperty(random, fc.constantFrom('a.bin', 'a.txt', 'a.tga'), async (content, name) => {
      // fast-check prefers short and uniform arrays, which may be text; noise has every kind of byte.
      if (new Set(content).size < 60 || hasShortSignature(content)) return
      const detected = await detect(content, name)
      if (detected !== null) throw new Error(JSON.stringify(detected))
    }),
    parameters
  )
}

t.test('random bytes without a known signature are never accepted', async (t) => {
  await assertNoiseIsRefused(fuzzParameters(t, 2_000))
  t.pass('all were refused')
})

t.test('random bytes of seed 1935223198, which start with the JPEG signature, count as JPEG', async (t) => {
  await assertNoiseIsRefused({ ...fuzzParameters(t, 2_000), seed: 1_935_223_198 })
  t.pass('all others were refused')
})

t.test('bytes that start with the signature of JPEG or gzip are that type, whatever follows', async (t) => {
  const random = numbersFrom(testSeed(t))
  const noise = Buffer.from(Array.from({ length: 500 }, () => Math.floor(random() * 256)))

  for (const [type, signature] of SHORT_SIGNATURES) {
    t.equal((await detect(Buffer.concat([signature, noise]), 'a.bin'))?.type, type)
  }
})
