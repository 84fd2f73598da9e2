import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { filesBelow, someFiles } from '../../src/gather/folder.js'
import { createRandom } from '../../src/random.js'

async function folderWith(t: Test, names: readonly string[]): Promise<string> {
  const folder = t.testdir()
  for (const name of names) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), name)
  }
  return folder
}

t.test('ordinary files at every depth are found, links and repositories are not followed', async (t) => {
  const folder = await folderWith(t, ['a.txt', 'deep/er/b.txt', '.git/config'])
  await symlink('/', join(folder, 'root'))

  const found = await filesBelow(folder)

  t.strictSame(found.map((path) => basename(path)).sort(), ['a.txt', 'b.txt'])
})

t.test('a limited number of files of each extension is taken, the same for the same seed', async (t) => {
  const names = Array.from({ length: 20 }, (_, i) => `${i}.txt`)
  const folder = await folderWith(t, [...names, 'one.PNG'])
  const chosen = async (seed: number): Promise<string[]> =>
    (await someFiles(folder, 'here', { random: createRandom(seed), perExtension: 3 })).map(({ name }) => name)

  const first = await chosen(1)

  t.equal(first.length, 4)
  t.ok(first.includes('one.PNG'))
  t.strictSame(await chosen(1), first)
  t.strictNotSame(await chosen(2), first)
})

t.test('a missing file does not end a run', async (t) => {
  t.strictSame(await filesBelow(join(t.testdir(), 'absent')), [])
})
