import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile
} from 'node:fs/promises'
import * as nodeFs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { poll } from '@filewright/testing'
import { createLocalBlobStore, type BlobStore, type LocalFileSystem } from '../src/index.js'
import { bytesOf, chunks, codeOf, hangingSource, keysOf, newKey, pattern, textOf } from './helpers.js'

async function temporaryRoot(t: Test): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'filewright-local-'))
  t.teardown(async () => await rm(root, { recursive: true, force: true }))
  return root
}

function storeAt(t: Test, root: string, fs?: LocalFileSystem): BlobStore {
  const store = createLocalBlobStore(fs === undefined ? { root } : { root, fs })
  t.teardown(async () => await store.close())
  return store
}

function errno(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code, syscall: 'test' })
}

/**
 * The real file system, with a log of the calls that matter for durability and an option to make one fail.
 */
function watchedFileSystem(failing: { call?: string; code?: string } = {}): {
  fs: LocalFileSystem
  calls: string[]
} {
  const calls: string[] = []
  const note = (call: string, path: string): void => {
    const place = /^[0-9A-Za-z]{22}-/.test(path.split('/').at(-1) ?? '')
      ? 'temporary'
      : /\/[0-9A-Za-z]\/[0-9A-Za-z]{22}$/.test(path)
        ? 'blob'
        : path.split('/').at(-1)
    calls.push(`${call} ${place?.length === 1 ? 'folder' : place}`)
    if (failing.call === calls.at(-1)) throw errno(failing.code ?? 'EIO')
  }
  const fs: LocalFileSystem = {
    ...nodeFs,
    link: async (from, to) => {
      note('link', String(to))
      await nodeFs.link(from, to)
    },
    unlink: async (path) => {
      await nodeFs.unlink(path)
      note('unlink', String(path))
    },
    open: async (path, flags, mode) => {
      note('open', String(path))
      const handle = await nodeFs.open(path, flags, mode)
      return new Proxy(handle, {
        get: (target, property) => {
          const value: unknown = Reflect.get(target, property, target)
          if (typeof value !== 'function') return value
          return async (...args: unknown[]) => {
            if (
              typeof property === 'string' &&
              ['write', 'writev', 'read', 'sync', 'datasync', 'stat'].includes(property)
            ) {
              note(property, String(path))
            }
            return await (value as (...args: unknown[]) => Promise<unknown>).apply(target, args)
          }
        }
      })
    }
  }
  return { fs, calls }
}

async function openFiles(root: string): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd')
  const targets = await Promise.all(
    descriptors.map(async (fd) => await nodeFs.readlink(`/proc/self/fd/${fd}`).catch(() => ''))
  )
  return targets.filter((target) => target.startsWith(root))
}

t.test('makes the bytes durable before the name, and the name before it resolves', async (t) => {
  const root = await temporaryRoot(t)
  const { fs, calls } = watchedFileSystem()
  const store = storeAt(t, join(root, 'blobs'), fs)

  await store.write(newKey(), chunks('some ', 'bytes'))

  const wanted = [
    'open temporary',
    'writev temporary',
    'datasync temporary',
    'sync blobs',
    'link blob',
    'sync folder'
  ]
  const seen = calls.slice(calls.indexOf('open temporary')).filter((call) => wanted.includes(call))
  t.strictSame(seen, wanted)
  t.ok(
    calls.indexOf('sync blobs') < calls.indexOf('open temporary'),
    'the new root is durable in its parent and its folders in it'
  )
  t.ok(
    calls.some((call) => call.startsWith('sync filewright-local-')),
    'the parent of the new root is synced'
  )
})

t.test("syncs only the blob's own folder once the folders are known", async (t) => {
  const root = await temporaryRoot(t)
  const { fs, calls } = watchedFileSystem()
  const store = storeAt(t, root, fs)
  const key = newKey()
  await store.write(key, chunks('x'))
  await store.remove(key)
  calls.length = 0

  await store.write(key, chunks('y'))

  t.strictSame([...calls].sort(), [
    'datasync temporary',
    'link blob',
    'open temporary',
    'sync folder',
    'unlink temporary',
    'writev temporary'
  ])
})

t.test('writes that end together share a folder sync that started after their links', async (t) => {
  const root = await temporaryRoot(t)
  const { fs, calls } = watchedFileSystem()
  const store = storeAt(t, root, fs)
  const ids = Array.from({ length: 40 }, newKey).map((key) => `A/${key.slice(2, -1)}A`)
  await store.write(ids[0]!, chunks('x'))
  calls.length = 0

  await Promise.all(ids.slice(1).map(async (key) => await store.write(key, chunks('x'))))

  t.ok(calls.filter((call) => call === 'sync folder').length < 39, 'fewer syncs than writes')
  t.ok(
    calls.lastIndexOf('sync folder') > calls.lastIndexOf('link blob'),
    'the last link is followed by a sync'
  )
  t.equal((await keysOf(store)).length, 40)
})

t.test('writes the rest when a disk writes only part of the data', async (t) => {
  const root = await temporaryRoot(t)
  const handles: string[] = []
  const store = storeAt(t, root, {
    ...nodeFs,
    open: async (path, flags, mode) => {
      const handle = await nodeFs.open(path, flags, mode)
      handle.writev = async (buffers) => {
        const bytes = Buffer.concat(buffers as unknown as Buffer[])
        const { bytesWritten } = await handle.write(bytes, 0, Math.ceil(bytes.length / 2))
        handles.push(`${bytesWritten} of ${bytes.length}`)
        return { bytesWritten, buffers }
      }
      return handle
    }
  })
  const key = newKey()
  const parts = Array.from({ length: 200 }, (_, i) => `${i},`.repeat(20 * i))

  await store.write(key, chunks(...parts))

  t.equal(await textOf(await store.read(key)), parts.join(''))
  t.ok(
    handles.length > 1 && handles.length < parts.length,
    'chunks that came while the disk was busy went together'
  )
})

t.test('passes on every chunk, once and in order, when the disk has it', async (t) => {
  const store = storeAt(t, await temporaryRoot(t))
  const given = Array.from({ length: 50 }, (_, i) => pattern(10_000 + i))
  const written: Uint8Array[] = []

  await store.write(newKey(), chunks(...given), { onWritten: (chunk) => written.push(chunk) })

  t.equal(written.length, given.length)
  t.ok(written.every((chunk, i) => chunk === given[i]))
})

t.test('passes on no chunk that a thread may still be writing, also after an abort', async (t) => {
  const root = await temporaryRoot(t)
  let finishWrite = (): void => {}
  const mayFinish = new Promise<void>((resolve) => {
    finishWrite = resolve
  })
  const writing = new AbortController()
  let isWriting = false
  const fs: LocalFileSystem = {
    ...nodeFs,
    open: async (path, flags, mode) => {
      const handle = await nodeFs.open(path, flags, mode)
      return new Proxy(handle, {
        get: (target, property) => {
          const value: unknown = Reflect.get(target, property, target)
          if (typeof value !== 'function') return value
          return async (...args: unknown[]) => {
            if (property === 'writev') {
              isWriting = true
              await mayFinish
            }
            return await (value as (...args: unknown[]) => Promise<unknown>).apply(target, args)
          }
        }
      })
    }
  }
  const store = storeAt(t, root, fs)
  const written: Uint8Array[] = []
  const upload = store.write(newKey(), hangingSource(pattern(10_000)), {
    signal: writing.signal,
    onWritten: (chunk) => written.push(chunk)
  })
  const code = codeOf(upload)
  await poll(() => isWriting)

  writing.abort()
  for (let turns = 0; turns < 20; turns++) await nextTurn()

  t.strictSame(written, [])
  finishWrite()
  t.equal(await code, 'CANCELLED')
  t.equal(written.length, 1)
})

t.test('a full disk ends the read of an endless source', async (t) => {
  const root = await temporaryRoot(t)
  const store = storeAt(t, root, watchedFileSystem({ call: 'writev temporary', code: 'ENOSPC' }).fs)
  let taken = 0
  async function* endless(): AsyncGenerator<Buffer> {
    for (;;) {
      taken++
      yield Buffer.from('x')
      await nextTurn()
    }
  }

  await t.rejects(store.write(newKey(), endless()), { code: 'STORAGE_UNAVAILABLE' })
  t.ok(taken < 100, `${taken} chunks taken`)
  t.strictSame(await readdir(join(root, 'tmp')), [])
})

t.test('a full disk is reported even if the client has stopped sending', async (t) => {
  const root = await temporaryRoot(t)
  const store = storeAt(t, root, watchedFileSystem({ call: 'writev temporary', code: 'ENOSPC' }).fs)

  await t.rejects(store.write(newKey(), hangingSource(Buffer.from('x'))), { code: 'STORAGE_UNAVAILABLE' })
})

for (const [call, code] of [
  ['open temporary', 'EMFILE'],
  ['writev temporary', 'ENOSPC'],
  ['datasync temporary', 'EIO'],
  ['link blob', 'EROFS'],
  ['sync folder', 'EIO']
] as const) {
  t.test(
    `fails with STORAGE_UNAVAILABLE, leaves nothing and recovers when ${call} fails with ${code}`,
    async (t) => {
      const root = await temporaryRoot(t)
      const failing: { call?: string; code?: string } = { call, code }
      const store = storeAt(t, root, watchedFileSystem(failing).fs)
      const key = newKey()

      await t.rejects(store.write(key, chunks('x')), { code: 'STORAGE_UNAVAILABLE', retryable: true })

      t.strictSame(await keysOf(store), [])
      t.strictSame(await readdir(join(root, 'tmp')), [])
      t.strictSame(await openFiles(join(root, 'tmp')), [])
      delete failing.call
      t.strictSame(await store.write(key, chunks('x')), { sizeBytes: 1 })
    }
  )
}

for (const call of ['open blob', 'stat blob', 'read blob'] as const) {
  t.test(`rejects a read with STORAGE_UNAVAILABLE and keeps no file open when ${call} fails`, async (t) => {
    const root = await temporaryRoot(t)
    const store = storeAt(t, root, watchedFileSystem({ call, code: 'EIO' }).fs)
    const key = newKey()
    await store.write(key, chunks('x'))

    await t.rejects(store.read(key), { code: 'STORAGE_UNAVAILABLE', retryable: true })

    t.strictSame(await openFiles(join(root, key)), [])
  })
}

t.test('destroys the stream with STORAGE_UNAVAILABLE when the disk fails during a read', async (t) => {
  const root = await temporaryRoot(t)
  const failing: { call?: string } = {}
  const store = storeAt(t, root, watchedFileSystem(failing).fs)
  const key = newKey()
  await store.write(key, chunks(pattern(2_000_000)))
  const stream = await store.read(key)
  failing.call = 'read blob'

  t.equal(await codeOf(bytesOf(stream)), 'STORAGE_UNAVAILABLE')

  await poll(async () => (await openFiles(join(root, key))).length === 0, { what: 'the file to be closed' })
})

t.test('fails every call with STORAGE_UNAVAILABLE when the root cannot be a folder', async (t) => {
  const root = join(await temporaryRoot(t), 'file')
  await writeFile(root, 'not a folder')
  const store = storeAt(t, root)

  t.equal(await codeOf(store.write(newKey(), chunks('x'))), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(store.read(newKey())), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(store.stat(newKey())), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(store.remove(newKey())), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(keysOf(store)), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(store.sweepTemporary({ olderThan: new Date() })), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(store.probe()), 'STORAGE_UNAVAILABLE')
})

t.test('recovers when an unusable root becomes usable', async (t) => {
  const root = join(await temporaryRoot(t), 'root')
  await writeFile(root, 'in the way')
  const store = storeAt(t, root)
  t.equal(await codeOf(store.write(newKey(), chunks('x'))), 'STORAGE_UNAVAILABLE')

  await rm(root)

  await store.probe()
})

t.test('creates its folders again when they were removed from a running store', async (t) => {
  const root = await temporaryRoot(t)
  const store = storeAt(t, root)
  const key = newKey()
  await store.write(key, chunks('x'))

  await rm(join(root, key.slice(0, 1)), { recursive: true })
  t.strictSame(await store.write(key, chunks('y')), { sizeBytes: 1 })
  await rm(root, { recursive: true })
  t.strictSame(await store.write(key, chunks('z')), { sizeBytes: 1 })

  t.equal(await textOf(await store.read(key)), 'z')
})

t.test(
  'creates no new store in a folder that has lost its marker, such as an unmounted mount point',
  async (t) => {
    const root = join(await temporaryRoot(t), 'blobs')
    const store = storeAt(t, root)
    const [before, after] = [newKey(), newKey()]
    await store.marker.create('owner')
    await store.write(before, chunks('on the disk'))
    await nodeFs.rename(root, `${root}-unmounted`)

    t.equal(await codeOf(store.write(after, chunks('beside the disk'))), 'STORAGE_UNAVAILABLE')
    await t.rejects(stat(root), { code: 'ENOENT' }, 'not even a folder is made')
    await mkdir(root)
    t.equal(await codeOf(store.write(after, chunks('beside the disk'))), 'STORAGE_UNAVAILABLE')
    t.strictSame(await readdir(root), [], 'nor anything in the folder that was under it')

    await nodeFs.rmdir(root)
    await nodeFs.rename(`${root}-unmounted`, root)
    await store.write(after, chunks('on the disk again'))
    t.strictSame((await keysOf(store)).sort(), [before, after].sort())
  }
)

t.test('creates no secret in a folder that has lost its marker, and replaces no damaged one', async (t) => {
  const root = join(await temporaryRoot(t), 'blobs')
  const store = storeAt(t, root)
  await store.marker.create('owner')
  await nodeFs.rename(root, `${root}-unmounted`)

  t.equal(await codeOf(store.secret.ensure()), 'STORAGE_UNAVAILABLE')
  await t.rejects(stat(root), { code: 'ENOENT' })

  await nodeFs.rename(`${root}-unmounted`, root)
  await writeFile(join(root, '.filewright-secret'), 'short')
  t.equal(await codeOf(store.secret.read()), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(store.secret.ensure()), 'STORAGE_UNAVAILABLE')
  await nodeFs.unlink(join(root, '.filewright-secret'))
  t.equal((await store.secret.ensure()).length, 32)
  t.equal((await stat(join(root, '.filewright-secret'))).mode & 0o777, 0o600)
})

t.test('reports a marker that cannot be read or written as STORAGE_UNAVAILABLE, not as absent', async (t) => {
  const root = join(await temporaryRoot(t), 'file')
  await writeFile(root, 'not a folder')
  const store = storeAt(t, root)

  t.equal(await codeOf(store.marker.read()), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(store.marker.create('owner')), 'STORAGE_UNAVAILABLE')
  t.equal(await codeOf(store.marker.replace('owner')), 'STORAGE_UNAVAILABLE')
})

t.test('makes files readable only by their owner', async (t) => {
  const root = join(await temporaryRoot(t), 'blobs')
  const store = storeAt(t, root)
  const key = newKey()

  await store.write(key, chunks('x'))

  const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777
  t.equal(await modeOf(root), 0o700)
  t.equal(await modeOf(join(root, 'tmp')), 0o700)
  t.equal(await modeOf(join(root, key.slice(0, 1))), 0o700)
  t.equal(await modeOf(join(root, key)), 0o600)
})

t.test('writes nothing outside its root and follows no symbolic link out of it', async (t) => {
  const parent = await temporaryRoot(t)
  const store = storeAt(t, join(parent, 'blobs'))
  const key = newKey()
  await store.write(newKey(), chunks('x'))
  await writeFile(join(parent, 'secret'), 'secret')
  await mkdir(join(parent, 'blobs', key.slice(0, 1)), { recursive: true })
  await symlink(join(parent, 'secret'), join(parent, 'blobs', key))

  t.equal(await codeOf(store.read(key)), 'STORAGE_UNAVAILABLE')
  t.equal(await store.stat(key), null)
  t.equal(await codeOf(store.write(key, chunks('over'))), 'BLOB_EXISTS')
  t.equal(await codeOf(store.write('../secret', chunks('over'))), 'INVALID_FIELD')

  t.equal(await readFile(join(parent, 'secret'), 'utf8'), 'secret')
  t.strictSame((await readdir(parent)).sort(), ['blobs', 'secret'])
})

t.test('lists only blobs, whatever else is in the root', async (t) => {
  const root = await temporaryRoot(t)
  const store = storeAt(t, root)
  const key = newKey()
  await store.write(key, chunks('x'))
  await writeFile(join(root, key.slice(0, 1), 'notes.txt'), 'x')
  await writeFile(join(root, 'README'), 'x')
  await mkdir(join(root, 'lost+found'))

  t.strictSame(await keysOf(store), [key])
})

t.test('closes file descriptors however readers stop', async (t) => {
  const root = await temporaryRoot(t)
  const store = storeAt(t, root)
  const key = newKey()
  await store.write(key, chunks(pattern(3_000_000)))
  const leavers = await Promise.all(Array.from({ length: 60 }, async () => await store.read(key)))

  t.equal((await openFiles(join(root, key))).length, 60)
  for (const [index, stream] of leavers.entries()) {
    if (index % 3 === 0) stream.destroy()
    else if (index % 3 === 1) {
      stream.once('data', () => stream.destroy())
    } else stream.resume()
  }

  await poll(async () => (await openFiles(join(root, key))).length === 0, { what: 'the files to be closed' })
})

t.test('reports a blob that became shorter during a read as damaged', async (t) => {
  const root = await temporaryRoot(t)
  const store = storeAt(t, root)
  const key = newKey()
  await store.write(key, chunks(pattern(3_000_000)))
  const stream = await store.read(key)

  await truncate(join(root, key), 1_000_000)

  t.equal(await codeOf(bytesOf(stream)), 'BLOB_CORRUPT')
})

t.test('sweeps the leftovers of a killed writer, does not list them, and keeps running writes', async (t) => {
  const root = await temporaryRoot(t)
  const writer = spawn(
    process.execPath,
    [fileURLToPath(new URL('./hanging-writer.js', import.meta.url)), root],
    { stdio: ['ignore', 'pipe', 'inherit'] }
  )
  t.teardown(() => {
    writer.kill('SIGKILL')
  })
  await poll(
    async () => {
      const [name] = await readdir(join(root, 'tmp'))
      return name !== undefined && (await stat(join(root, 'tmp', name))).size > 0
    },
    { what: 'the writer to have written' }
  )
  const exited = once(writer, 'exit')
  writer.kill('SIGKILL')
  await exited
  const store = storeAt(t, root)
  const [leftover] = await readdir(join(root, 'tmp'))
  const anHourAgo = new Date(Date.now() - 3_600_000)

  t.strictSame(await keysOf(store), [])
  t.equal(await store.sweepTemporary({ olderThan: anHourAgo }), 0, 'too young')
  await utimes(join(root, 'tmp', leftover!), anHourAgo, new Date(anHourAgo.getTime() - 1_000))
  t.equal(await store.sweepTemporary({ olderThan: anHourAgo }), 1)
  t.strictSame(await readdir(join(root, 'tmp')), [])
})

t.test('sweeps nothing where nothing was ever written', async (t) => {
  const store = storeAt(t, join(await temporaryRoot(t), 'never'))

  t.equal(await store.sweepTemporary({ olderThan: new Date() }), 0)
})

t.test('closes its folders on close and reopens them when used again', async (t) => {
  const root = await temporaryRoot(t)
  const store = storeAt(t, root)
  await store.probe()

  await store.close()

  t.strictSame(await openFiles(root), [])
  await store.probe()
})

t.test(
  'fails with STORAGE_UNAVAILABLE when the root is not writable',
  { skip: process.getuid?.() === 0 ? 'root may write anywhere' : false },
  async (t) => {
    const root = await temporaryRoot(t)
    await chmod(root, 0o500)

    t.equal(await codeOf(storeAt(t, root).write(newKey(), chunks('x'))), 'STORAGE_UNAVAILABLE')
  }
)
