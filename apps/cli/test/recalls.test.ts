import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { filesIn } from '../src/local-files.js'
import { readLocalTree } from '../src/sync/local-tree.js'
import { markWithdrawn } from '../src/sync/withdrawn-marks.js'
import { CONTENT, honest, hostileServer } from './hostile/server.js'
import { filewright, sha256 } from './helpers.js'

const recall = honest['/api/recalls'].recalls[0]
const NOTE = 'a.txt.withdrawn.txt'

function folderOf(t: Test, files: Record<string, string | Buffer> = { 'a.txt': CONTENT }): string {
  const root = join(t.testdir({}), 'root')
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return root
}

const mark = async (root: string, change: object = {}, path = ''): Promise<string[]> =>
  await markWithdrawn(root, { projectId: 'p', path }, [{ ...recall, ...change }])

t.test('recalls, ls, get and sync name the withdrawn files', async (t) => {
  const server = await hostileServer(t)
  const cwd = t.testdir({ here: { 'a.txt': CONTENT } })
  const shell = {
    cwd,
    env: { FILEWRIGHT_URL: server.url, FILEWRIGHT_TOKEN: 'a'.repeat(20), XDG_CONFIG_HOME: cwd }
  }

  const { code, out } = await filewright(shell, 'recalls')
  t.equal(code, 0)
  t.match(out, /p\/a\.txt\tNew\.Virus\tdownloaded 2026-01-01 00:00 UTC/)
  for (const args of [
    ['ls', 'p'],
    ['ls', 'p', '--json'],
    ['get', 'p/a.txt', '-o', '-'],
    ['sync', 'fw:p', 'here']
  ]) {
    const ended = await filewright(shell, ...args)
    t.equal(ended.code, 0, ended.note)
    t.match(
      ended.note,
      'Warning: 1 file of p (1 downloaded with your token) turned out to be malware and was withdrawn'
    )
    t.notMatch(ended.out, 'Warning')
  }
  t.match(readFileSync(join(cwd, 'here', NOTE), 'utf8'), 'New.Virus')
  t.strictSame(readFileSync(join(cwd, 'here', 'a.txt')), CONTENT, 'nothing is deleted')
  server.say({ '/api/recalls': { recalls: [] } })
  t.notMatch((await filewright(shell, 'ls', 'p')).note, 'Warning')
  t.match((await filewright(shell, 'recalls')).note, 'No file was withdrawn')
})

t.test('a dry run writes no notes', async (t) => {
  const server = await hostileServer(t)
  const cwd = t.testdir({ here: { 'a.txt': CONTENT } })
  const shell = {
    cwd,
    env: { FILEWRIGHT_URL: server.url, FILEWRIGHT_TOKEN: 'a'.repeat(20), XDG_CONFIG_HOME: cwd }
  }

  t.match((await filewright(shell, 'sync', 'here', 'fw:p', '--dry-run')).note, 'would be marked')
  t.notOk(existsSync(join(cwd, 'here', NOTE)))
})

t.test('only a copy with the withdrawn bytes in the synchronised folder is marked', async (t) => {
  const root = folderOf(t, { 'a.txt': CONTENT, 'b/a.txt': CONTENT, 'other.txt': 'mine' })

  t.strictSame(await mark(root, { name: 'other.txt' }), [], 'other bytes')
  t.strictSame(await mark(root, { project_id: 'q' }), [], 'another project')
  t.strictSame(await mark(root, { project_id: null, name: null, folder: null }), [], 'an unknown place')
  t.strictSame(await mark(root, { folder: 'docs' }, 'do'), [], 'a folder that begins alike')
  t.strictSame(await mark(root, { name: 'missing.txt' }), [])
  t.strictSame(await mark(root, { folder: 'docs/b' }, 'docs'), ['b/a.txt'])
  t.strictSame(await mark(root), ['a.txt'])
  t.strictSame(await mark(root), [], 'once')
})

t.test('a hostile server cannot make it write outside the folder or overwrite files', async (t) => {
  const root = folderOf(t, { 'a.txt': CONTENT, [NOTE]: 'my own notes' })
  const outside = join(root, '..')
  writeFileSync(join(outside, 'a.txt'), CONTENT)
  mkdirSync(join(outside, 'elsewhere'))
  writeFileSync(join(outside, 'elsewhere', 'a.txt'), CONTENT)
  symlinkSync(join(outside, 'elsewhere'), join(root, 'link'))
  symlinkSync(join(outside, 'a.txt'), join(root, 'linked.txt'))
  writeFileSync(join(root, 'b.txt'), CONTENT)
  symlinkSync(join(outside, 'target'), join(root, 'b.txt.withdrawn.txt'))

  for (const change of [
    {},
    { folder: '..' },
    { folder: `../${basename(root)}/..` },
    { name: '../a.txt' },
    { folder: 'link' },
    { name: 'linked.txt' },
    { name: 'b.txt' },
    { name: '' },
    { name: '.' }
  ]) {
    t.strictSame(await mark(root, change), [], JSON.stringify(change))
  }
  t.equal(readFileSync(join(root, NOTE), 'utf8'), 'my own notes')
  for (const path of [NOTE, `elsewhere/${NOTE}`, 'target']) t.notOk(existsSync(join(outside, path)), path)
})

t.test("the note is never uploaded, but a user's file with such a name is", async (t) => {
  const root = folderOf(t, { 'a.txt': CONTENT, 'mine.withdrawn.txt': 'my own notes' })
  await mark(root)

  const tree = await readLocalTree(root)
  t.strictSame(
    tree?.files.map(({ path }) => path),
    ['a.txt', 'mine.withdrawn.txt']
  )
  t.ok(tree?.skipped.has(NOTE), 'nor does it count as missing')
  t.strictSame(
    (await filesIn(root)).map(({ path }) => path.slice(root.length + 1)),
    ['a.txt', 'mine.withdrawn.txt']
  )
  t.equal(sha256(CONTENT), recall.sha256)
})
