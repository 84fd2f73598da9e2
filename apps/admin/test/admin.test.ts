import { Readable } from 'node:stream'
import t from 'tap'
import { blobKeyOf } from '@filewright/blob-store'
import {
  createRescanFile,
  createStoreSet,
  createWebhookEndpoints,
  type RequestVerdict
} from '@filewright/domain'
import type { ScanFileResult } from '@filewright/queue'
import { createId, createLogger, hashToken } from '@filewright/runtime'
import { runAdmin } from '../src/admin.js'
import type { AdminAdapters } from '../src/command.js'
import { openInstallation, type Installation } from './helpers/installation.js'

const logger = createLogger({ name: 'test', level: 'silent' })
const clock = { now: () => new Date() }
const webhookConfig = {
  WEBHOOK_ALLOW_PRIVATE: false,
  WEBHOOK_ALLOW_HTTP: false,
  WEBHOOK_ALLOW_NETWORKS: ''
}

type Verdict = Pick<ScanFileResult, 'verdict' | 'signature' | 'engine'>

/** The queues that have a worker. */
const working = new Set(['scan'])

function adaptersOf({ database, blobs }: Installation, scan: () => Verdict): AdminAdapters {
  const requestVerdict: RequestVerdict = async ({ fileId, sizeBytes, sha256 }) => {
    return { fileId, sizeBytes, sha256, ...scan() }
  }
  const stores = createStoreSet({
    stores: [{ blobs, name: 'folder blobs' }],
    installation: database.installation
  })
  return {
    env: {},
    database: () => database,
    blobs: () => blobs,
    stores: () => stores,
    storeAddresses: () => ['/blobs'],
    queue: () => ({
      counts: async () => ({
        waiting: 3,
        active: 1,
        delayed: 0,
        failed: 0,
        completed: 7,
        oldestWaitingMs: 1_500
      }),
      hasWorker: async ({ name }) => working.has(name)
    }),
    places: () => ({ store: 'folder blobs', database: 'localhost/test' }),
    rescanFile: () =>
      createRescanFile({
        files: database.files,
        rescans: database.rescans,
        blobs,
        requestVerdict,
        clock,
        logger,
        deadlineMs: 1_000
      }),
    webhookEndpoints: () => createWebhookEndpoints({ ...database, config: webhookConfig }),
    migrate: async () => ({ applied: [] }),
    graceMs: -1_000
  }
}

t.test('the admin commands', async (t) => {
  const installation = await openInstallation(t)
  const { database, blobs } = installation
  let verdict: Verdict = { verdict: 'clean', engine: 'test/1' }
  const adapters = adaptersOf(installation, () => verdict)
  const tokenRecord = async (token: string) => await database.tokens.findByHash(hashToken(token))
  const run = async (...args: string[]) => await runWith(undefined, ...args)
  /** @param typed the answer of a user at a terminal; undefined without a terminal */
  const runWith = async (typed: string | undefined, ...args: string[]) => {
    const output = { code: 0, out: '', err: '' }
    output.code = await runAdmin(args, {
      adapters,
      ask:
        typed === undefined
          ? undefined
          : async (question) => {
              output.err += question
              return typed
            },
      out: (text) => {
        output.out += text
      },
      err: (text) => {
        output.err += text
      }
    })
    return output
  }

  await t.test('compare records and bytes only once database and store belong together', async (t) => {
    const neither = /database +localhost\/test +none\nblob store +folder blobs +none/
    t.match(await run('store', 'show'), { code: 1, out: neither })
    t.match(await run('reconcile'), { code: 3, err: /never compared: start the gateway once/ })
    t.match(JSON.parse((await run('reconcile', '--json')).out), { refused: true, reason: /never compared/ })
    t.match(await run('store', 'adopt'), { code: 3, out: /get one new id[^]*Nothing was changed/ })
    t.match(await run('store', 'show'), { code: 1 })

    t.match(await run('store', 'adopt', '--yes'), { code: 0, out: /belong together from now on/ })

    t.match(await run('store', 'show'), { code: 0, out: /They belong together/ })
    const again = JSON.parse((await run('store', 'adopt', '--yes', '--json')).out)
    t.match(again, { same: true, adopted: false }, 'a second time there is nothing to do')
  })

  t.test('create a token for its projects and store only its hash', async (t) => {
    const { code, out } = await run(
      'token',
      'create',
      '--name',
      'ci',
      '--project',
      'acme',
      '--project',
      'beta,gamma',
      '--json'
    )

    t.equal(code, 0)
    const { token, projects, name } = JSON.parse(out)
    t.match(token, /^fw_[0-9A-Za-z]{43}$/)
    t.strictSame(projects, ['acme', 'beta', 'gamma'])
    t.equal(name, 'ci')
    t.match(await tokenRecord(token), {
      name: 'ci',
      projects: ['acme', 'beta', 'gamma'],
      revokedAt: null,
      expiresAt: null
    })
  })

  t.test('make an operator only where it is asked for', async (t) => {
    const create = ['token', 'create', '--project', 'acme', '--json', '--name']
    const [operator, user] = [
      JSON.parse((await run(...create, 'ops', '--operator')).out),
      JSON.parse((await run(...create, 'user')).out)
    ] as Array<{ token: string; is_operator: boolean }>

    t.match(operator, { is_operator: true })
    t.match(await tokenRecord(operator!.token), { isOperator: true, projects: ['acme'] })
    t.match(user, { is_operator: false })
    t.match(await tokenRecord(user!.token), { isOperator: false })
    t.match((await run('token', 'list')).out, /ops +acme +yes /)
  })

  t.test('list tokens without their secrets, and revoke one at once', async (t) => {
    const { token, id } = JSON.parse(
      (await run('token', 'create', '--name', 'short', '--project', '*', '--expires-in-days', '7', '--json'))
        .out
    )
    t.match(await tokenRecord(token), { id, revokedAt: null })

    const { out } = await run('token', 'list')
    t.match(out, 'short')
    t.notMatch(out, token)
    t.match(
      JSON.parse((await run('token', 'list', '--json')).out).find((entry: { id: string }) => entry.id === id),
      { name: 'short', revoked_at: null, expires_at: /Z$/ }
    )

    t.match(await run('token', 'revoke', 'short'), { code: 0, out: `Revoked short (${id})` })
    t.ok((await tokenRecord(token))?.revokedAt)
    t.match(await run('token', 'revoke', 'short'), { code: 1, out: /There is no active token/ })
  })

  t.test('set quotas of projects and tokens, and show usage and limits', async (t) => {
    const project = createId()
    t.match(await run('project', 'quota', project, '--max-bytes', '10GB', '--max-files', '5000'), {
      code: 0,
      out: `Project ${project}: at most 5000 files and 10737418240 bytes`
    })
    await installation.store({ project, content: 'hello\n' })
    t.match(await run('project', 'usage', project), {
      code: 0,
      out: /^all +1 +6$[^]*^allowed +5000 +10737418240$/m
    })
    t.match(await run('project', 'quota', project, '--max-bytes', 'none', '--max-files', 'default'), {
      code: 0,
      out: /: no limit$/
    })
    t.match(JSON.parse((await run('project', 'usage', project, '--json')).out), {
      files: 1,
      bytes: 6,
      max_files: null,
      max_bytes: null
    })

    const create = ['token', 'create', '--name', 'quota', '--project', '*', '--max-files', '1', '--json']
    const { token, id, max_files: maxFiles } = JSON.parse((await run(...create)).out)
    t.equal(maxFiles, 1)
    t.match(await tokenRecord(token), { maxFiles: 1, maxBytes: null })
    t.match(await run('token', 'quota', id, '--max-files', '7'), {
      code: 0,
      out: `Token quota (${id}): at most 7 files`
    })
    t.match((await run('token', 'list')).out, new RegExp(`${id}.*at most 7 files`))
    const listed = JSON.parse((await run('token', 'list', '--json')).out) as Array<{ id: string }>
    t.match(
      listed.find((entry) => entry.id === id),
      { max_files: 7, max_bytes: null }
    )

    t.match(await run('token', 'quota', 'nobody', '--max-files', '7'), {
      code: 1,
      out: /There is no active token/
    })
    t.match(await run('project', 'quota', project), {
      code: 2,
      err: /--max-files or --max-bytes is required/
    })
    t.match(await run('project', 'quota', 'a/b', '--max-files', '1'), {
      code: 2,
      err: /must not contain slashes/
    })
    for (const wrong of ['-1', '0', '1.5', '10XB', '', '99999999999999TB']) {
      t.match(
        await run('project', 'quota', project, `--max-bytes=${wrong}`),
        { code: 2, err: /--max-bytes must be a whole number/ },
        wrong
      )
    }
  })

  t.test('revoke one token of several with the same name only by its id', async (t) => {
    const create = async () =>
      JSON.parse((await run('token', 'create', '--name', 'twin', '--project', 'acme', '--json')).out)
        .id as string
    const [first, second] = [await create(), await create()]

    t.match(await run('token', 'revoke', 'twin'), {
      code: 1,
      out: new RegExp(`2 active tokens match twin[^]*${first}[^]*${second}`)
    })
    t.match(await run('token', 'revoke', first.slice(0, 12)), { code: 0 })

    const tokens = JSON.parse((await run('token', 'list', '--json')).out) as Array<{
      id: string
      revoked_at: string | null
    }>
    t.notMatch(
      tokens.find(({ id }) => id === first),
      { revoked_at: null }
    )
    t.match(
      tokens.find(({ id }) => id === second),
      { revoked_at: null }
    )
    t.match(await run('token', 'revoke', 'twin'), { code: 0 }, 'the name is unique by now')
  })

  const createNamed = async (name: string): Promise<string> =>
    JSON.parse((await run('token', 'create', '--name', name, '--project', 'acme', '--json')).out).id as string
  const isLive = async (id: string): Promise<boolean> =>
    (await database.tokens.list()).some((token) => token.id === id && token.revokedAt === null)

  t.test('revoke no token by an ambiguous prefix, and list the matching ones', async (t) => {
    const id = await createNamed('too short')

    for (const length of [1, 7]) {
      const { code, out } = await run('token', 'revoke', id.slice(0, length))
      t.equal(code, 1)
      t.match(out, `${id.slice(0, length)} is too short for an id prefix: give at least 8 characters`)
      t.match(out, new RegExp(`${id} +too short`))
    }
    t.match(JSON.parse((await run('token', 'revoke', id.slice(0, 7), '--json')).out), {
      revoked: 0,
      fitting: [id]
    })
    t.match(await run('token', 'quota', id.slice(0, 7), '--max-files', '1'), { code: 1, out: /too short/ })
    t.ok(await isLive(id))

    t.match(await run('token', 'revoke', id.slice(0, 8)), { code: 0, out: `Revoked too short (${id})` })
    t.notOk(await isLive(id))
  })

  t.test('an exact name matches, even where it is short and also an id prefix', async (t) => {
    const other = await createNamed('other')
    const id = await createNamed(other.slice(0, 1))

    t.match(await run('token', 'revoke', other.slice(0, 1)), { code: 0, out: id })

    t.ok(await isLive(other))
  })

  t.test('ask for confirmation at a terminal when a token is revoked by less than its full id', async (t) => {
    const id = await createNamed('asked')
    const question = `Revoke asked (${id})? Type yes: `

    for (const asked of ['asked', id.slice(0, 8)]) {
      t.match(await runWith('no', 'token', 'revoke', asked), {
        code: 3,
        out: 'Nothing was revoked',
        err: question
      })
    }
    t.ok(await isLive(id))

    t.match(await runWith('yes', 'token', 'revoke', 'asked'), { code: 0, err: question })
    t.notOk(await isLive(id))
    const next = await createNamed('asked')
    t.match(await runWith('no', 'token', 'revoke', 'asked', '--yes'), { code: 0, err: '' })
    t.notOk(await isLive(next))
    const last = await createNamed('asked')
    t.match(await runWith('no', 'token', 'revoke', last), { code: 0, err: '' }, 'an id needs no question')
    t.notOk(await isLive(last))
  })

  t.test('refuse a token name that contains terminal control characters', async (t) => {
    for (const name of [
      'a\u001b[2J',
      'a\nb',
      'a\tb',
      'a\u009b',
      'a\u202eb',
      'a\u2066b',
      'a\u200bb',
      'a\u2028b',
      'a\ud800',
      'a\ufffd',
      'a'.repeat(129)
    ]) {
      const { code, err } = await run('token', 'create', '--name', name, '--project', 'acme')
      t.equal(code, 2)
      t.match(err, /^--name: name must /)
    }
    t.match(await run('token', 'create', '--name', 'x', '--project', 'a\u001b[2J'), { code: 2 })
    t.match(await run('project', 'quota', 'a\u202eb', '--max-files', '1'), { code: 2 })
  })

  t.test('print no name, argument or error that contains terminal control characters', async (t) => {
    const evil = '\u001b]0;pwned\u0007\u009b31m\u202egpj.exe'
    const obeyed = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u
    const name = `${createId()}${evil}`
    const id = createId()
    await database.tokens.create({ id, name, hash: createId(), projects: [evil] })
    for (const args of [
      ['token', 'list'],
      ['token', 'list', '--json'],
      ['token', 'revoke', evil],
      ['token', 'revoke', id.slice(0, 3)],
      ['token', 'quota', name, '--max-files', '1'],
      ['token', 'revoke', name],
      ['project', 'usage', evil],
      ['file', 'show', evil],
      [evil],
      ['token', 'list', `--${evil}`]
    ]) {
      const { out, err } = await runWith('yes', ...args)
      t.ok((out + err).length > 0)
      t.notMatch(out + err, obeyed, args.slice(0, 2).map(encodeURIComponent).join(' '))
    }
    t.ok(
      JSON.parse((await run('token', 'list', '--json')).out).some(
        (token: { name: string }) => token.name === name
      ),
      'JSON still has the name'
    )
  })

  t.test('print a token once for people', async (t) => {
    t.match(await run('token', 'create', '--name', 'x', '--project', 'acme'), {
      code: 0,
      out: /^fw_[0-9A-Za-z]{43}\n/
    })
  })

  t.test('show projects and what they use', async (t) => {
    await installation.store({ project: 'used', content: '12345' })

    t.match(
      JSON.parse((await run('project', 'list', '--json')).out).find(
        (entry: { id: string }) => entry.id === 'used'
      ),
      { files: 1, bytes: 5 }
    )
    t.match(await run('project', 'list'), { code: 0, out: /used/ })
    t.match(JSON.parse((await run('project', 'usage', 'used', '--json')).out), {
      files: 1,
      bytes: 5,
      byKind: { code: { files: 1, bytes: 5 } }
    })
    t.match(await run('project', 'usage', 'used'), { code: 0, out: /code +1 +5/ })
    t.match(await run('project', 'usage', 'never-was'), { code: 1 })
  })

  t.test('show a file with its verdict, in any state', async (t) => {
    const id = await installation.store({ content: '12345', folder: 'a/b' })

    t.match(JSON.parse((await run('file', 'show', id, '--json')).out), {
      id,
      state: 'ready',
      size: 5,
      stored_bytes: 5,
      folder: 'a/b',
      engine: 'test/1',
      signature: null
    })
    t.match(await run('file', 'show', id), { code: 0, out: /state +ready/ })
    t.match(await run('file', 'show', createId()), { code: 1, out: /No file has the id/ })
    t.match(await run('file', 'show', '../etc/passwd'), { code: 1 })
  })

  t.test('scan a stored file again, and withdraw it if it is infected', async (t) => {
    const id = await installation.store()
    verdict = { verdict: 'clean', engine: 'test/2' }
    t.match(await run('file', 'rescan', id), { code: 0, out: /^clean, says test\/2/ })
    t.match((await database.files.findReady(id))?.engine, 'test/2')

    verdict = { verdict: 'infected', signature: 'New.Virus', engine: 'test/3' }
    t.match(JSON.parse((await run('file', 'rescan', id, '--json')).out), {
      verdict: 'infected',
      signature: 'New.Virus',
      withdrawn: true
    })

    t.equal(await database.files.findReady(id), null)
    t.equal(await blobs.stat(blobKeyOf(id)), null)
    t.match(await run('file', 'show', id), { code: 0, out: /state +quarantined[^]*signature +New.Virus/ })
    t.match(await run('file', 'rescan', id), { code: 1, out: /is quarantined/ })
    t.match(await run('file', 'rescan', createId()), { code: 1 })
  })

  t.test('show the queues, and fail when a queue has no worker', async (t) => {
    t.match(await run('queue', 'status'), { code: 1, out: /scan +yes +3 +1 +0 +0 +7 +1.5 s\ninference +NO/ })
    t.match(JSON.parse((await run('queue', 'status', '--json')).out), [
      { name: 'scan', has_worker: true, waiting: 3, oldest_waiting_ms: 1_500 },
      { name: 'inference', has_worker: false }
    ])
  })

  t.test('without webhooks, the queue of deliveries needs no worker', async (t) => {
    working.add('inference')
    t.teardown(() => working.delete('inference'))

    t.match(await run('queue', 'status'), { code: 0, out: /inference +yes.*\ndelivery +off/ })
  })

  t.test('compare records and bytes in both directions, and change nothing without --fix', async (t) => {
    const sound = await installation.store()
    const lost = await installation.store({ name: 'lost.txt' })
    const damaged = await installation.store({ name: 'damaged.txt' })
    const orphan = createId()
    const running = createId()
    await blobs.remove(blobKeyOf(lost))
    await installation.overwriteOnDisk(damaged, Buffer.from('other'))
    await blobs.write(blobKeyOf(orphan), Readable.from([Buffer.from('nobody knows me')]))
    await database.files.insertPending({
      id: running,
      blobKey: blobKeyOf(running),
      tokenId: null,
      leaseExpiresAt: new Date(Date.now() + 60_000)
    })
    await blobs.write(blobKeyOf(running), Readable.from([Buffer.from('on its way')]))

    const looked = await run('reconcile', '--json')
    t.equal(looked.code, 1)
    t.match(JSON.parse(looked.out), {
      orphans: [blobKeyOf(orphan)],
      lost: [{ id: lost, name: 'lost.txt' }],
      damaged: [{ id: damaged }],
      fixed: false
    })
    t.ok(await blobs.stat(blobKeyOf(orphan)), 'looking changes nothing')
    t.match(await run('reconcile'), { code: 1, out: /no bytes +\w+ +acme +lost.txt/ })

    const unchanged = /Nothing was changed: 1 of \d+ blobs and 1 of \d+ records/
    t.match(await run('reconcile', '--fix'), { code: 3, out: unchanged, err: '' })
    t.ok(await blobs.stat(blobKeyOf(orphan)), 'a tenth is too much without a word')
    const fixed = await run('reconcile', '--fix', '--yes')
    t.match(fixed, { code: 1, out: /Fixed: 1 blobs[^]*1 files[^]*another size/ })
    t.match(fixed.err, /^Removing 1 of \d+ blobs[^]*1 of \d+ records/)

    t.equal(await blobs.stat(blobKeyOf(orphan)), null)
    t.equal(await database.files.findReady(lost), null)
    for (const id of [sound, running]) {
      t.ok(await blobs.stat(blobKeyOf(id)), 'what is whole or on its way stays')
    }
    t.match(JSON.parse((await run('reconcile', '--json')).out), {
      orphans: [],
      lost: [],
      damaged: [{ id: damaged }]
    })
    await database.files.markDeleting(damaged)
    await blobs.remove(blobKeyOf(damaged))
    await database.files.remove(damaged)
    t.match(await run('reconcile'), { code: 0 })
  })

  t.test('cover the trash: its usage, its files, their bytes and their verdicts', async (t) => {
    const [kept, lost] = [await installation.store(), await installation.store()]
    for (const id of [kept, lost]) await database.files.markTrashed(id)
    const { projectId } = (await database.files.findStored(kept)) ?? {}

    const usage = JSON.parse((await run('project', 'usage', projectId ?? '', '--json')).out)
    t.match(usage.trash, { files: 2 })
    t.match(JSON.parse((await run('file', 'show', kept, '--json')).out), {
      state: 'trashed',
      trashed_at: /Z$/
    })
    verdict = { verdict: 'clean', engine: 'test/3' }
    t.match(await run('file', 'rescan', kept), { code: 0, out: /^clean/ })
    t.match(await run('reconcile'), { code: 0 }, 'the bytes of a file in the trash belong to it')
    await blobs.remove(blobKeyOf(lost))
    t.match(JSON.parse((await run('reconcile', '--json')).out), { orphans: [], lost: [{ id: lost }] })
    t.match(JSON.parse((await run('reconcile', '--fix', '--yes', '--json')).out), { removed: { records: 1 } })

    t.equal((await database.trash.restore(kept))?.id, kept)
    t.equal(await database.trash.restore(lost), null)
    t.ok(await blobs.stat(blobKeyOf(kept)))
  })

  t.test('refuse to remove many records at once without --yes', async (t) => {
    const ids = []
    for (let i = 0; i < 11; i++) ids.push(await installation.store())
    for (const id of ids) await blobs.remove(blobKeyOf(id))

    t.match(await run('reconcile', '--fix'), { code: 3, out: /Nothing was changed/ })
    t.ok(await database.files.findReady(ids[0] ?? ''))
    const { out } = await run('reconcile', '--fix', '--yes', '--json')
    t.match(JSON.parse(out), { fixed: true, refused: false, removed: { records: 11 } })
    t.equal(await database.files.findReady(ids[0] ?? ''), null)
  })

  t.test(
    'refuse to fix a store whose database has lost all its records, and warn about it without --fix',
    async (t) => {
      const kept = await installation.store()
      for (const { id } of await database.files.pageStored({ after: '', limit: 500 })) {
        await database.files.markDeleting(id)
        await database.files.remove(id)
      }

      t.match(await run('reconcile'), { code: 1, out: /The database has no files, but the blob store has/ })
      t.match(await run('reconcile', '--fix'), { code: 3, out: /Nothing was changed/ })
      t.ok(await blobs.stat(blobKeyOf(kept)))
    }
  )

  t.test('report that there is nothing to migrate', async (t) => {
    t.match(await run('migrate'), { code: 0, out: /up to date/ })
  })

  t.test('refuse a token whose expiry is in the past, and say what to do instead', async (t) => {
    t.match(await run('token', 'create', '--name', 'x', '--project', 'a', '--expires-in-days', '0'), {
      code: 2,
      err: /from 1 to 99999; to end a token now, revoke it/
    })
  })

  t.test('print help, and explain wrong usage', async (t) => {
    t.match(await run('--help'), { code: 0, out: /token create/ })
    t.match(await run(), { code: 2, out: /Usage/ })
    for (const args of [
      ['nonsense'],
      ['token', 'nonsense'],
      ['token', 'create'],
      ['token', 'create', '--name', 'x'],
      ['token', 'create', '--name', 'local', '--project', '*'],
      ['token', 'create', '--name', ' Local ', '--project', '*'],
      ['token', 'create', '--project', 'acme'],
      ['token', 'create', '--name', 'x', '--project', 'a/b'],
      ['token', 'create', '--name', 'x', '--project', 'a', '--expires-in-days', 'soon'],
      ['token', 'revoke'],
      ['project', 'usage'],
      ['token', 'list', '--wrong'],
      ['token', 'revoke', 'a', 'b'],
      ['file', 'show'],
      ['file', 'rescan'],
      ['reconcile', 'all'],
      ['doctor', 'now'],
      ['reconcile', '--fix', '--force'],
      ['store', 'show', 'all'],
      ['queue', 'status', 'scan']
    ]) {
      t.match(await run(...args), { code: 2, err: /Try: npm run admin -- --help/ }, args.join(' '))
    }
  })
})
