import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ROOT } from '../helpers/root.js'

const CALL = /^ *failpoint\('([\w.-]+)'\)/gm

function compiledFiles (): string[] {
  return ['apps', 'packages'].flatMap((parent) => readdirSync(join(ROOT, parent)).map((name) => join(ROOT, parent, name, 'dist', 'src')))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js')).map((name) => join(folder, name)))
}

const names = compiledFiles().flatMap((path) => [...readFileSync(path, 'utf8').matchAll(CALL)].map(([, name = '']) => name))

t.test('failpoints stand at the arrows of the flows, each name once', async (t) => {
  t.ok(names.length >= 12, `${names.length} points`)
  t.equal(new Set(names).size, names.length)
})

t.test('every failpoint is called on a line of its own, which is what the shipped builds leave out', async (t) => {
  for (const path of compiledFiles()) {
    const calls = readFileSync(path, 'utf8').match(/\bfailpoint\(['"`]/g) ?? []
    t.equal(calls.length, readFileSync(path, 'utf8').match(CALL)?.length ?? 0, path)
  }
})

t.test('no bundle knows the name of a failpoint, nor what to do at one', async (t) => {
  for (const app of ['gateway', 'admin', 'scan-worker', 'inference-worker']) {
    const folder = join(ROOT, 'apps', app, 'dist', 'bundle')
    const bundle = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
    t.strictSame(names.filter((name) => bundle.includes(`'${name}'`) || bundle.includes(`"${name}"`)), [], app)
    t.notOk(bundle.includes('FAILPOINTS'), app)
  }
})

t.test('the image is made without them too', async (t) => {
  const dockerfile = readFileSync(join(ROOT, 'infra', 'docker', 'Dockerfile'), 'utf8')
  const [, pattern = ''] = /sed -i "\/(.+)\/d"/.exec(dockerfile) ?? []

  // In sed's own words a bracket is a bracket.
  const removed = new RegExp(pattern.replace('(', '\\('))
  t.not(pattern, '', 'an empty pattern would match every line')
  for (const name of names) t.match(`            failpoint('${name}');`, removed)
  t.notMatch('            failpoints.clear();', removed)
})
