import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'

interface Lib {
  bundleTestFiles: (options: {
    root: string
    folder: string
    files: readonly string[]
  }) => Promise<(file: string) => string>
}
const { bundleTestFiles } = (await import(
  new URL('../../../bin/lib/test-bundles.mjs', import.meta.url).href
)) as Lib

function project(t: Test, count: number) {
  const root = t.testdir({ 'package.json': '{"type":"module"}' })
  for (const folder of ['a/dist/src', 'a/dist/test']) mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(
    join(root, 'a/dist/src/own.js'),
    'export const own = [import.meta.url, import.meta.dirname]\n'
  )
  const files = Array.from({ length: count }, (_, number) => `a/dist/test/${number}.test.js`)
  for (const file of files) {
    writeFileSync(
      join(root, file),
      "import { own } from '../src/own.js'\nconsole.log([...own, import.meta.url].join(' '))\n"
    )
  }
  return { root, files, folder: join(root, 'bundles') }
}

t.test('a bundle runs by itself, and its modules keep the addresses of their files', async (t) => {
  const { root, files, folder } = project(t, 20)

  const bundleOf = await bundleTestFiles({ root, folder, files })

  const urlOf = (file: string) => pathToFileURL(join(root, file)).href
  t.equal(bundleOf('a/dist/test/7.test.js'), join(folder, 'a/dist/test/7.test.js'))
  t.equal(
    execFileSync(process.execPath, [bundleOf('a/dist/test/7.test.js')], { encoding: 'utf8' }),
    `${urlOf('a/dist/src/own.js')} ${join(root, 'a/dist/src')} ${urlOf('a/dist/test/7.test.js')}\n`
  )
  t.equal(bundleOf('b/dist/test/of-another-suite.test.js'), 'b/dist/test/of-another-suite.test.js')
})

t.test('a few files are run as they are', async (t) => {
  const { root, files, folder } = project(t, 3)

  const bundleOf = await bundleTestFiles({ root, folder, files })

  t.equal(bundleOf('a/dist/test/1.test.js'), 'a/dist/test/1.test.js')
})
