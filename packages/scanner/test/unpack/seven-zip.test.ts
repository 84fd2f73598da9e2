import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { rawAr, rawRar5 } from '@filewright/testing'
import {
  unpackArchive,
  type UnpackedFile,
  type UnpackOptions,
  type UnpackProblem
} from '../../src/unpack/seven-zip.js'
import { cleanText } from '../helpers/samples.js'
import {
  encrypted,
  packedText,
  unseenByClamd,
  xzOfLargeDictionary,
  zipOfEqualNames
} from '../helpers/tool-made.js'

const PIECE_BYTES = 256 * 1024
const limits = { timeoutMs: 60_000, maxMemoryBytes: 160 * 1024 * 1024 }
const made = (command: string): Buffer => unseenByClamd[command] ?? encrypted[command] ?? Buffer.alloc(0)

interface Unpacked {
  problem: UnpackProblem | null
  files: Record<string, Buffer>
}

async function unpack(
  archive: Buffer,
  format: string,
  options: Partial<UnpackOptions> = {}
): Promise<Unpacked> {
  const files: Record<string, Buffer> = {}
  const onFile = async ({ name, chunks }: UnpackedFile): Promise<void> => {
    const parts: Buffer[] = []
    for await (const chunk of chunks) parts.push(chunk)
    files[name] = Buffer.concat(parts)
  }
  return { problem: await unpackArchive({ archive, format, ...limits, onFile, ...options }), files }
}

t.test('returns every file with its name, including empty ones', async (t) => {
  const data = cleanText()
  const archive = rawAr([
    { name: 'a.txt', data },
    { name: 'b.txt', data: Buffer.alloc(0) },
    { name: 'c.txt', data: packedText }
  ])

  t.strictSame(await unpack(archive, 'ar'), {
    problem: null,
    files: { 'a.txt': data, 'b.txt': Buffer.alloc(0), 'c.txt': packedText }
  })
})

t.test('returns files with the same name, one after the other', async (t) => {
  const [first, second] = [cleanText(), cleanText()]
  const seen: Buffer[] = []

  await unpackArchive({
    archive: rawAr([
      { name: 'a.txt', data: first },
      { name: 'a.txt', data: second }
    ]),
    format: 'ar',
    ...limits,
    onFile: async ({ chunks }) => {
      for await (const chunk of chunks) seen.push(chunk)
    }
  })

  t.ok(Buffer.concat(seen).equals(Buffer.concat([first, second])))
})

t.test('returns a file with the same name as a folder', async (t) => {
  t.strictSame(await unpack(zipOfEqualNames, 'zip'), { problem: null, files: { k: packedText } })
})

t.test('returns a file larger than a chunk, byte for byte', async (t) => {
  const data = Buffer.concat(
    [...Array(5)].map(() => Buffer.concat([cleanText(), Buffer.alloc(PIECE_BYTES, 'x')]))
  )

  const { files } = await unpack(rawAr([{ name: 'a.txt', data }]), 'ar')

  t.ok(files['a.txt']?.equals(data))
})

t.test('distinguishes encrypted archives from damaged ones', async (t) => {
  const whole = made('7z a a.7z a.txt')
  const damaged = Buffer.from(whole)
  damaged[40] = (damaged[40] ?? 0) ^ 0xff

  t.equal((await unpack(made('7z a -psecret a.7z a.txt'), '7z')).problem, 'encrypted')
  t.equal((await unpack(damaged, '7z')).problem, 'damaged')
  t.equal((await unpack(whole.subarray(0, -10), '7z')).problem, 'damaged')
  t.equal((await unpack(cleanText(), '7z')).problem, 'damaged')
})

t.test('reads the files after a damaged one, unless stopsAtError is set', async (t) => {
  const archive = rawRar5([
    { name: 'a.txt', data: cleanText() },
    { name: 'b.txt', data: cleanText(), crc: 1 },
    { name: 'c.txt', data: cleanText() }
  ])
  const namesOf = async (stopsAtError: boolean): Promise<unknown> => {
    const { problem, files } = await unpack(archive, 'rar5', { stopsAtError })
    return [problem, Object.keys(files)]
  }

  t.strictSame(await namesOf(false), ['damaged', ['a.txt', 'b.txt', 'c.txt']])
  t.strictSame(await namesOf(true), ['stopped', ['a.txt', 'b.txt']])
  t.equal((await unpack(archive.subarray(0, 20), 'rar5', { stopsAtError: true })).problem, 'damaged')
})

t.test('opens an archive only in the given format', async (t) => {
  t.strictSame(await unpack(made('7z a a.7z a.txt'), 'xz'), { problem: 'damaged', files: {} })
})

t.test('reports an archive that asks for more memory than it gets', async (t) => {
  t.equal((await unpack(xzOfLargeDictionary, 'xz')).problem, 'memory')
})

t.test('continues with the next file when one is not read', async (t) => {
  const names: string[] = []
  const large = Buffer.alloc(20 * PIECE_BYTES, 'x')

  const { problem } = await unpack(
    rawAr([
      { name: 'a.txt', data: large },
      { name: 'b.txt', data: large }
    ]),
    'ar',
    {
      onFile: async ({ name, chunks }) => {
        names.push(name)
        if (name === 'b.txt') for await (const chunk of chunks) if (chunk.length > 0) break
      }
    }
  )

  t.strictSame([problem, names], [null, ['a.txt', 'b.txt']])
})

t.test("rejects with the error of a file's reader", async (t) => {
  const failure = new Error('enough')

  await t.rejects(
    unpack(made('zstd -q a.txt'), 'zstd', {
      onFile: async () => {
        throw failure
      }
    }),
    failure
  )
})

t.test('rejects with CANCELLED when aborted before or while unpacking, and ends the thread', async (t) => {
  const large = rawAr([{ name: 'a.txt', data: Buffer.alloc(40 * PIECE_BYTES, 'x') }])
  const aborting = new AbortController()
  let read = 0
  const onFile = async ({ chunks }: UnpackedFile): Promise<void> => {
    for await (const chunk of chunks) {
      read += chunk.length
      aborting.abort()
    }
  }

  await t.rejects(unpack(large, 'ar', { onFile, signal: aborting.signal }), { code: 'CANCELLED' })
  await t.rejects(unpack(large, 'ar', { signal: AbortSignal.abort() }), { code: 'CANCELLED' })

  t.ok(read < 10 * PIECE_BYTES, `${read} bytes`)
  t.strictSame(
    process.getActiveResourcesInfo().filter((name) => name === 'MessagePort'),
    []
  )
})

t.test('stops at the timeout, even while the thread waits for a reader', async (t) => {
  const large = rawAr([{ name: 'a.txt', data: Buffer.alloc(40 * PIECE_BYTES, 'x') }])
  const onFile = async ({ chunks }: UnpackedFile): Promise<void> => {
    await sleep(300)
    for await (const chunk of chunks) void chunk
  }

  t.equal((await unpack(large, 'ar', { onFile, timeoutMs: 200 })).problem, 'time')
})

t.test('does not unpack ahead of a slow reader', async (t) => {
  // All of it would be in memory if the thread did not wait.
  const archive = rawAr([{ name: 'a.txt', data: Buffer.alloc(60 * 1024 * 1024, 'x') }])
  const before = process.memoryUsage()
  let most = 0
  const onFile = async ({ chunks }: UnpackedFile): Promise<void> => {
    await chunks.next()
    for (let i = 0; i < 20; i++) {
      await sleep(20)
      most = Math.max(most, process.memoryUsage().arrayBuffers - before.arrayBuffers)
    }
  }

  t.equal((await unpack(archive, 'ar', { onFile })).problem, null)

  t.ok(most < 8 * PIECE_BYTES, `${most} bytes`)
})
