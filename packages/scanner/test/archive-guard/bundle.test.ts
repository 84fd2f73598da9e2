import { gzipSync } from 'node:zlib'
import t from 'tap'
import { extract } from 'tar-stream'
import { createBundle } from '../../src/archive-guard/bundle.js'
import { createClamdScanner } from '../../src/index.js'
import { startClamd } from '../helpers/clamd.js'
import { cleanText, infectedText, sourceOf } from '../helpers/samples.js'
import { silentLogger } from '../helpers/silent-logger.js'

async function membersOf(tar: Buffer): Promise<Buffer[]> {
  const reader = extract()
  reader.end(tar)
  const members: Buffer[] = []
  for await (const entry of reader) {
    const parts: Buffer[] = []
    for await (const part of entry) parts.push(part as Buffer)
    members.push(Buffer.concat(parts))
  }
  return members
}

t.test('combines files into a tar that another program can unpack', async (t) => {
  const scanned: Buffer[] = []
  const bundle = createBundle(async (body) => {
    scanned.push(body as Buffer)
  })
  const files = [cleanText(), Buffer.alloc(0), Buffer.alloc(512, 'x'), Buffer.alloc(513, 'y')]

  for (const file of files) await bundle.add(file)
  t.equal(scanned.length, 0, 'waits for more')
  await bundle.flush()
  await bundle.flush()

  t.equal(scanned.length, 1)
  t.strictSame(await membersOf(scanned[0] ?? Buffer.alloc(0)), files)
})

t.test('scans the collected files once they reach 16 MiB', async (t) => {
  const scanned: Buffer[] = []
  const bundle = createBundle(async (body) => {
    scanned.push(body as Buffer)
  })

  for (let i = 0; i < 70; i++) await bundle.add(Buffer.alloc(256 * 1024))
  t.equal(scanned.length, 1)
  await bundle.flush()

  t.equal(scanned.length, 2)
  t.equal((await Promise.all(scanned.map(membersOf))).flat().length, 70)
})

t.test('is opened by clamd, which finds a virus in the third of five files, packed or not', async (t) => {
  const clamd = await startClamd()
  const scanner = createClamdScanner({ socketPath: clamd.socketPath, logger: silentLogger })
  t.teardown(async () => {
    await scanner.close()
    await clamd.stop()
  })
  await scanner.start()
  const bundled = async (third: Buffer): Promise<Buffer> => {
    let tar: Buffer = Buffer.alloc(0)
    const bundle = createBundle(async (body) => {
      tar = body as Buffer
    })
    for (const file of [cleanText(), gzipSync(cleanText()), third, cleanText(), cleanText()]) {
      await bundle.add(file)
    }
    await bundle.flush()
    return tar
  }

  t.match(await scanner.scan(sourceOf(await bundled(infectedText()))), {
    verdict: 'infected',
    signature: /EICAR/
  })
  t.match(await scanner.scan(sourceOf(await bundled(gzipSync(infectedText())))), {
    verdict: 'infected',
    signature: /EICAR/
  })
  t.match(await scanner.scan(sourceOf(await bundled(cleanText()))), { verdict: 'clean' })
})
