import { createHash } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { link, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { Filewright } from '@filewright/client'
import { shareStack, startHttpRelay, type RelayedRequest } from '@filewright/testing'
import { eachInParallel } from '../src/pool.js'
import { filewright, uniqueText, type Ended, type Shell } from './helpers.js'

t.setTimeout(180_000)

const stack = await shareStack(t)
const api = new Filewright({ baseUrl: stack.baseUrl, token: stack.token })

const isList = ({ method, path }: RelayedRequest): boolean =>
  method === 'GET' && path.startsWith('/api/files?') && !path.includes('search=')
const isByName = ({ method, path }: RelayedRequest): boolean =>
  method === 'GET' && path.startsWith('/api/files?') && path.includes('search=')

/** A separate folder, and the command behind a relay that can act between two requests. */
async function place(
  t: Test,
  local: Record<string, string> = {},
  before: (request: RelayedRequest) => Promise<void> | void = () => {}
) {
  const cwd = t.testdir({})
  for (const [path, content] of Object.entries(local)) await put(cwd, path, content)
  await mkdir(join(cwd, 'here'), { recursive: true })
  const relay = await startHttpRelay({
    target: stack.baseUrl,
    before: async (request) => {
      await before(request)
      return undefined
    }
  })
  t.teardown(relay.close)
  const shell: Shell = {
    cwd,
    env: { FILEWRIGHT_URL: relay.url, FILEWRIGHT_TOKEN: stack.token, XDG_CONFIG_HOME: join(cwd, 'config') }
  }
  return { cwd, here: join(cwd, 'here'), fw: async (...args: string[]) => await filewright(shell, ...args) }
}

async function put(root: string, path: string, content: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), content)
}

const store = async (projectId: string, path: string, content: string): Promise<string> =>
  (
    await api.files.upload(new Blob([content]), {
      projectId,
      folder: path.split('/').slice(0, -1).join('/'),
      name: path.split('/').at(-1) ?? ''
    })
  ).id

async function storedPaths(projectId: string): Promise<string[]> {
  const paths: string[] = []
  for await (const { folder, name } of api.files.iterate({ projectId })) {
    paths.push(folder === '' ? name : `${folder}/${name}`)
  }
  return paths.sort()
}

const MANY = 130

t.test('a file deleted between two pages of the list hides no other file', async (t) => {
  const project = 'sync-pages'
  const names = Array.from({ length: MANY }, (_, i) => `f${String(i).padStart(3, '0')}.txt`)
  // The oldest is on the first page.
  const [oldest = '', ...others] = names
  const id = await store(project, oldest, oldest)
  await eachInParallel(others, 8, async (name) => {
    await store(project, name, name)
  })
  let lists = 0
  const { here, fw } = await place(
    t,
    Object.fromEntries(names.map((name) => [`here/${name}`, name])),
    async (request) => {
      if (isList(request) && ++lists === 2) await api.files.delete(id)
    }
  )

  const synced = await fw('sync', `fw:${project}`, 'here', '--delete')

  t.equal(lists, 2, 'the list had two pages')
  t.strictSame((await readdir(here)).sort(), names, synced.note)
})

t.test('files that sync skips (.part files, links, drafts) do not count as missing', async (t) => {
  const project = 'sync-skipped'
  for (const path of ['film.part', 'link.txt', 'linked/a.txt', '.x.0123456789abcdef.part', 'gone.txt']) {
    await store(project, path, path)
  }
  const { here, fw } = await place(t, { 'here/film.part': 'film.part', 'elsewhere/a.txt': 'other' })
  await symlink('../elsewhere/a.txt', join(here, 'link.txt'))
  await symlink('../elsewhere', join(here, 'linked'))
  await writeFile(join(here, '.x.0123456789abcdef.part'), 'half a down')

  const synced = await fw('sync', 'here', `fw:${project}`, '--delete')

  t.equal(synced.code, 0, synced.note)
  t.match(synced.out, '0 sent, 0 fetched, 1 deleted')
  t.strictSame(await storedPaths(project), [
    '.x.0123456789abcdef.part',
    'film.part',
    'link.txt',
    'linked/a.txt'
  ])
  t.match(synced.note, 'link.txt: not deleted on the server, because it is a link here')
})

t.test("git's own files are neither fetched nor sent, and stay on both sides", async (t) => {
  await store('sync-git', '.git/config', 'fsmonitor = "touch PWNED"')
  await store('sync-git', 'sub/.GIT/hooks/post-checkout', 'x')
  await store('sync-git', 'a.txt', 'a')
  const { here, fw } = await place(t, { 'here/.git/config': 'mine', 'here/b.txt': 'b' })

  const down = await fw('sync', 'fw:sync-git', 'here', '--delete')
  t.match(down.note, '.git/config: left out, because git would run what its own files say\n')
  t.equal(down.code, 0, down.note)
  t.strictSame((await readdir(here)).sort(), ['.git', 'a.txt'])
  t.equal(await readFile(join(here, '.git/config'), 'utf8'), 'mine')

  await put(here, 'c.txt', 'c')
  t.equal((await fw('sync', 'here', 'fw:sync-git', '--delete')).code, 0)
  t.strictSame((await storedPaths('sync-git')).sort(), [
    '.git/config',
    'a.txt',
    'c.txt',
    'sub/.GIT/hooks/post-checkout'
  ])
})

t.test('a stored file does not replace a folder that git uses', async (t) => {
  await store('sync-git-place', 'sub', 'a file')
  const { here, fw } = await place(t)
  await mkdir(join(here, 'sub/.git/refs/heads'), { recursive: true })

  const ended = await fw('sync', 'fw:sync-git-place', 'here', '--delete')

  t.match(ended, { code: 1, note: /sub: it is a folder here and a file on the server/ })
  t.strictSame(await readdir(join(here, 'sub/.git/refs')), ['heads'])
})

t.test('a file that a killed download moved aside is not deleted on the server', async (t) => {
  const project = 'sync-moved-aside'
  const { fw, here } = await place(t, { 'here/keep.txt': 'k' })
  await store(project, 'keep.txt', 'k')
  for (const path of ['doc.txt', 'sub/café.txt', 'gone.txt']) await store(project, path, path)
  // The state after kill -9 between two steps, on a disk that decomposes names.
  await put(here, '.doc.txt.0123456789abcdef.part', 'the version from before')
  await put(here, 'sub/.café.txt.fedcba9876543210.part'.normalize('NFD'), 'the version from before')

  const { code, note } = await fw('sync', 'here', `fw:${project}`, '--delete')

  t.equal(code, 1)
  t.match(
    note,
    /doc\.txt: not deleted on the server, because an unfinished download of it \(\.part\) is here/
  )
  t.strictSame(await storedPaths(project), ['doc.txt', 'keep.txt', 'sub/café.txt'])
  t.equal((await fw('sync', `fw:${project}`, 'here')).code, 0)
  t.equal(await readFile(join(here, 'doc.txt'), 'utf8'), 'doc.txt')
})

t.test('a draft that is a hard link to another file is not written to', async (t) => {
  const project = 'sync-second-name'
  const { fw, here } = await place(t, { 'here/mine.txt': 'mine' })
  const content = 'stored '.repeat(100)
  await store(project, 'doc.txt', content)
  const mark = createHash('sha256').update(content).digest('hex').slice(0, 16)
  await link(join(here, 'mine.txt'), join(here, `.doc.txt.${mark}.part`))

  t.equal((await fw('sync', `fw:${project}`, 'here')).code, 0)

  t.equal(await readFile(join(here, 'mine.txt'), 'utf8'), 'mine')
  t.equal(await readFile(join(here, 'doc.txt'), 'utf8'), content)
})

t.test('a decomposed path counts as the same as a composed one', async (t) => {
  const project = 'sync-nfd'
  const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301']
  const { here, fw } = await place(t, { [`here/${decomposed}/sub/x.txt`]: 'x' })
  const again = async (): Promise<Ended> =>
    await fw('sync', `here/${decomposed}`, `fw:${project}/${decomposed}`, '--delete')

  t.match((await again()).out, '1 sent')
  t.match((await again()).out, 'Nothing to do')
  t.strictSame(await storedPaths(project), [`${composed}/sub/x.txt`])

  t.match((await fw('sync', `fw:${project}/${decomposed}`, 'down', '--delete')).out, '1 fetched')
  t.match((await fw('sync', `fw:${project}/${decomposed}`, 'down', '--delete')).out, 'Nothing to do')
  t.match((await fw('sync', `fw:${project}`, 'here', '--delete')).out, 'Nothing to do')
  t.strictSame(await readdir(here), [decomposed])

  await store(project, `${composed}/sub/y.txt`, 'y')
  t.match((await fw('sync', `fw:${project}`, 'here', '--delete')).out, '1 fetched')
  t.strictSame(await readdir(here), [decomposed], 'no second folder beside it')
  t.equal((await fw('get', `${project}/${decomposed}/sub/y.txt`, '-o', '-')).out, 'y')
})

t.test('a file that another client stores during the sync is not deleted here', async (t) => {
  const project = 'sync-stored-meanwhile'
  await store(project, 'kept.txt', 'kept')
  let isStored = false
  const { here, fw } = await place(t, { 'here/kept.txt': 'kept', 'here/new.txt': 'new' }, async (request) => {
    if (!isByName(request) || isStored) return
    isStored = true
    await store(project, 'new.txt', 'new')
  })

  const synced = await fw('sync', `fw:${project}`, 'here', '--delete')

  t.equal(synced.code, 1)
  t.match(
    synced.note,
    'new.txt: not deleted here, because it now exists on the server; run the command again'
  )
  t.strictSame((await readdir(here)).sort(), ['kept.txt', 'new.txt'])
})

t.test('a file that is created here during the sync is not deleted on the server', async (t) => {
  const project = 'sync-made-meanwhile'
  await store(project, 'sub/caf\u00e9.txt', 'x')
  const { here, fw } = await place(t, {}, async (request) => {
    if (isByName(request)) await put(here, 'sub/cafe\u0301.txt', 'made here')
  })

  const synced = await fw('sync', 'here', `fw:${project}`, '--delete')

  t.equal(synced.code, 1)
  t.match(synced.note, 'not deleted on the server, because it now exists here')
  t.strictSame(await storedPaths(project), ['sub/caf\u00e9.txt'])
})

t.test('a replaced folder, such as an unmounted disk, deletes nothing on the server', async (t) => {
  const project = 'sync-unmounted'
  await store(project, 'a.txt', 'a')
  const { cwd, here, fw } = await place(t, { 'here/b.txt': 'b' }, async (request) => {
    if (!isList(request) || (await readdir(cwd)).includes('away')) return
    await rename(here, join(cwd, 'away'))
    await mkdir(here)
  })

  const synced = await fw('sync', 'here', `fw:${project}`, '--delete')

  t.equal(synced.code, 1)
  t.ok((await storedPaths(project)).includes('a.txt'), synced.note)
})

for (const how of ['in place', 'by a rename'] as const) {
  const edit = async (folder: string, name: string): Promise<void> => {
    // The same length as before, so that only time and content differ.
    await writeFile(join(folder, how === 'in place' ? name : 'edited'), 'as edited')
    if (how === 'by a rename') await rename(join(folder, 'edited'), join(folder, name))
  }

  t.test(`a file that is edited here ${how} during the run is not overwritten`, async (t) => {
    const project = `sync-edited-${how.replaceAll(' ', '-')}`
    for (const name of ['early.txt', 'late.txt', 'new.txt']) await store(project, name, 'of the server')
    let requests = 0
    const { here, fw } = await place(
      t,
      { 'here/early.txt': 'as it was', 'here/late.txt': 'as it was' },
      async ({ path }) => {
        // Before anything is compared, and before the first file arrives.
        if (++requests === 1) await edit(here, 'early.txt')
        if (!path.endsWith('/download') || (await readdir(here)).includes('new.txt')) return
        for (const name of ['late.txt', 'new.txt']) await edit(here, name)
      }
    )

    const synced = await fw('sync', `fw:${project}`, 'here')

    t.equal(synced.code, 1)
    t.strictSame((await readdir(here)).sort(), ['early.txt', 'late.txt', 'new.txt'], 'no draft is left')
    for (const name of ['early.txt', 'late.txt', 'new.txt']) {
      t.equal(await readFile(join(here, name), 'utf8'), 'as edited', `${name}: ${synced.note}`)
    }
    t.match(synced.note, 'early.txt: it changed here during the sync; run the command again')
    t.match(synced.note, 'late.txt: it changed here during the sync; run the command again')
    t.match(synced.note, 'new.txt: it was created here during the sync; run the command again')
  })

  t.test(`a file that is edited here ${how} right before it is to be deleted stays`, async (t) => {
    const project = `sync-extra-${how.replaceAll(' ', '-')}`
    await store(project, 'kept.txt', 'kept')
    const { here, fw } = await place(
      t,
      { 'here/kept.txt': 'kept', 'here/extra.txt': 'as it was', 'here/other.txt': 'other' },
      async (request) => {
        if (isByName(request) && request.path.includes('extra')) await edit(here, 'extra.txt')
      }
    )

    const synced = await fw('sync', `fw:${project}`, 'here', '--delete')

    t.equal(synced.code, 1)
    t.match(synced.out, '0 sent, 0 fetched, 1 deleted')
    t.match(synced.note, 'extra.txt: it changed here during the sync')
    t.strictSame((await readdir(here)).sort(), ['extra.txt', 'kept.txt'])
    t.equal(await readFile(join(here, 'extra.txt'), 'utf8'), 'as edited')
  })
}

t.test('a version that another client stores during an upload is kept beside the new one', async (t) => {
  const project = 'sync-newer'
  const old = await store(project, 'sent.txt', 'old')
  let newer = ''
  const { fw } = await place(t, { 'here/sent.txt': 'from here' }, async ({ method }) => {
    if (method === 'POST') newer = await store(project, 'sent.txt', 'from another client')
  })

  const synced = await fw('sync', 'here', `fw:${project}`)

  t.equal(synced.code, 1)
  t.match(synced.note, 'another client stored it at the same time; both versions are kept')
  t.equal((await api.files.get(newer)).id, newer)
  await t.rejects(api.files.get(old), 'the one that was to be replaced is gone')
})

t.test('when another client stores a version right before a delete, all versions are kept', async (t) => {
  const project = 'sync-newer-deleted'
  const old = await store(project, 'gone.txt', 'old')
  let newer = ''
  const { fw } = await place(t, {}, async (request) => {
    if (isByName(request)) newer = await store(project, 'gone.txt', 'from another client')
  })

  const synced = await fw('sync', 'here', `fw:${project}`, '--delete')

  t.equal(synced.code, 1)
  t.match(synced.note, 'gone.txt: not deleted on the server, because another client stored a newer version')
  for (const id of [old, newer]) t.equal((await api.files.get(id)).id, id)
})

t.test('deleting a file on the server that is already gone is not a failure', async (t) => {
  const project = 'sync-gone-already'
  const id = await store(project, 'gone.txt', 'old')
  const { fw } = await place(t, {}, async ({ method }) => {
    if (method === 'DELETE') await api.files.delete(id)
  })

  t.match(await fw('sync', 'here', `fw:${project}`, '--delete'), { code: 0, out: /1 deleted/ })
})

t.test('a file that changes during its upload replaces nothing', async (t) => {
  const project = 'sync-changing'
  const old = await store(project, 'a.txt', 'old')
  const { here, fw } = await place(t, { 'here/a.txt': 'one' }, async ({ method }) => {
    if (method !== 'POST') return
    await writeFile(join(here, 'new'), 'two')
    await rename(join(here, 'new'), join(here, 'a.txt'))
  })

  const synced = await fw('sync', 'here', `fw:${project}`)

  t.equal(synced.code, 1)
  t.match(synced.note, 'a.txt: it changed here during the upload; run the command again')
  t.equal((await api.files.get(old)).id, old)
  t.strictSame(await storedPaths(project), ['a.txt'], 'what may be half of both is not kept')
})

t.test('nothing is deleted when a file could not be copied', async (t) => {
  const project = 'sync-copy-failed'
  const id = await store(project, 'new-name.txt', 'content')
  const { here, fw } = await place(t, { 'here/old-name.txt': 'content' }, async ({ path }) => {
    if (path.endsWith('/download')) await api.files.delete(id)
  })

  const synced = await fw('sync', `fw:${project}`, 'here', '--delete')

  t.equal(synced.code, 1)
  t.match(synced.note, '1 file was not deleted, because 1 other could not be copied')
  t.strictSame(await readdir(here), ['old-name.txt'])
})

t.test(
  'a local file and a server folder with the same name: sync reports it, loses nothing, and --delete replaces it',
  async (t) => {
    const project = 'sync-file-for-folder'
    for (const path of ['notes/a.txt', 'notes/b.txt', 'other.txt']) await store(project, path, path)
    const { here, fw } = await place(t, { 'here/notes': 'mine' })

    const synced = await fw('sync', `fw:${project}`, 'here')

    t.equal(synced.code, 1)
    t.match(
      synced.note,
      'notes/a.txt: notes is a file here and a folder on the server; move the file away, or use --delete'
    )
    t.equal(await readFile(join(here, 'notes'), 'utf8'), 'mine')
    t.equal(await readFile(join(here, 'other.txt'), 'utf8'), 'other.txt')

    t.match(await fw('sync', `fw:${project}`, 'here', '--delete'), { code: 0, out: /2 fetched, 1 deleted/ })
    t.strictSame((await readdir(join(here, 'notes'))).sort(), ['a.txt', 'b.txt'])
    t.match((await fw('sync', `fw:${project}`, 'here', '--delete')).out, 'Nothing to do')
  }
)

t.test(
  'a local folder and a server file with the same name: sync reports it, loses nothing, and --delete replaces it',
  async (t) => {
    const project = 'sync-folder-for-file'
    await store(project, 'notes', 'of the server')
    const { here, fw } = await place(t, { 'here/notes/deep/a.txt': 'mine' })

    const synced = await fw('sync', `fw:${project}`, 'here')

    t.equal(synced.code, 1)
    t.match(
      synced.note,
      'notes: it is a folder here and a file on the server; move the folder away, or use --delete'
    )
    t.equal(await readFile(join(here, 'notes/deep/a.txt'), 'utf8'), 'mine')

    await symlink('a.txt', join(here, 'notes/deep/link'))
    const linked = await fw('sync', `fw:${project}`, 'here', '--delete')
    t.equal(linked.code, 1, 'a link is not deleted, so its folder stays')
    t.match(linked.note, 'notes: it is a folder here and a file on the server')
    t.strictSame(await readdir(join(here, 'notes/deep')), ['link'])

    await rm(join(here, 'notes/deep/link'))
    t.match(await fw('sync', `fw:${project}`, 'here', '--delete'), { code: 0, out: /1 fetched/ })
    t.equal(await readFile(join(here, 'notes'), 'utf8'), 'of the server')
  }
)

t.test(
  'a server file and folder with the same name: the folder is copied, and the file is reported',
  async (t) => {
    const project = 'sync-both-there'
    for (const path of ['notes', 'notes/a.txt']) await store(project, path, path)
    const { here, fw } = await place(t)

    const synced = await fw('sync', `fw:${project}`, 'here', '--delete')

    t.equal(synced.code, 1)
    t.match(
      synced.note,
      'notes: the server has both a file and a folder of this name; rename one of them there'
    )
    t.strictSame(await readdir(join(here, 'notes')), ['a.txt'])
  }
)

t.test('two clients that upload the same new files at once leave one copy of each', async (t) => {
  const project = 'sync-twice'
  const files = { 'here/a.txt': 'a', 'here/sub/b.txt': 'b' }
  let uploads = 0
  let bothHere = (): void => {}
  const isBoth = new Promise<void>((resolve) => {
    bothHere = resolve
  })
  // Neither uploads before the other has read the empty list.
  const wait = async ({ method }: RelayedRequest): Promise<void> => {
    if (method !== 'POST') return
    if (++uploads === 2) bothHere()
    await isBoth
  }
  const one = await place(t, files, wait)
  const two = await place(t, files, wait)

  const ended = await Promise.all([one, two].map(async ({ fw }) => await fw('sync', 'here', `fw:${project}`)))

  for (const { code, note } of ended) t.equal(code, 0, note)
  t.strictSame(await storedPaths(project), ['a.txt', 'sub/b.txt'])
})

t.test('--delete removes copies with the same bytes, and keeps other versions', async (t) => {
  const project = 'sync-copies'
  const other = await store(project, 'a.txt', 'other')
  const oldest = await store(project, 'a.txt', 'a')
  await store(project, 'a.txt', 'a')
  const { fw } = await place(t, { 'here/a.txt': 'a' })

  const plain = await fw('sync', 'here', `fw:${project}`)
  t.match(plain.note, 'a.txt: the server has it 2 times; --delete keeps one')
  t.equal((await storedPaths(project)).length, 3)

  t.match(await fw('sync', 'here', `fw:${project}`, '--delete'), { code: 0, out: /1 deleted/ })
  for (const id of [other, oldest]) t.equal((await api.files.get(id)).id, id)
  t.equal((await storedPaths(project)).length, 2)
  t.match((await fw('sync', 'here', `fw:${project}`, '--delete')).out, 'Nothing to do')
})

t.test(
  'two concurrent downloads of one large file into one folder both end with the complete file',
  async (t) => {
    const project = 'sync-two-downloads'
    const content = uniqueText(4_000_000).toString()
    await store(project, 'large.txt', content)
    let downloads = 0
    let bothHere = (): void => {}
    const isBoth = new Promise<void>((resolve) => {
      bothHere = resolve
    })
    const { here, fw } = await place(t, {}, async ({ path }) => {
      if (!path.endsWith('/download')) return
      if (++downloads === 2) bothHere()
      await isBoth
    })

    const ended = await Promise.all([
      fw('sync', `fw:${project}`, 'here'),
      fw('sync', `fw:${project}`, 'here')
    ])

    for (const { code, note } of ended) t.equal(code, 0, note)
    t.equal(await readFile(join(here, 'large.txt'), 'utf8'), content)
    t.strictSame(await readdir(here), ['large.txt'], 'no draft is left')
  }
)

t.test('a draft of a killed process is continued, and one of a running process is not touched', async (t) => {
  const project = 'sync-killed'
  const content = uniqueText(200_000).toString()
  await store(project, 'large.txt', content)
  const ranges: string[] = []
  const { here, fw } = await place(t, {}, ({ path, headers }) => {
    if (path.endsWith('/download')) ranges.push(String(headers['range'] ?? ''))
  })
  const start = createHash('sha256').update(content).digest('hex').slice(0, 8)
  const draft = (pid: number): string =>
    join(here, `.large.txt.${start}${pid.toString(16).padStart(6, '0')}00.part`)
  const dead = spawnSync(process.execPath, ['-e', '']).pid
  await writeFile(draft(process.ppid), content.slice(0, 50_000))
  await writeFile(draft(dead), content.slice(0, 150_000))

  t.equal((await fw('sync', `fw:${project}`, 'here')).code, 0)

  t.strictSame(ranges, ['bytes=150000-'])
  t.equal(await readFile(join(here, 'large.txt'), 'utf8'), content)
  t.strictSame((await readdir(here)).sort(), [draft(process.ppid).split('/').at(-1), 'large.txt'].sort())
})
