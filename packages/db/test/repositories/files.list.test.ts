import t from 'tap'
import { createDatabase } from '../../src/index.js'
import { MAX_COUNTED_MATCHES } from '../../src/repositories/files.list.js'
import { insertPending, insertReady, insertScanning, openDatabase } from '../helpers/database.js'

t.setTimeout(600_000)

const { db, server } = await openDatabase(t)
const all = { page: 1, limit: 100 }

t.test('lists newest first, then by id, whatever the order of insertion', async (t) => {
  const older = new Date('2026-01-01T00:00:00.000Z')
  const newer = new Date('2026-01-01T00:00:00.001Z')
  const files = [
    await insertReady(db, 'order', { at: newer }),
    ...(await Promise.all([1, 2, 3].map(async () => await insertReady(db, 'order', { at: older }))))
  ]
  const expected = files.sort(
    (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1)
  )

  const { files: listed, total } = await db.files.list({ projectId: 'order', ...all })

  t.strictSame(listed, expected)
  t.equal(total, 4)
})

t.test(
  'pages neither overlap nor miss a file, and the total is the same on each, past the end too',
  async (t) => {
    const at = new Date('2026-01-01T00:00:00.000Z')
    const ids = (
      await Promise.all(Array.from({ length: 7 }, async () => await insertReady(db, 'paged', { at })))
    ).map(({ id }) => id)

    const pages = await Promise.all(
      [1, 2, 3, 4].map(async (page) => await db.files.list({ projectId: 'paged', page, limit: 3 }))
    )

    t.strictSame(
      pages.map(({ files }) => files.length),
      [3, 3, 1, 0]
    )
    t.strictSame(
      pages.map(({ total }) => total),
      [7, 7, 7, 7]
    )
    t.strictSame(new Set(pages.flatMap(({ files }) => files.map(({ id }) => id))), new Set(ids))
  }
)

for (const by of ['createdAt', 'name', 'sizeBytes'] as const) {
  for (const descending of [false, true]) {
    t.test(
      `pages by key, ${descending ? 'descending' : 'ascending'} by ${by}, neither skip nor repeat a file while others are added and deleted`,
      async (t) => {
        const projectId = `walked-${by}-${descending}`
        // Many have the same key: then the id decides.
        const insert = async (i: number) =>
          await insertReady(db, projectId, {
            name: `Name ${i % 3}`,
            sizeBytes: i % 3,
            at: new Date(1_767_225_600_000 + (i % 3)),
            folder: i % 2 === 0 ? 'a' : 'b'
          })
        for (let i = 0; i < 24; i++) await insert(i)
        const order = { by, descending }
        const list = async (options: object) =>
          await db.files.list({ projectId, order, page: 1, limit: 100, ...options })

        for (const [what, part] of [
          ['all', {}],
          ['a folder', { folder: 'a' }],
          ['a type', { filter: { kind: 'document' } }],
          ['a search', { search: 'NAME' }]
        ] as const) {
          const expected = (await list(part)).files.map(({ id }) => id)
          const seen: string[] = []
          const gone = new Set<string>()
          let after: { key: Date | string | number; id: string } | undefined
          while (true) {
            const { files } = await list({ ...part, limit: 5, ...(after && { after }) })
            seen.push(...files.map(({ id }) => id))
            const last = files.at(-1)
            if (last === undefined) break
            after = { key: last[by], id: last.id }
            // The cursor's own file, and one on an earlier page.
            for (const id of [last.id, seen[0] ?? '']) {
              gone.add(id)
              await db.files.markDeleting(id)
            }
            await insert(seen.length)
          }

          t.equal(new Set(seen).size, seen.length, `${what}: none twice`)
          t.strictSame(
            expected.filter((id) => !gone.has(id) && !seen.includes(id)),
            [],
            `${what}: none missing`
          )
        }
      }
    )
  }
}

t.test('the total returned with a page by key is that of the whole list', async (t) => {
  for (let i = 0; i < 3; i++) await insertReady(db, 'walked-total', { folder: 'f' })
  for (const part of [{}, { folder: 'f' }, { search: 'report' }]) {
    const first = await db.files.list({ projectId: 'walked-total', ...part, page: 1, limit: 2 })
    const last = first.files.at(-1)
    const after = { key: last?.createdAt ?? 0, id: last?.id ?? '' }

    t.match(await db.files.list({ projectId: 'walked-total', ...part, page: 1, limit: 2, after }), {
      files: { length: 1 },
      total: 3
    })
  }
})

t.test('the highest possible page number returns an empty page, not an error', async (t) => {
  await insertReady(db, 'far')

  t.strictSame(await db.files.list({ projectId: 'far', page: Number.MAX_SAFE_INTEGER, limit: 100 }), {
    files: [],
    total: 1
  })
})

t.test('an unknown project lists nothing', async (t) => {
  t.strictSame(await db.files.list({ projectId: 'nobody', ...all }), { files: [], total: 0 })
})

t.test('shows only ready files, and only those of the project', async (t) => {
  const ready = await insertReady(db, 'mixed')
  const deleting = await insertReady(db, 'mixed')
  await db.files.markDeleting(deleting.id)
  await insertScanning(db, 'mixed')
  await insertPending(db)
  await insertReady(db, 'mixed-up')

  t.strictSame(await db.files.list({ projectId: 'mixed', ...all }), { files: [ready], total: 1 })
})

t.test(
  'a folder means exactly that folder, the root included; no folder means the whole project',
  async (t) => {
    const root = await insertReady(db, 'folders')
    const a = await insertReady(db, 'folders', { folder: 'a' })
    await insertReady(db, 'folders', { folder: 'a/b' })

    t.strictSame((await db.files.list({ projectId: 'folders', folder: '', ...all })).files, [root])
    t.strictSame((await db.files.list({ projectId: 'folders', folder: 'a', ...all })).files, [a])
    t.equal((await db.files.list({ projectId: 'folders', ...all })).total, 3)
  }
)

t.test('filters by kind, by exact type and by the beginning of the type, also within a folder', async (t) => {
  const png = await insertReady(db, 'filters', { type: 'image/png', kind: 'image' })
  const gif = await insertReady(db, 'filters', { type: 'image/gif', kind: 'image', folder: 'f' })
  await insertReady(db, 'filters', { type: 'text/plain', kind: 'document' })
  const ids = async (filter: Parameters<typeof db.files.list>[0]['filter'], folder?: string) => {
    const { files, total } = await db.files.list({
      projectId: 'filters',
      ...(filter && { filter }),
      ...(folder !== undefined && { folder }),
      ...all
    })
    t.equal(total, files.length)
    return new Set(files.map(({ id }) => id))
  }

  t.strictSame(await ids({ kind: 'image' }), new Set([png.id, gif.id]))
  t.strictSame(await ids({ type: 'image/png' }), new Set([png.id]))
  t.strictSame(await ids({ type: 'image' }), new Set())
  t.strictSame(await ids({ typePrefix: 'image/' }), new Set([png.id, gif.id]))
  t.strictSame(await ids({ typePrefix: 'image/' }, 'f'), new Set([gif.id]))
})

t.test('wildcards of SQL in a type prefix are ordinary characters', async (t) => {
  await insertReady(db, 'wild', { type: 'image/png' })

  for (const typePrefix of ['%', 'imag_/', 'image%', '\\', "' OR true --"]) {
    t.equal((await db.files.list({ projectId: 'wild', filter: { typePrefix }, ...all })).total, 0, typePrefix)
  }
})

t.test('sorts by name, size and time, and by id among equals', async (t) => {
  const b = await insertReady(db, 'sorted', { name: 'b', sizeBytes: 1 })
  const a = await insertReady(db, 'sorted', { name: 'a', sizeBytes: 2 })
  const others = [
    await insertReady(db, 'sorted', { name: 'c', sizeBytes: 3 }),
    await insertReady(db, 'sorted', { name: 'c', sizeBytes: 3 })
  ]
  const [lower, higher] = others.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const ids = async (by: 'name' | 'sizeBytes' | 'createdAt', descending: boolean) =>
    (await db.files.list({ projectId: 'sorted', order: { by, descending }, ...all })).files.map(
      ({ id }) => id
    )

  t.strictSame(await ids('name', false), [a.id, b.id, lower?.id, higher?.id])
  t.strictSame(await ids('name', true), [higher?.id, lower?.id, b.id, a.id])
  t.strictSame(await ids('sizeBytes', false), [b.id, a.id, lower?.id, higher?.id])
  t.strictSame((await ids('createdAt', false)).slice(0, 2), [b.id, a.id])
})

t.test(
  'a search finds parts of names in any case, and treats wildcards as ordinary characters',
  async (t) => {
    for (const name of ['Report 2026.pdf', 'report_final.txt', '100%.csv', 'back\\slash', 'Übung.md']) {
      await insertReady(db, 'searched', { name })
    }
    const found = async (search: string) => {
      const { files, total } = await db.files.list({
        projectId: 'searched',
        search,
        order: { by: 'name', descending: false },
        ...all
      })
      t.equal(total, files.length)
      return files.map(({ name }) => name).sort()
    }

    t.strictSame(await found('REPORT'), ['Report 2026.pdf', 'report_final.txt'])
    t.strictSame(await found('t_f'), ['report_final.txt'])
    t.strictSame(await found('%'), ['100%.csv'])
    t.strictSame(await found('\\'), ['back\\slash'])
    t.strictSame(await found('bung'), ['Übung.md'])
    t.strictSame(await found('nothing'), [])
  }
)

t.test('a search with more matches than are counted still returns its pages in order', async (t) => {
  const COUNT = MAX_COUNTED_MATCHES + 5
  await server.query(`
    INSERT INTO files (id, project_id, state, name, size_bytes, sha256, type, kind, blob_key, created_at, scanned_at)
    SELECT 'many-' || i, 'many', 'ready', 'file-' || lpad(i::text, 6, '0'), i, 'a', 'text/plain', 'document', 'x', now(), now()
    FROM generate_series(1, ${COUNT}) i`)
  const page = async (number: number, descending = false) =>
    await db.files.list({
      projectId: 'many',
      search: 'FILE',
      order: { by: 'name', descending },
      page: number,
      limit: 2
    })

  t.match(await page(1), { total: MAX_COUNTED_MATCHES, files: [{ sizeBytes: 1 }, { sizeBytes: 2 }] })
  t.match(await page(3, true), { files: [{ sizeBytes: COUNT - 4 }, { sizeBytes: COUNT - 5 }] })
  const after = { key: 'file-005000', id: 'many-5000' }
  t.match(
    await db.files.list({
      projectId: 'many',
      search: 'FILE',
      order: { by: 'name', descending: false },
      page: 1,
      limit: 2,
      after
    }),
    { total: MAX_COUNTED_MATCHES, files: [{ sizeBytes: 5_001 }, { sizeBytes: 5_002 }] }
  )
})

t.test('the total of a project follows every change of state, however many happen at once', async (t) => {
  const total = async (): Promise<number> => (await db.files.list({ projectId: 'counted', ...all })).total
  const files = await Promise.all(
    Array.from({ length: 30 }, async (_, i) => await insertReady(db, i % 2 === 0 ? 'counted' : 'counted-too'))
  )
  t.equal(await total(), 15)

  const mine = files.filter(({ projectId }) => projectId === 'counted')
  await Promise.all([
    ...mine.slice(0, 5).map(async ({ id }) => await db.files.markDeleting(id)),
    ...mine.slice(5, 7).map(async ({ id }) => await db.files.withdraw(id)),
    db.files.markQuarantined(mine[7]?.id ?? '', { engine: 'e', signature: 's', at: new Date() }, 'stored'),
    insertReady(db, 'counted')
  ])
  t.equal(await total(), 8)
  await db.files.remove(mine[0]?.id ?? '')
  t.equal(await total(), 8, 'a row that was not ready any more does not count twice')

  await server.query("DELETE FROM files WHERE project_id = 'counted'")
  t.equal(await total(), 0, "also behind the repository's back")
})

t.test('the maintained total equals the counted total', async (t) => {
  const [{ counted, kept }] = (
    await server.query<{ counted: number; kept: number }>(
      "SELECT (SELECT count(*) FROM files WHERE state = 'ready')::int AS counted, (SELECT sum(ready) FROM project_file_counts)::int AS kept"
    )
  ).rows as [{ counted: number; kept: number }]

  t.equal(kept, counted)
})

t.test('a token that lists as fast as it can does not keep another one waiting', async (t) => {
  await insertReady(db, 'greedy')
  // On one connection, statements are answered in the order of their turns, however busy the machine is.
  const one = createDatabase({
    url: server.url,
    poolSize: 1,
    connectTimeoutMs: 30_000,
    statementTimeoutMs: 30_000
  })
  t.teardown(one.close)
  const SENT = 300
  let answered = 0
  const greedy = Promise.all(
    Array.from({ length: SENT }, async () => {
      await one.files.list({ projectId: 'greedy', ...all }, 'token-a')
      answered++
    })
  )

  await one.files.list({ projectId: 'modest', ...all }, 'token-b')
  const before = answered

  // Without turns, it would be all of them.
  t.ok(before <= 2, `${before} of ${SENT} went before`)
  await greedy
})
