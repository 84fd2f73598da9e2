import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { shareStack } from '@filewright/testing'
import { filewright, sha256, uniqueText, type Shell } from './helpers.js'

t.setTimeout(180_000)

const stack = await shareStack(t)
const cwd = t.testdir({ up: { a: { 'one "ü".txt': '1', 'two.txt': '22' }, 'three.md': '333' } })
const shell: Shell = {
  cwd,
  env: { FILEWRIGHT_URL: stack.baseUrl, FILEWRIGHT_TOKEN: stack.token, XDG_CONFIG_HOME: join(cwd, 'config') }
}
const fw = async (...args: string[]) => await filewright(shell, ...args)

t.test('without a login every command says how to get one', async (t) => {
  const { code, note } = await filewright({ cwd: '/', env: { XDG_CONFIG_HOME: cwd } }, 'ls')
  t.equal(code, 4)
  t.equal(
    note,
    'You are not logged in; run: filewright login <server>, or set FILEWRIGHT_URL and FILEWRIGHT_TOKEN, or start a local server with npm start and work in its folder; if it has another data folder, set DATA_DIR to that\n'
  )
  const other = await filewright(
    { cwd: '/', env: { XDG_CONFIG_HOME: cwd, FILEWRIGHT_URL: 'http://h' } },
    'ls'
  )
  t.equal(
    other.note,
    'There is no token for http://h; run: filewright login http://h, or set FILEWRIGHT_TOKEN\n'
  )
})

t.test('login tests the token before it saves it for this user only', async (t) => {
  const fresh = { cwd: '/', env: { XDG_CONFIG_HOME: join(cwd, 'saved') } }
  const refused = await filewright({ ...fresh, input: 'wrong-token-wrong-token' }, 'login', stack.baseUrl)
  t.equal(refused.code, 4)
  t.match(refused.note, /does not accept this token; nothing was saved/)
  t.match(
    (await filewright({ ...fresh, input: 'x' }, 'login', 'http://127.0.0.1:1')).note,
    /does not answer; check the address/
  )
  const silent = await filewright(fresh, 'login', stack.baseUrl)
  t.equal(silent.code, 3)
  t.match(silent.note, /^There is no terminal to answer "Token:"; .*--token-stdin/)
  t.match((await filewright(fresh, 'login')).note, /filewright login <server>/)
  t.equal((await filewright({ ...fresh, input: '' }, 'login', stack.baseUrl)).code, 3)
  t.equal((await filewright({ ...fresh, input: 'x' }, 'login', 'ftp://x')).code, 3)
  await t.rejects(stat(join(cwd, 'saved/filewright/config.json')))

  const { code, out } = await filewright(
    { ...fresh, input: stack.token },
    'login',
    stack.baseUrl,
    '--token-stdin'
  )
  t.equal(code, 0)
  t.match(out, /^Logged in to/)
  t.equal((await stat(join(cwd, 'saved/filewright/config.json'))).mode & 0o777, 0o600)
  t.equal((await filewright(fresh, 'ls')).code, 0)
  t.equal(
    (await filewright({ ...fresh, env: { ...fresh.env, FILEWRIGHT_TOKEN: 'wrong-token-wrong' } }, 'ls')).code,
    4,
    'the environment goes before'
  )
})

t.test('the local stack needs no login', async (t) => {
  // The file for a generated token; this stack was given its own.
  await writeFile(join(stack.dataDir, 'access-token'), `${stack.token}\n`, { mode: 0o600 })
  const { code, note } = await filewright(
    { cwd: '/', env: { XDG_CONFIG_HOME: cwd, DATA_DIR: stack.dataDir } },
    'ls'
  )
  t.equal(code, 0)
  t.match(note, /^Using the local stack at http:\/\/127\.0\.0\.1:\d+ \(/)
})

t.test('a folder is uploaded, listed and found', async (t) => {
  t.match((await fw('upload', 'up', '--to', 'cli/docs', '-d', 'why')).out, '3 of 3 files stored in cli/docs')
  t.match((await fw('ls')).out, /^cli\/\t3 files\t6 B$/m)
  t.match((await fw('ls', 'cli/docs/up')).out, /^a\/\t3 B\t2 files\nthree\.md\t3 B\t\w{22}$/m)
  t.match((await fw('ls', 'cli', '--search', 'TWO')).out, /^docs\/up\/a\/two\.txt\t/)
  t.match((await fw('ls', 'cli/docs/up', '--long')).out, /text\/markdown/)
  t.match(JSON.parse((await fw('ls', 'cli/docs/up', '--json')).out), {
    folders: [{ name: 'a' }],
    files: [{ description: 'why' }]
  })
  for (const [place, sentence] of [
    ['nowhere', 'There is no project nowhere; see all projects with: filewright ls\n'],
    [
      'cli/nowhere',
      'There is no folder nowhere in the project cli; list existing files with: filewright ls cli\n'
    ],
    [
      'cli/docs/up/three.md',
      'cli/docs/up/three.md is a file, not a folder; download it with: filewright get cli/docs/up/three.md\n'
    ]
  ] as const) {
    for (const more of [[], ['--json'], ['--search', 'x']]) {
      t.match(await fw('ls', place, ...more), { code: 1, out: '', note: sentence })
    }
  }
  t.match(await fw('ls', 'cli', '--search', 'zzz'), { code: 0, note: /^No file in cli matches/ })
})

t.test('patterns and folders with a trailing slash are uploaded to the target', async (t) => {
  await fw('upload', 'up/', '--to', 'slash')
  t.match((await fw('ls', 'slash')).out, /^a\/\t.*\nthree\.md/)
  await fw('upload', 'up/**/*.txt', '--to', 'pattern')
  t.match((await fw('ls', 'pattern/a')).out, /one.*\ntwo/)
  t.match((await fw('upload', 'up/*.pdf', '--to', 'pattern')).note, 'no file matches this pattern')
  t.match((await fw('upload', 'nothing', '--to', 'pattern')).note, 'there is no such file or folder')
})

t.test('progress is one line on a terminal; a line for each file only with --verbose', async (t) => {
  const drawn = await filewright({ ...shell, isTerminal: true }, 'upload', 'up', '--to', 'drawn')
  t.notMatch(drawn.note, 'stored as')
  t.equal((await fw('upload', 'up', '--to', 'drawn')).note, '')
  t.match((await fw('upload', 'up', '--to', 'drawn', '--verbose')).note, /three\.md: stored as \w{22}\n/)
  t.match((await fw('upload', 'up/three.md', '--to', 'drawn')).note, /three\.md: stored as \w{22}\n/)
  t.match(JSON.parse((await fw('upload', 'up/three.md', '--to', 'drawn', '--json')).out), {
    files: [{ path: 'up/three.md', id: /^\w{22}$/ }]
  })
})

t.test(
  'sync compares by hash in both directions, replaces changed files, and deletes only with --delete',
  async (t) => {
    t.match((await fw('sync', 'fw:cli/docs/up', 'down')).out, '0 sent, 3 fetched, 0 deleted')
    t.strictSame((await readdir(join(cwd, 'down'), { recursive: true })).sort(), [
      'a',
      'a/one "ü".txt',
      'a/two.txt',
      'three.md'
    ])
    t.match((await fw('sync', 'fw:cli/docs/up', 'down')).out, 'Nothing to do')
    t.match((await fw('sync', 'down', 'fw:cli/docs/up')).out, 'Nothing to do')

    await writeFile(join(cwd, 'down/three.md'), 'changed')
    await mkdir(join(cwd, 'down/new'))
    await writeFile(join(cwd, 'down/new/four.txt'), '4')
    const planned = await fw('sync', '--dry-run', 'down', 'fw:cli/docs/up')
    t.strictSame(planned.out.trim().split('\n').sort(), ['would send new/four.txt', 'would send three.md'])
    t.match((await fw('sync', 'down', 'fw:cli/docs/up')).out, '2 sent, 0 fetched, 0 deleted')
    t.equal(JSON.parse((await fw('ls', 'cli/docs/up', '--json')).out).files.length, 1, 'the old one is gone')

    t.match((await fw('sync', 'up', 'fw:cli/docs/up', '--delete')).out, '1 sent, 0 fetched, 1 deleted')
    t.match((await fw('sync', 'fw:cli/docs/up', 'down', '--delete')).out, '0 sent, 1 fetched, 1 deleted')
    t.match(
      (await fw('sync', 'fw:nowhere', 'down', '--delete')).note,
      'There is nothing in nowhere',
      'an empty place deletes nothing here'
    )
    t.equal((await fw('sync', 'a', 'b')).code, 3)
    t.match((await fw('sync', 'nothing', 'fw:cli')).note, 'nothing is not a folder')
  }
)

t.test('an interrupted download is resumed, and a wrong draft is detected', async (t) => {
  const content = uniqueText(1_000_000)
  await writeFile(join(cwd, 'large.txt'), content)
  await fw('upload', 'large.txt', '--to', 'resumed')
  const part = join(cwd, `.back.txt.${sha256(content).slice(0, 16)}.part`)
  await writeFile(part, content.subarray(0, 600_000))

  t.match((await fw('get', 'resumed/large.txt', '-o', 'back.txt')).note, 'large.txt: saved as back.txt')
  t.equal(sha256(await readFile(join(cwd, 'back.txt'))), sha256(content))

  await writeFile(part, Buffer.alloc(600_000))
  const damaged = await fw('get', 'resumed/large.txt', '-o', 'back.txt')
  t.equal(damaged.code, 1)
  t.match(damaged.note, /its hash does not match; try again/)
  const { id, path } = JSON.parse((await fw('get', 'resumed/large.txt', '-o', 'up', '--json')).out)
  t.equal(path, join(cwd, 'up/large.txt'), 'into a folder')
  t.equal((await fw('get', id, '-o', 'by-id.txt')).code, 0)
  t.strictSame(
    await fw('get', id, '-o', '-'),
    { code: 0, out: content.toString(), note: '' },
    'standard output has the bytes and nothing else'
  )
  t.equal((await fw('get', id, '-o', '-', '--json')).code, 3)
  t.match(
    (await fw('get', 'resumed/none.txt')).note,
    'There is no file resumed/none.txt; list existing files with: filewright ls resumed'
  )
})

t.test('get replaces a different file only if --output names it', async (t) => {
  await mkdir(join(cwd, 'kept'))
  await writeFile(join(cwd, 'kept.txt'), 'of the server')
  await fw('upload', 'kept.txt', '--to', 'cli-kept')
  t.equal((await fw('get', 'cli-kept/kept.txt')).code, 0, 'the same bytes')
  for (const path of ['kept.txt', 'kept/kept.txt']) await writeFile(join(cwd, path), 'mine')

  for (const args of [[], ['-o', 'kept'], ['-o', 'kept/']]) {
    const { code, note } = await fw('get', 'cli-kept/kept.txt', ...args)
    t.equal(code, 1)
    t.match(note, /kept\.txt exists and is not replaced; to replace it, name it with --output/)
  }
  for (const path of ['kept.txt', 'kept/kept.txt']) t.equal(await readFile(join(cwd, path), 'utf8'), 'mine')

  t.equal((await fw('get', 'cli-kept/kept.txt', '-o', 'kept.txt')).code, 0)
  t.equal(await readFile(join(cwd, 'kept.txt'), 'utf8'), 'of the server')
})

t.test('get writes into an existing pipe and does not replace it with a file', async (t) => {
  await writeFile(join(cwd, 'poured.txt'), 'poured')
  await fw('upload', 'poured.txt', '--to', 'pipes')
  const pipe = join(cwd, 'pipe')
  execFileSync('mkfifo', [pipe])

  const [got, read] = await Promise.all([fw('get', 'pipes/poured.txt', '-o', 'pipe'), readFile(pipe, 'utf8')])

  t.equal(got.code, 0)
  t.equal(read, 'poured')
  t.ok((await stat(pipe)).isFIFO())
})

t.test('get --zip writes a folder as one archive, and no file when there is none', async (t) => {
  await fw('upload', 'up/three.md', '--to', 'zipped/docs/deep')

  const { code, note } = await fw('get', 'fw:zipped/docs', '--zip', 'docs.zip')

  t.equal(code, 0, note)
  t.match(note, /saved as docs\.zip/)
  t.match(await readFile(join(cwd, 'docs.zip'), 'latin1'), 'deep/three.md')
  const missing = await fw('get', 'zipped/none', '--zip', 'none.zip')
  t.equal(missing.code, 1)
  t.match(missing.note, /There are no files in zipped\/none/)
  t.equal((await fw('get', 'zipped', '--zip', 'x.zip', '-o', 'y')).code, 3)
  t.strictSame(
    (await readdir(cwd)).filter((name) => /none|part|x\.zip/.test(name)),
    []
  )
})

t.test('file names that the service cannot store are reported, and the other files are stored', async (t) => {
  const folder = join(cwd, 'names')
  await mkdir(folder)
  for (const name of ['good.txt', 'b.txt', 'a\\b.txt', 'new\nline.txt']) {
    await writeFile(join(folder, name), name)
  }
  const notUtf8 = Buffer.concat([Buffer.from(`${folder}/bad`), Buffer.from([0xff])])
  await writeFile(notUtf8, 'bad')
  // Node.js cannot open it by its name, so removing the folder would fail.
  t.teardown(async () => {
    await rm(notUtf8)
  })

  const sent = await fw('upload', 'names/', '--to', 'names')
  t.equal(sent.code, 1)
  t.match(sent.out, '2 of 5 files stored in names')
  t.match(sent.note, 'a\\b.txt: refused: its name contains a backslash')
  t.match(sent.note, 'new\ufffdline.txt: refused: its name contains a control character')
  t.match(sent.note, 'its name is not valid UTF-8')

  const synced = await fw('sync', 'names', 'fw:names', '--delete')
  t.equal(synced.code, 1)
  t.match(synced.out, '0 sent, 0 fetched, 0 deleted')
  t.equal((await fw('get', 'names/b.txt', '-o', '-')).out, 'b.txt', 'another name has not replaced it')
  t.match((await fw('sync', 'names', 'fw:names', '--dry-run')).out, 'its name contains a backslash')
})

t.test('when two names are the same to the service, sync reports the second', async (t) => {
  const folder = join(cwd, 'twins')
  await mkdir(folder)
  await writeFile(join(folder, 'e\u0301.txt'), 'decomposed')
  await writeFile(join(folder, '\u00e9.txt'), 'composed')

  const synced = await fw('sync', 'twins', 'fw:twins')

  t.equal(synced.code, 1)
  t.match(synced.note, 'another file has the same name in other characters')
  t.match(synced.out, '1 sent, 0 fetched, 0 deleted')
})

t.test('sync writes nothing through a link', async (t) => {
  await mkdir(join(cwd, 'linked', 'x'), { recursive: true })
  await writeFile(join(cwd, 'linked', 'x', 'y.txt'), 'y')
  await fw('sync', 'linked', 'fw:linked')
  await mkdir(join(cwd, 'victim'))
  await mkdir(join(cwd, 'down-linked'))
  await symlink('../victim', join(cwd, 'down-linked', 'x'))

  const synced = await fw('sync', 'fw:linked', 'down-linked')

  t.equal(synced.code, 1)
  t.match(synced.note, 'x is a symbolic link here; sync does not write through links')
  t.strictSame(await readdir(join(cwd, 'victim')), [])
})

t.test('a token that cannot be sent is reported at once', async (t) => {
  const ended = await filewright({ ...shell, env: { ...shell.env, FILEWRIGHT_TOKEN: 'abc\nd' } }, 'ls')
  t.equal(ended.code, 4)
  t.match(ended.note, 'contains invalid characters')
})

t.test('mv renames and moves, and replaces nothing', async (t) => {
  const store = async (name: string, to: string): Promise<void> => {
    await writeFile(join(cwd, name), uniqueText(40))
    t.equal((await fw('upload', name, '--to', to)).code, 0)
  }
  await store('m1.txt', 'moved')
  await store('m2.txt', 'moved/dir')

  t.match(await fw('mv', 'moved/m1.txt', 'moved/new.txt'), {
    code: 0,
    out: 'moved/m1.txt is now moved/new.txt'
  })
  t.match(await fw('mv', 'moved/new.txt', 'moved/dir'), { code: 0, out: 'is now moved/dir/new.txt' })
  t.match(await fw('mv', 'moved/dir/new.txt', 'moved'), { code: 0, out: 'is now moved/new.txt' })
  t.match(await fw('mv', 'moved/new.txt', 'moved/fresh/'), { code: 0, out: 'is now moved/fresh/new.txt' })
  t.match(JSON.parse((await fw('mv', 'moved/fresh/new.txt', 'moved/a/b/x.txt', '--json')).out), {
    folder: 'a/b',
    name: 'x.txt'
  })
  t.match(await fw('mv', 'moved/a/b/x.txt', 'moved/dir/m2.txt'), {
    code: 1,
    note: /already a file moved\/dir\/m2/
  })
  t.match(await fw('mv', 'moved/a/b/x.txt', 'other/x.txt'), { code: 1, note: /another project/ })
  t.match(await fw('mv', 'moved/none.txt', 'moved/x.txt'), { code: 1, note: /There is no file moved\/none/ })
  t.match((await fw('ls', 'moved/a/b')).out, 'x.txt')

  await store('m3.txt', 'moved')
  await store('m3.txt', 'moved')
  t.match(await fw('mv', 'moved/m3.txt', 'moved/dir/m4.txt'), {
    code: 0,
    out: 'moved/m3.txt is now moved/dir/m4.txt, all 2 of that name\n'
  })
  t.match(await fw('mv', 'moved/m3.txt', 'moved/x.txt'), { code: 1, note: /There is no file moved\/m3/ })
})

t.test('a deleted file is in the trash until it is restored or the trash is emptied', async (t) => {
  await writeFile(join(cwd, 'lost.txt'), uniqueText(40))
  await fw('upload', 'lost.txt', '--to', 'trashed/sub')

  const removed = await fw('rm', 'trashed/sub/lost.txt')

  t.equal(removed.out, '1 file deleted\n')
  const [, id = ''] = /filewright trash restore (\w+)\n$/.exec(removed.note) ?? []
  t.match(removed.note, /^In the trash for 7 days; to bring it back: /)
  t.match((await fw('trash', 'ls', 'trashed')).out, new RegExp(`sub/lost.txt\\t.*\\tuntil 20.* UTC\\t${id}`))
  t.match(JSON.parse((await fw('trash', 'ls', 'trashed', '--json')).out), { files: [{ id, folder: 'sub' }] })
  t.match(await fw('trash', 'restore', id), { code: 0, out: 'sub/lost.txt restored\n' })
  t.match(JSON.parse((await fw('trash', 'restore', id, '--json')).out), { restored: [{ id }] })
  const unknown = '0'.repeat(id.length)
  const mixed = await fw('trash', 'restore', id, unknown, '--json')
  t.match(mixed, { code: 1, note: new RegExp(`Not in the trash: ${unknown}`) })
  t.match(JSON.parse(mixed.out), { restored: [{ id }] }, 'the output lists the restored file')
  t.match((await fw('ls', 'trashed/sub')).out, 'lost.txt')
  t.match(await fw('trash', 'ls', 'trashed'), { code: 0, out: '', note: /is empty/ })

  await fw('rm', id)
  t.match(await fw('trash', 'empty', 'trashed'), { code: 3 })
  t.match(
    (await filewright({ ...shell, input: 'no' }, 'trash', 'empty', 'trashed')).note,
    /Nothing was deleted/
  )
  t.match((await fw('trash', 'empty', 'trashed', '--yes')).out, '1 file deleted for good')
  t.match(await fw('trash', 'restore', id), { code: 1, note: /Not in the trash/ })
  t.match(await fw('trash', 'restore', 'trashed/sub/lost.txt'), { code: 1, note: /is not the id of a file/ })
  t.match(await fw('trash', 'ls', 'trashed/sub'), { code: 1, note: /whole project/ })
  t.equal((await fw('trash')).code, 3)
})

t.test('rm deletes a file, and a folder after confirmation', async (t) => {
  t.match((await fw('rm', 'slash/three.md')).out, '1 file deleted')
  t.match((await fw('rm', 'slash/a')).note, /add --recursive/)
  const kept = await filewright({ ...shell, input: 'no' }, 'rm', '-r', 'slash/a')
  t.match(kept.note, /^Delete 2 files\? Type yes: Nothing was deleted\n$/)
  const silent = await fw('rm', '-r', 'slash/a')
  t.equal(silent.code, 3)
  t.match(silent.note, /^There is no terminal to answer "Delete 2 files\? Type yes:"; .* or add --yes\n$/)
  t.match((await filewright({ ...shell, input: 'yes' }, 'rm', '-r', 'slash/a')).out, '2 files deleted')
  t.match((await fw('rm', '-r', '-y', 'slash')).note, 'The given paths contain nothing to delete')
  t.match(await fw('ls', 'slash'), { code: 0, note: /^The project slash is empty/ })
  t.match((await fw('rm', 'A'.repeat(22))).note, 'File not found; list existing files with: filewright ls')
})

t.test('a token without permission gets a clear message', async (t) => {
  const { code, note } = await filewright(
    { ...shell, env: { ...shell.env, FILEWRIGHT_TOKEN: 'wrong-wrong-wrong' } },
    'ls',
    'cli'
  )
  t.equal(code, 4)
  t.equal(note, 'The service does not accept the token; get a new one and run: filewright login\n')
})
