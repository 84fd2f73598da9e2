import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t from 'tap'
import { appArguments, type AppName } from '@filewright/runtime'
import { ROOT } from '../helpers/root.js'

/** Maximum size of our part of an image, beyond Node. */
const MAX_MB: Record<AppName, number> = {
  gateway: 60,
  admin: 30,
  'scan-worker': 30,
  'inference-worker': 75,
  'delivery-worker': 25
}
/** The file with the licences of all packages in an image. */
const NOTICES = 'THIRD-PARTY-NOTICES.txt'
/** The first output of each app when it is started without settings. */
const FIRST_WORDS: Record<AppName, RegExp> = {
  gateway: /DATABASE_URL is required/,
  admin: /token create/,
  'scan-worker': /REDIS_URL is required/,
  'inference-worker': /REDIS_URL is required/,
  'delivery-worker': /REDIS_URL is required/
}
/** Data, or modules of WebAssembly, which Node does not import by themselves. */
const NOT_LOADED = [
  '@filewright/db',
  '@filewright/console',
  '@bull-board/ui',
  'swagger-ui-dist',
  '@wasm-fmt/gofmt',
  'pyodide',
  '@prisma/schema-engine-wasm'
]

t.setTimeout(300_000)

const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

for (const app of Object.keys(MAX_MB) as AppName[]) {
  t.test(`the image of ${app}`, async (t) => {
    // Outside the checkout, so that only packed files are found.
    const folder = mkdtempSync(join(tmpdir(), `filewright-image-${app}-`))
    t.teardown(() => rmSync(folder, { recursive: true }))
    execFileSync(process.execPath, [join(ROOT, 'infra', 'tooling', 'scripts', 'pack.mjs'), app, folder])
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (path) => !lstatSync(join(folder, path)).isDirectory()
    )
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const { dependencies } = manifest as { dependencies: Record<string, string> }

    t.test('contains, byte for byte, the files that npm start runs', async (t) => {
      const bundle = dirname(appArguments(ROOT, app).at(-1) ?? '')
      const own = files.filter((path) => !path.startsWith('node_modules') && path !== NOTICES)

      t.ok(own.includes('main.js'))
      for (const path of own) t.equal(hashOf(join(folder, path)), hashOf(join(bundle, path)), path)
      // A missing file would be noticed only when it is loaded.
      const named = own.flatMap(
        (path) => readFileSync(join(folder, path), 'utf8').match(/\bpart-[A-Z0-9]{8}\.js\b/g) ?? []
      )
      t.strictSame(
        [...new Set(named)].filter((part) => !own.includes(part)),
        []
      )
    })

    t.test('includes the licences of the bundled packages', async (t) => {
      t.match(readFileSync(join(folder, 'licenses.txt'), 'utf8'), /^pino \S+ \(MIT\)$/m)
      const notices = readFileSync(join(folder, NOTICES), 'utf8')
      for (const name of Object.keys(dependencies).filter((each) => !each.startsWith('@filewright/'))) {
        t.ok(notices.includes(`\n${name} `), name)
      }
    })

    t.test('is small, and contains no unused files', async (t) => {
      const megabytes = files.reduce((sum, path) => sum + lstatSync(join(folder, path)).size, 0) / 1e6

      t.comment(`${megabytes.toFixed(1)} MB`)
      t.ok(megabytes <= MAX_MB[app], `${megabytes.toFixed(1)} MB`)
      const isLink = (path: string): boolean => lstatSync(join(folder, path)).isSymbolicLink()
      t.strictSame(
        files.filter((path) => /\.(map|[cm]?ts)$/.test(path) || isLink(path)),
        []
      )
    })

    t.test('starts, and finds every package outside the bundle', async (t) => {
      const node = (...args: string[]) =>
        spawnSync(process.execPath, args, { cwd: folder, env: {}, encoding: 'utf8' })
      const { stdout, stderr } = node('main.js')
      t.match(stdout + stderr, FIRST_WORDS[app])

      const bundle = files
        .filter((path) => /^[^/]+\.js$/.test(path))
        .map((path) => readFileSync(join(folder, path), 'utf8'))
        .join('\n')
      const asked = [
        ...bundle.matchAll(/\b(?:from |import\(|require\()"((?:@[\w.-]+\/)?[\w.-]+)(\/[^"]+)?"/g)
      ].flatMap(([, name = '', path = '']) => (name in dependencies ? [`${name}${path}`] : []))
      const loaded = new Set(
        [...Object.keys(dependencies), ...asked].filter((name) => !NOT_LOADED.includes(name))
      )
      const imports = node(
        '--input-type=module',
        '-e',
        [...loaded].map((name) => `await import('${name}')`).join('\n')
      )
      t.strictSame([imports.status, imports.stderr], [0, ''], [...loaded].join(', '))
    })

    const migrations = join(folder, 'node_modules', '@filewright', 'db', 'prisma', 'migrations')
    t.equal(existsSync(migrations), '@filewright/db' in dependencies)
  })
}
