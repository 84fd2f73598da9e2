import { existsSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import t, { type Test } from 'tap'
import { expand } from '../src/expand.js'

/** Creates a folder with these files and returns the names that a pattern selects, in order. */
async function selecting(t: Test, names: readonly string[]): Promise<(pattern: string) => Promise<string[]>> {
  const folder = t.testdir({})
  for (const name of names) {
    await mkdir(join(folder, dirname(name)), { recursive: true })
    await writeFile(join(folder, name), '')
  }
  return async (pattern) => (await expand([pattern], folder)).map(({ path }) => relative(folder, path))
}

t.test('a class with an exclamation mark or a caret selects the other names', async (t) => {
  const select = await selecting(t, ['a.txt', 'an.txt', 'b.txt', '!a.txt', '^a.txt', 'a^b.txt'])

  t.strictSame(await select('[!a]*.txt'), ['!a.txt', '^a.txt', 'b.txt'])
  t.strictSame(await select('[^a]*.txt'), ['!a.txt', '^a.txt', 'b.txt'])
  t.strictSame(await select('[a-b].txt'), ['a.txt', 'b.txt'])
})

t.test('a comma separates alternatives only between braces', async (t) => {
  const select = await selecting(t, [
    'report,v1.txt',
    'report,v12.txt',
    'report-secret.key',
    'v1.txt',
    'report'
  ])

  t.strictSame(await select('report,v1*.txt'), ['report,v1.txt', 'report,v12.txt'])
  t.strictSame(await select('{report,v1}*.txt'), ['report,v1.txt', 'report,v12.txt', 'v1.txt'])
})

t.test('brackets, braces, parentheses and other special characters in a name match themselves', async (t) => {
  const select = await selecting(t, [
    '[a].txt',
    '{a.txt',
    'a(1).txt',
    'a1.txt',
    '#a.txt',
    '!a.txt',
    'a+b.txt',
    'a|b.txt',
    '$a.txt'
  ])

  t.strictSame(await select('[[]*.txt'), ['[a].txt'])
  t.strictSame(await select('[a*'), ['[a].txt'])
  t.strictSame(await select('{a*'), ['{a.txt'])
  t.strictSame(await select('a(1)*'), ['a(1).txt'])
  t.strictSame(await select('#*'), ['#a.txt'])
  t.strictSame(await select('!a*'), ['!a.txt'])
  t.strictSame(await select('a+*'), ['a+b.txt'])
  t.strictSame(await select('a|*'), ['a|b.txt'])
  t.strictSame(await select('$*'), ['$a.txt'])
})

t.test('an existing file whose name looks like a pattern is selected as that file', async (t) => {
  const select = await selecting(t, ['[a].txt', 'a.txt', '{a,b}.txt', 'b.txt', '*.txt'])

  for (const name of ['[a].txt', '{a,b}.txt', '*.txt']) t.strictSame(await select(name), [name])
})

t.test('a leading dash, a newline and a name with surrogate pairs are selected', async (t) => {
  const select = await selecting(t, ['-rf.txt', 'new\nline.txt', 'in\nfolder/a.txt', '😀.txt'])

  t.strictSame(await select('-*.txt'), ['-rf.txt'])
  t.strictSame(await select('new*.txt'), ['new\nline.txt'])
  t.strictSame(await select('**/a.txt'), ['in\nfolder/a.txt'])
  t.strictSame(await select('?.txt'), ['😀.txt'])
})

t.test('both Unicode forms select a name, and a class does not match a base letter', async (t) => {
  const decomposed = 'e\u0301te.txt'
  const select = await selecting(t, [decomposed, 'end.txt'])

  for (const form of ['NFC', 'NFD']) {
    t.strictSame(await select('\u00e9*.txt'.normalize(form)), [decomposed], form)
    t.strictSame(await select('[\u00e9]*.txt'.normalize(form)), [decomposed], form)
    t.strictSame(await select('?te.txt'), [decomposed], form)
  }
})

t.test('hidden files and folders are selected only by a pattern that begins with a dot', async (t) => {
  const select = await selecting(t, ['.env', 'a.txt', '.git/config', 'sub/.env', 'sub/b.txt'])

  t.strictSame(await select('*'), ['a.txt'])
  t.strictSame(await select('**'), ['a.txt', 'sub/b.txt'])
  t.strictSame(await select('.e*'), ['.env'])
  t.strictSame(await select('**/.env'), ['.env', 'sub/.env'])
  t.strictSame(await select('.git/*'), ['.git/config'])
})

t.test('files keep their folder below the fixed part of the pattern', async (t) => {
  const folder = t.testdir({
    src: { 'a.ts': '', deep: { 'b.ts': '' } },
    test: { 'c.ts': '' },
    other: { 'd.ts': '' }
  })
  const selected = async (pattern: string, cwd = folder): Promise<string[]> =>
    (await expand([pattern], cwd)).map((file) => `${file.folder}|${basename(file.path)}`)

  t.strictSame(await selected('src/**/*.ts'), ['|a.ts', 'deep|b.ts'])
  t.strictSame(await selected('./src/*.ts'), ['|a.ts'])
  t.strictSame(await selected('../src/*.ts', join(folder, 'test')), ['|a.ts'])
  t.strictSame(await selected(`${folder}/src/*.ts`), ['|a.ts'])
  t.strictSame(await selected('{src,test}/*.ts'), ['src|a.ts', 'test|c.ts'])
  t.strictSame(await selected('{src/deep,test}/*.ts'), ['src/deep|b.ts', 'test|c.ts'])
})

t.test('links are not followed', async (t) => {
  const folder = t.testdir({ 'a.txt': '', open: { 'c.txt': '' } })
  await symlink(folder, join(folder, 'open', 'loop'))

  t.equal((await expand(['open/**/*.txt'], folder)).length, 1)
})

t.test(
  'folders that a pattern cannot reach are not opened',
  {
    skip: existsSync('/proc/version')
      ? false
      : 'there is no /proc, whose folders vanish and cannot all be read'
  },
  async (t) => {
    t.strictSame(await expand(['/proc/vers?on'], '/'), [{ path: '/proc/version', folder: '' }])
  }
)

t.test('a pattern without a match is reported', async (t) => {
  const folder = t.testdir({ 'a.txt': '' })

  for (const pattern of ['*.pdf', 'absent/*.txt', 'a.txt/*', '@(a|b)*.txt', 'a.tx?/']) {
    await t.rejects(expand([pattern], folder), { message: `${pattern}: no file matches this pattern` })
  }
})
