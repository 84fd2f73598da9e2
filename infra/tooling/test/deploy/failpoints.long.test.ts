import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { appNames } from '@filewright/runtime'
import { ROOT } from '../helpers/root.js'

const CALL = /\bFAILPOINT: failpoint\('([\w.-]+)'\)/g

function compiledFiles(): string[] {
  return ['apps', 'packages']
    .flatMap((parent) =>
      readdirSync(join(ROOT, parent)).map((name) => join(ROOT, parent, name, 'dist', 'src'))
    )
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.js'))
        .map((name) => join(folder, name))
    )
}

const names = compiledFiles().flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(CALL)].map(([, name = '']) => name)
)

t.test('failpoints are between the steps of the flows, each name once', async (t) => {
  t.ok(names.length >= 12, `${names.length} points`)
  t.equal(new Set(names).size, names.length)
})

/** The failpoints that an app's bundle contains. */
function pointsIn(app: string, kind: 'bundle' | 'failpoints'): string[] {
  const folder = join(ROOT, 'apps', app, 'dist', kind)
  const bundle = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
  return [...names, 'FAILPOINTS'].filter(
    (name) => bundle.includes(`'${name}'`) || bundle.includes(`"${name}"`)
  )
}

t.test('no shipped bundle contains a failpoint', async (t) => {
  for (const app of appNames) {
    t.strictSame(pointsIn(app, 'bundle'), [], app)
  }
})

t.test('the bundles for fault tests contain them all', async (t) => {
  execFileSync(process.execPath, [join(ROOT, 'infra', 'tooling', 'scripts', 'bundle.mjs'), '--failpoints'])

  const known = new Set(appNames.flatMap((app) => pointsIn(app, 'failpoints')))
  t.strictSame([...known].sort(), [...names, 'FAILPOINTS'].sort())
})
