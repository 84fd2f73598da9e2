import pg from 'pg'
import t from 'tap'
import { createId } from '@filewright/runtime'
import { createDatabase, type Database, type UploadQuotas } from '../../src/index.js'
import { poll } from '@filewright/testing'
import { inMinutes, insertReady, openDatabase, uploadOf, type TestScope } from '../helpers/database.js'

t.setTimeout(600_000)

const { db, server } = await openDatabase(t)
const { files, quotas, idempotency } = db
const verdict = { engine: 'test/1', at: new Date() }
const NONE = { maxFiles: null, maxBytes: null }

const limits = (
  project: Partial<UploadQuotas['project']>,
  token: Partial<UploadQuotas['token']> = {}
): UploadQuotas => ({ project: { ...NONE, ...project }, token: { ...NONE, ...token } })

async function scanning(projectId: string, { tokenId = createId(), sizeBytes = 10 } = {}): Promise<string> {
  const id = createId()
  await files.insertPending({ id, blobKey: `blobs/${id}`, tokenId, leaseExpiresAt: inMinutes(1) })
  await files.markScanning(id, uploadOf(projectId, { sizeBytes }))
  return id
}

async function publish(id: string, allowed: UploadQuotas): Promise<string> {
  const { file, refusal } = await files.publish(id, verdict, { quotas: allowed })
  if (file !== null) return 'published'
  return refusal === null ? 'lost' : `${refusal.of} ${refusal.unit}`
}

t.test(
  'exactly as many of fifty concurrent uploads are published as the quota allows, over several connections',
  async (t) => {
    for (const [name, allowed] of Object.entries({
      'project files': limits({ maxFiles: 10 }),
      'project bytes': limits({ maxBytes: 109 }),
      'token files': limits({}, { maxFiles: 10 }),
      'token bytes': limits({}, { maxBytes: 109 })
    })) {
      const tokenId = createId()
      const project = createId()
      // A token's files, each in its own project: only the token connects them.
      const projectOf = (): string => (name.startsWith('project') ? project : createId())
      const ids = await Promise.all(
        Array.from({ length: 50 }, async () => await scanning(projectOf(), { tokenId }))
      )
      // Two gateways, each with its own batches and connections.
      const other = await openOther(t)
      await Promise.all([db, other].flatMap((each) => Array.from({ length: 4 }, each.ping)))

      const results = await Promise.all(
        ids.map(async (id, i) => {
          const { file, refusal } = await (i % 2 === 0 ? files : other.files).publish(id, verdict, {
            quotas: allowed
          })
          return file !== null ? 'published' : `${refusal?.of} ${refusal?.unit}`
        })
      )

      t.equal(results.filter((result) => result === 'published').length, 10, name)
      t.equal(results.filter((result) => result === name).length, 40, name)
      const used = name.startsWith('project')
        ? await quotas.usedByProject(project, 'token-1')
        : await quotas.usedByToken(tokenId)
      t.match(used, { files: 10, bytes: 100 }, name)
    }
  }
)

t.test('an upload waits for an uncommitted one that uses up the quota, and is then refused', async (t) => {
  for (const whose of ['project', 'token']) {
    const [project, tokenId] = [createId(), createId()]
    const projectOf = (): string => (whose === 'project' ? project : createId())
    const [first, second] = [
      await scanning(projectOf(), { tokenId }),
      await scanning(projectOf(), { tokenId })
    ]
    const [one, two] = [await connect(t), await connect(t)]
    const ask = async (client: pg.Client, id: string): Promise<unknown> => {
      const ofProject = whose === 'project' ? '{1}' : '{NULL}'
      const ofToken = whose === 'token' ? '{1}' : '{NULL}'
      const text =
        "SELECT refusal FROM publish_files_within_quota($1, '{test/1}', ARRAY[now()], $2, '{NULL}', $3, '{NULL}')"
      return (await client.query(text, [[id], ofProject, ofToken])).rows
    }
    await one.query('BEGIN')
    t.strictSame(await ask(one, first), [{ refusal: null }])

    let answered = false
    const asking = ask(two, second).finally(() => {
      answered = true
    })
    await poll(async () => answered || (await waitsForLock(two)), {
      what: 'the second to wait',
      timeoutMs: 30_000
    })

    t.notOk(answered, whose)
    await one.query('COMMIT')
    t.strictSame(await asking, [{ refusal: `${whose} files` }])
  }
})

t.test('a file that is later deleted, withdrawn or found infected frees its space', async (t) => {
  const one = limits({ maxFiles: 1 })
  const project = createId()
  const [first, second, third, fourth] = [
    await scanning(project),
    await scanning(project),
    await scanning(project),
    await scanning(project)
  ]
  t.equal(await publish(first, one), 'published')
  t.equal(await publish(second, one), 'project files')

  await files.markDeleting(first)
  t.equal(await publish(second, one), 'published')
  await files.withdraw(second)
  t.equal(await publish(third, one), 'published')
  await files.markQuarantined(third, { ...verdict, signature: 'Eicar' }, 'stored')
  t.equal(await publish(fourth, one), 'published')

  await files.markDeleting(fourth)
  t.match(await quotas.usedByProject(project, 'token-1'), { files: 0, bytes: 0 })
})

t.test('a quota can be used up to the last byte, and then refuses even an empty file', async (t) => {
  const allowed = limits({ maxBytes: 25 })
  const project = createId()

  t.equal(await publish(await scanning(project, { sizeBytes: 20 }), allowed), 'published')
  t.equal(await publish(await scanning(project, { sizeBytes: 6 }), allowed), 'project bytes')
  t.equal(await publish(await scanning(project, { sizeBytes: 0 }), allowed), 'published')
  t.equal(await publish(await scanning(project, { sizeBytes: 5 }), allowed), 'published')
  t.equal(await publish(await scanning(project, { sizeBytes: 0 }), allowed), 'project bytes')
})

t.test(
  'a published file is the same as without a quota, and a row that is no longer scanning is lost',
  async (t) => {
    const id = await scanning('quota-record')

    const { file } = await files.publish(id, verdict, { quotas: limits({ maxFiles: 5 }) })

    t.strictSame(file, await files.findReady(id))
    t.equal(await publish(id, limits({ maxFiles: 5 })), 'lost')
    t.equal(await publish(createId(), limits({ maxFiles: 5 })), 'lost')
  }
)

t.test('with a key, file and response appear together, or neither when the quota is used up', async (t) => {
  const project = createId()
  const allowed = limits({ maxFiles: 1 })
  const attempt = async () => {
    const attemptId = await scanning(project)
    const holder = { tokenId: 'token-1', key: createId(), attemptId }
    const claim = {
      ...holder,
      route: 'POST /x',
      fingerprint: null,
      now: new Date(),
      leaseExpiresAt: inMinutes(1),
      expiresAt: inMinutes(60)
    }
    await idempotency.claim(claim)
    const key = { holder, completion: { fingerprint: 'f', answer: '{}' } }
    return { holder, result: await files.publish(attemptId, verdict, { quotas: allowed, key }) }
  }

  const first = await attempt()
  t.equal(first.result.file?.state, 'ready')
  t.match(await idempotency.find('token-1', first.holder.key), { answer: '{}' })
  const second = await attempt()
  t.strictSame(second.result, { file: null, refusal: { of: 'project', unit: 'files' } })
  t.match(await idempotency.find('token-1', second.holder.key), { answer: null })

  const stranger = {
    holder: { ...first.holder, attemptId: 'other' },
    completion: { fingerprint: 'f', answer: '{}' }
  }
  const lost = await files.publish(await scanning(project), verdict, {
    quotas: limits({ maxFiles: 9 }),
    key: stranger
  })
  t.strictSame(lost, { file: null, refusal: null })
})

t.test('quotas are set, changed individually, and removed', async (t) => {
  const id = createId()
  t.strictSame(await quotas.ofProject(id), { ...NONE, storageClass: null })

  t.strictSame(await quotas.setProject(id, { maxFiles: 5 }), { maxFiles: 5, maxBytes: null })
  t.strictSame(await quotas.setProject(id, { maxBytes: 10 * 1024 ** 4 }), {
    maxFiles: 5,
    maxBytes: 10 * 1024 ** 4
  })
  t.strictSame(await quotas.setProject(id, { maxFiles: null }), { maxFiles: null, maxBytes: 10 * 1024 ** 4 })
  t.strictSame(await quotas.ofProject(id), {
    maxFiles: null,
    maxBytes: 10 * 1024 ** 4,
    storageClass: null
  })

  const token = await db.tokens.create({
    id: createId(),
    name: 'q',
    hash: createId(),
    projects: ['*'],
    quota: { maxFiles: 3, maxBytes: 0 }
  })
  t.match(await db.tokens.findByHash(token.hash), { maxFiles: 3, maxBytes: 0 })
  t.strictSame(await quotas.setToken(token.id, { maxFiles: null }), { maxFiles: null, maxBytes: 0 })
  t.match(
    (await db.tokens.list()).find(({ id }) => id === token.id),
    { maxFiles: null, maxBytes: 0 }
  )
  t.equal(await quotas.setToken('unknown', { maxFiles: 1 }), null)
})

t.test('the usage of a project and a token matches their files, whatever happened to them', async (t) => {
  const project = createId()
  const kept = await Promise.all(
    Array.from({ length: 20 }, async (_, i) => await insertReady(db, project, { sizeBytes: i }))
  )
  await Promise.all(kept.slice(0, 7).map(async ({ id }) => await files.markDeleting(id)))

  const { files: count, bytes } = (await db.projects.usage(project))!
  t.match(await quotas.usedByProject(project, 'token-1'), { files: count, bytes })
  t.strictSame({ count, bytes }, { count: 13, bytes: 169 })
})

async function connect(t: TestScope): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  t.teardown(async () => await client.end())
  return client
}

async function waitsForLock(client: pg.Client): Promise<boolean> {
  const { rows } = await server.query(
    `SELECT 1 FROM pg_locks WHERE NOT granted AND pid = ${(client as { processID?: number }).processID ?? 0}`
  )
  return rows.length > 0
}

async function openOther(t: TestScope): Promise<Database> {
  const other = createDatabase({
    url: server.url,
    connectTimeoutMs: 30_000,
    statementTimeoutMs: 30_000,
    prepared: true
  })
  t.teardown(async () => await other.close())
  return other
}
