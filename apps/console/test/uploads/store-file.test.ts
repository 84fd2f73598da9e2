import t from 'tap'
import { NotFoundError, ServiceError, type Filewright } from '@filewright/client/browser'
import { createFileStore, numbered } from '../../src/uploads/store-file.js'

const target = { projectId: 'p', folder: 'a' }
const ended = new AbortController().signal

/** A folder with files by id, and a log of the operations on it. */
function startFolder(
  names: Record<string, string>,
  total = Object.keys(names).length,
  onStored = (): void => {}
) {
  const stored = new Map(Object.entries(names))
  const log: string[] = []
  const moved = new Set<string>()
  const fail = { upload: false, delete: undefined as Error | undefined }
  const filesOf = (search = ''): Array<{ id: string; name: string }> =>
    [...stored].map(([id, name]) => ({ id, name })).filter(({ name }) => name.includes(search))
  const files = {
    list: async () => ({ files: filesOf(), pagination: { page: 1, limit: 100, total } }),
    iterate: async function* ({ search }: { search?: string }) {
      log.push(`search ${search ?? 'all'}`)
      yield* filesOf(search)
    },
    upload: async (file: File, { name = file.name }: { name?: string }) => {
      if (fail.upload) throw new ServiceError('no', { code: 'x', status: 503 })
      const id = `new-${stored.size}`
      stored.set(id, name)
      log.push(`upload ${name}`)
      onStored()
      return { id, name }
    },
    get: async (id: string, { signal }: { signal?: AbortSignal } = {}) => {
      signal?.throwIfAborted()
      const name = stored.get(id)
      if (name === undefined) throw new NotFoundError('gone', { code: 'x', status: 404 })
      return { id, name, folder: moved.has(id) ? 'elsewhere' : target.folder }
    },
    delete: async (id: string, { signal }: { signal?: AbortSignal } = {}) => {
      signal?.throwIfAborted()
      if (fail.delete !== undefined) throw fail.delete
      stored.delete(id)
      log.push(`delete ${id}`)
    }
  }
  const api = { files } as unknown as Pick<Filewright, 'files'>
  return { stored, moved, log, fail, ...createFileStore(api, ended) }
}

const file = new File(['x'], 'a.txt')

t.test('numbers are inserted before the last extension', async (t) => {
  t.strictSame(
    ['a.txt', 'a', '.env', 'a.tar.gz'].map((name) => numbered(name, 2)),
    ['a (2).txt', 'a (2)', '.env (2)', 'a.tar (2).gz']
  )
  const long = `${'é'.repeat(125)}x.txt`
  t.ok(Buffer.byteLength(numbered(long, 2)) <= 255, 'a long name gets shorter')
  t.match(numbered(long, 2), /é \(2\)\.txt$/)
})

t.test('replacing deletes every old file of that name, after the new one is stored', async (t) => {
  const { store, log, stored } = startFolder({ one: 'a.txt', two: 'a.txt', other: 'b.txt' })

  await t.rejects(store(file, target, {}), { name: 'NameTakenError' })
  t.strictSame(log, [])
  await store(file, target, { resolution: 'replace' })

  t.strictSame(log, ['upload a.txt', 'delete one', 'delete two'])
  t.strictSame([...stored.values()], ['b.txt', 'a.txt'])
})

t.test('cancelling comes too late once the new file is stored', async (t) => {
  const abort = new AbortController()
  const { store, log } = startFolder({ one: 'a.txt' }, undefined, () => {
    abort.abort()
  })

  await store(file, target, { resolution: 'replace', signal: abort.signal })

  t.strictSame(log, ['upload a.txt', 'delete one'])
})

t.test('replacing keeps a file that was renamed or moved since its name was read', async (t) => {
  const { store, log, stored, moved } = startFolder({ one: 'a.txt', two: 'a.txt', three: 'a.txt' })

  await t.rejects(store(file, target, {}), { name: 'NameTakenError' })
  stored.set('one', 'kept.txt')
  moved.add('two')
  await store(file, target, { resolution: 'replace' })

  t.strictSame(log, ['upload a.txt', 'delete three'])
})

t.test('a folder before the name is not part of it, as on the service', async (t) => {
  const { store } = startFolder({ one: 'a.txt' })

  for (const name of ['src/a.txt', 'src\\a.txt']) {
    await t.rejects(store(new File(['x'], name), target, {}), { name: 'NameTakenError' }, name)
  }
})

t.test('an upload that fails leaves the old file, and a failed deletion is reported', async (t) => {
  const { store, log, fail } = startFolder({ one: 'a.txt' })

  fail.upload = true
  await t.rejects(store(file, target, { resolution: 'replace' }), { name: 'ServiceError' })
  t.strictSame(log, [])
  fail.upload = false
  fail.delete = new ServiceError('no', { code: 'x', status: 503 })
  await t.rejects(store(file, target, { resolution: 'replace' }), { name: 'NotReplacedError' })
  t.strictSame(log, ['upload a.txt'])
  fail.delete = new NotFoundError('gone', { code: 'x', status: 404 })
  await store(file, target, { resolution: 'replace' })
})

t.test('in a large folder, each name is looked up at the service', async (t) => {
  const { store, log } = startFolder({ one: 'a.txt', two: 'a.txt.bak' }, 50_000)

  await t.rejects(store(file, target, {}), { name: 'NameTakenError' })
  await store(file, target, { resolution: 'keep-both' })

  t.strictSame(log, ['search a.txt', 'search a.txt', 'search a (2).txt', 'upload a (2).txt'])
})

t.test('a decomposed name counts as the same name', async (t) => {
  const { store } = startFolder({ one: 'é.txt'.normalize('NFC') })

  await t.rejects(store(new File(['x'], 'é.txt'.normalize('NFD')), target, {}), { name: 'NameTakenError' })
})
