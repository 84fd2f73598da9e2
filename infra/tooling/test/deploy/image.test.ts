import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t from 'tap'
import { appArguments, type AppName } from '@filewright/runtime'
import { ROOT } from '../helpers/root.js'

/** What an image may hold of ours, beyond Node. */
const MAX_MB: Record<AppName, number> = { gateway: 60, admin: 30, 'scan-worker': 30, 'inference-worker': 70 }
const SETTINGS = { gateway: /DATABASE_URL is required/, admin: /token create/, 'scan-worker': /REDIS_URL is required/, 'inference-worker': /REDIS_URL is required/ }
/** Data, or modules of WebAssembly, which Node does not import by themselves. */
const NOT_LOADED = ['@filewright/db', 'swagger-ui-dist', '@wasm-fmt/gofmt', '@prisma/schema-engine-wasm']

const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

for (const app of Object.keys(MAX_MB) as AppName[]) {
  t.test(`the image of ${app}`, async (t) => {
    // Outside the checkout, where nothing is found that was not packed.
    const folder = mkdtempSync(join(tmpdir(), `filewright-image-${app}-`))
    t.teardown(() => { rmSync(folder, { recursive: true }) })
    execFileSync(process.execPath, [join(ROOT, 'infra', 'tooling', 'scripts', 'pack.mjs'), app, folder])
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => !lstatSync(join(folder, path)).isDirectory())
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }

    t.test('holds, byte for byte, the files that npm start runs', async (t) => {
      const bundle = dirname(appArguments(ROOT, app).at(-1) ?? '')
      const own = files.filter((path) => !path.startsWith('node_modules'))

      t.ok(own.includes('main.js'))
      for (const path of own) t.equal(hashOf(join(folder, path)), hashOf(join(bundle, path)), path)
      // A part that is missing would be noticed only when it is loaded.
      const named = own.flatMap((path) => readFileSync(join(folder, path), 'utf8').match(/\bpart-[A-Z0-9]{8}\.js\b/g) ?? [])
      t.strictSame([...new Set(named)].filter((part) => !own.includes(part)), [])
    })

    t.test('is small, and has nothing in it that is never run', async (t) => {
      const megabytes = files.reduce((sum, path) => sum + lstatSync(join(folder, path)).size, 0) / 1e6

      t.comment(`${megabytes.toFixed(1)} MB`)
      t.ok(megabytes <= MAX_MB[app], `${megabytes.toFixed(1)} MB`)
      t.strictSame(files.filter((path) => /\.(map|[cm]?ts)$/.test(path) || lstatSync(join(folder, path)).isSymbolicLink()), [])
    })

    t.test('starts, and finds every package that the bundle leaves outside', async (t) => {
      const { stdout, stderr } = spawnSync(process.execPath, ['main.js'], { cwd: folder, env: {}, encoding: 'utf8' })
      t.match(stdout + stderr, SETTINGS[app])

      const script = Object.keys(dependencies).filter((name) => !NOT_LOADED.includes(name)).map((name) => `await import('${name}')`).join('\n')
      const loaded = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder, env: {}, encoding: 'utf8' })
      t.equal(loaded.stderr, '')
      t.equal(loaded.status, 0)
    })

    t.equal(existsSync(join(folder, 'node_modules', '@filewright', 'db', 'prisma', 'migrations')), '@filewright/db' in dependencies)
  })
}
