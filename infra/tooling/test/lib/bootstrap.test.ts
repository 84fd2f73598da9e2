import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { ROOT } from '../helpers/root.js'

interface Lib {
  SUPPORTED_NODE: string
  nodeProblem: (version: string) => string | null
  isInstalled: (root: string) => boolean
  isBuilt: (root: string) => boolean
  sourceFingerprint: (root: string) => string
  writeJson: (path: string, value: unknown) => void
  findTestFiles: (root: string, patterns: string[]) => string[]
  withBootstrapLock: (root: string, work: () => Promise<unknown>) => Promise<unknown>
}

const modules = await Promise.all(
  ['node-version', 'install', 'build', 'test-files', 'bootstrap-lock'].map(
    async (name) =>
      (await import(new URL(`../../../bin/lib/${name}.mjs`, import.meta.url).href)) as Partial<Lib>
  )
)
const lib = Object.assign({}, ...modules) as Lib

const LEFT_PAD = { version: '1.0.0', integrity: 'sha512-a' }

function put(root: string, path: string, content: unknown): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content))
}

function checkout(t: Test): string {
  // A folder with a space in its name, which real folders often have.
  const root = join(t.testdir({ 'a checkout': {} }), 'a checkout')
  put(root, 'package-lock.json', {
    packages: {
      '': {},
      'node_modules/left-pad': LEFT_PAD,
      'node_modules/other-system': { version: '2.0.0', optional: true }
    }
  })
  put(root, 'packages/a/tsconfig.json', {})
  put(root, 'packages/a/src/index.ts', 'export {}')
  put(root, 'packages/a/test/one.test.ts', '')
  put(root, 'packages/a/dist/.tsbuildinfo', '')
  put(root, 'packages/a/dist/test/one.test.js', '')
  return root
}

t.test('package.json names the supported versions of Node.js that a start checks', async (t) => {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    engines: { node: string }
  }

  t.equal(engines.node, lib.SUPPORTED_NODE)
})

t.test('an unsupported Node.js is reported in one line, with the supported versions', async (t) => {
  t.equal(
    lib.nodeProblem('20.18.3'),
    'Filewright needs Node.js 20.19 or newer, 22.13 or newer, or 24 and later. This is Node.js 20.18.3.'
  )
  for (const version of ['18.20.0', '21.7.3', '22.12.0', '23.11.1']) {
    t.match(lib.nodeProblem(version), /needs Node\.js 20\.19/, version)
  }
  for (const version of ['20.19.0', '20.20.2', '22.13.0', '24.0.0', '25.1.0', '26.1.0']) {
    t.equal(lib.nodeProblem(version), null, version)
  }
})

t.test('without node_modules the dependencies are missing', async (t) => {
  t.equal(lib.isInstalled(checkout(t)), false)
})

t.test('a manual npm install that matches the lock file counts, and is remembered', async (t) => {
  const root = checkout(t)
  put(root, 'node_modules/.package-lock.json', { packages: { 'node_modules/left-pad': LEFT_PAD } })

  t.equal(lib.isInstalled(root), true)
  rmSync(join(root, 'node_modules', '.package-lock.json'))
  t.equal(lib.isInstalled(root), true)
})

t.test('an install that does not match the lock file does not count', async (t) => {
  const root = checkout(t)
  put(root, 'node_modules/.package-lock.json', {
    packages: { 'node_modules/left-pad': { ...LEFT_PAD, version: '0.9.0' } }
  })

  t.equal(lib.isInstalled(root), false)
})

t.test('a changed lock file makes the dependencies stale', async (t) => {
  const root = checkout(t)
  put(root, 'node_modules/.package-lock.json', { packages: { 'node_modules/left-pad': LEFT_PAD } })
  lib.isInstalled(root)

  put(root, 'package-lock.json', { packages: {} })

  t.equal(lib.isInstalled(root), false)
})

t.test('a build is fresh until a source is changed, added or removed, or its output is gone', async (t) => {
  const root = checkout(t)
  const stamp = (): void =>
    lib.writeJson(join(root, 'node_modules/.cache/filewright/build.json'), {
      sources: lib.sourceFingerprint(root)
    })
  t.equal(lib.isBuilt(root), false)
  stamp()
  t.equal(lib.isBuilt(root), true)

  utimesSync(join(root, 'packages/a/src/index.ts'), 1, 1)
  t.equal(lib.isBuilt(root), false, 'changed')
  stamp()
  put(root, 'packages/a/src/new.ts', '')
  t.equal(lib.isBuilt(root), false, 'appeared')
  stamp()
  rmSync(join(root, 'packages/a/src/new.ts'))
  t.equal(lib.isBuilt(root), false, 'gone')
  stamp()
  rmSync(join(root, 'packages/a/dist'), { recursive: true })
  t.equal(lib.isBuilt(root), false, 'no output')
})

t.test('files written by the build do not make it stale', async (t) => {
  const root = checkout(t)
  const before = lib.sourceFingerprint(root)

  put(root, 'packages/a/dist/src/index.js', '')
  put(root, 'packages/a/src/generated/client.ts', '')
  put(root, 'packages/a/.turbo/turbo-build.log', '')

  t.equal(lib.sourceFingerprint(root), before)
})

t.test(
  "a compiled test without a source does not run, and a pattern selects by the source's path",
  async (t) => {
    const root = checkout(t)
    put(root, 'packages/a/dist/test/deleted.test.js', '')
    put(root, 'packages/a/dist/test/deep/two.test.js', '')
    put(root, 'packages/a/test/deep/two.test.ts', '')

    t.strictSame(lib.findTestFiles(root, []), [
      'packages/a/dist/test/deep/two.test.js',
      'packages/a/dist/test/one.test.js'
    ])
    t.strictSame(lib.findTestFiles(root, ['a/test/*two']), ['packages/a/dist/test/deep/two.test.js'])
    t.strictSame(lib.findTestFiles(root, ['nothing']), [])
  }
)

t.test("two bootstraps of one checkout take turns, and a dead one's lock is ignored", async (t) => {
  const root = checkout(t)
  put(root, '.turbo/bootstrap.lock', '4194304999')
  const events: string[] = []
  const work = (name: string) => async () => {
    events.push(`${name} begins`)
    await new Promise((resolve) => setImmediate(resolve))
    events.push(`${name} ends`)
  }

  await Promise.all([lib.withBootstrapLock(root, work('a')), lib.withBootstrapLock(root, work('b'))])

  t.strictSame(events, ['a begins', 'a ends', 'b begins', 'b ends'])
})
