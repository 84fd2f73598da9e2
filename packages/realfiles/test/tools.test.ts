import t from 'tap'
import { missingTools } from '../src/tools.js'

t.test('missing tools are installed once, with a message', async (t) => {
  const present = new Set(['zip'])
  const said: string[] = []
  const installed: string[][] = []
  const install = async (packages: readonly string[]): Promise<void> => {
    installed.push([...packages])
    present.add('7zz').add('xz')
  }

  const missing = await missingTools(['zip', '7zz', 'xz', '7zz'], {
    find: (name) => (present.has(name) ? name : null),
    install,
    say: (line) => {
      said.push(line)
    }
  })

  t.strictSame(installed, [['7zip', 'xz-utils']])
  t.equal(missing.size, 0)
  t.match(said, [/Installing 7zip, xz-utils/])
})

t.test('tools that cannot be installed are named and skipped', async (t) => {
  const said: string[] = []

  const missing = await missingTools(['zip', '7zz'], {
    find: (name) => (name === 'zip' ? name : null),
    install: null,
    say: (line) => {
      said.push(line)
    }
  })

  t.strictSame([...missing], ['7zz'])
  t.match(said, [/Skipped because a program is missing: 7zz/])
})

t.test('a failing installation does not end the run', async (t) => {
  const missing = await missingTools(['7zz'], {
    find: () => null,
    install: async () => {
      throw new Error('no network')
    },
    say: () => {}
  })

  t.strictSame([...missing], ['7zz'])
})
