import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import t from 'tap'
import { appNames } from '@filewright/runtime'
import { ROOT } from '../helpers/root.js'

const textOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
const bundleOf = (app: string): string => textOf(join(ROOT, 'apps', app, 'dist', 'bundle'))

// esbuild does not know the names in the banner of every file, so it would declare one of ours with the same
// name twice.
t.test('every file of every bundle is valid JavaScript', async (t) => {
  for (const app of appNames) {
    const folder = join(ROOT, 'apps', app, 'dist', 'bundle')
    // Only the files that the entries import, because files of earlier builds are kept for a while.
    const names = new Set(
      readdirSync(folder).filter((file) => file.endsWith('.js') && !file.startsWith('part-'))
    )
    for (const name of names) {
      const imported = readFileSync(join(folder, name), 'utf8').matchAll(/["']\.\/(part-\w+\.js)["']/g)
      for (const [, part = ''] of imported) names.add(part)
      await t.resolves(
        transform(readFileSync(join(folder, name), 'utf8'), { format: 'esm', logLevel: 'silent' }),
        `${app}/${name}`
      )
    }
  }
})

/** The files loaded at startup: the entry and its static imports, without dynamic ones. */
function loadedAtStart(folder: string): string[] {
  const files = ['main.js']
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8')
    for (const [, part = ''] of text.matchAll(/^(?:import|export|\})[^;]*?"\.\/(part-\w+\.js)";/gm)) {
      if (!files.includes(part)) files.push(part)
    }
  }
  return files
}

t.test("no app loads Amazon's SDK at startup, and those that may need it include it", async (t) => {
  for (const app of ['gateway', 'admin', 'scan-worker']) {
    const folder = join(ROOT, 'apps', app, 'dist', 'bundle')
    const has = (file: string): boolean =>
      readFileSync(join(folder, file), 'utf8').includes('// node_modules/@aws-sdk/')

    t.strictSame(loadedAtStart(folder).filter(has), [], app)
    const later = readdirSync(folder).filter((file) => file.endsWith('.js') && has(file))
    t.ok(later.length > 0, app)
  }
})

const sourcesOfErrors = ['apps', 'packages']
  .flatMap((parent) => readdirSync(join(ROOT, parent)).map((name) => join(ROOT, parent, name, 'dist', 'src')))
  .filter(existsSync)
  .map(textOf)
  .join('\n')
const ourErrors = [...sourcesOfErrors.matchAll(/^(?:export )?class (\w+) extends \w*Error\b/gm)].map(
  ([, name = '']) => name
)

t.test('each of our error classes sets its own name', async (t) => {
  t.ok(ourErrors.includes('AppError'))
  for (const name of ourErrors) t.ok(new RegExp(`\\bname = '${name}'`).test(sourcesOfErrors), name)
})

// The log takes an error's type from its class. esbuild renames a class where two share a name (`Refusal2`)
// or where it refers to itself (`_Refusal`).
t.test('no bundle renames one of our error classes', async (t) => {
  const any = ourErrors.join('|')
  const renamed = new RegExp(`\\b(class|var) (_?(${any})\\d+|_(${any}))\\b`, 'g')
  // Amazon's SDK has a class with the same name as one of ours, and renames it itself.
  const withoutSdk = (text: string): string => text.replaceAll(/class \w+ extends \w+ServiceException\b/g, '')
  for (const app of appNames) t.strictSame(withoutSdk(bundleOf(app)).match(renamed), null, app)
})

/**
 * Error classes that are not ours: JavaScript's, Node's, css-tree's, those of Amazon's SDK, and of a Valkey
 * client that is not installed.
 */
const FOREIGN = [
  'AbortError',
  'SyntaxError',
  'InvalidChunkSizeError',
  'TimeoutError',
  'RuntimeError',
  'SyntaxMatchError',
  'ClosingError'
]

t.test('an error that is recognized by name has that name in every bundle', async (t) => {
  for (const app of appNames) {
    const bundle = bundleOf(app)
    const told = new Set(
      bundle
        .split('\n')
        .flatMap((line) =>
          [...line.matchAll(/\.name [!=]==? "(\w+Error)"/g)].flatMap(([, name = '']) =>
            line.includes(`.${name} || `) || FOREIGN.includes(name) ? [] : [name]
          )
        )
    )

    t.ok(told.has('ReplyError'), app)
    // Either the class keeps its name, which then is the error's, or the name is set.
    const isSet = (name: string): boolean =>
      new RegExp(`\\b(class ${name}|var ${name} = class|name[:=] ?"${name}"|name = "${name}")`).test(bundle)
    for (const name of told) t.ok(isSet(name), `${app}: ${name}`)
  }
})

t.test('a bundle can write a human-readable log', async (t) => {
  const child = spawn(process.execPath, [join(ROOT, 'apps', 'scan-worker', 'dist', 'bundle', 'main.js')], {
    env: {
      LOG_PRETTY: 'true',
      REDIS_URL: 'redis://127.0.0.1:1',
      BLOB_DIR: t.testdir(),
      CLAMD_SOCKET: '/nonexistent',
      PROBE_PORT: '0'
    }
  })
  t.teardown(() => child.kill('SIGKILL'))

  const [first] = (await once(child.stdout, 'data')) as [Buffer]
  t.match(first.toString(), /^\[[\d:.]+\] \S*(INFO|WARN|ERROR)/)
})
