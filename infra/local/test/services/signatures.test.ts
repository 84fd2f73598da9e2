import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { linkSystemSignatures } from '../../src/services/clamd.js'
import {
  fetchSignatures,
  startSignatureUpdates,
  type SignatureUpdatesDeps
} from '../../src/services/freshclam.js'
import { tempFolder } from '../helpers/temp-folder.js'

t.test("the system's official signatures are linked, and dangling links are removed", async (t) => {
  const root = tempFolder(t)
  const [own, system] = [join(root, 'own'), join(root, 'system')]
  for (const folder of [own, system]) mkdirSync(folder)
  writeFileSync(join(own, 'fetched.cvd'), '')
  symlinkSync('/nowhere/old.cvd', join(own, 'old.cvd'))
  for (const name of ['main.cvd', 'daily.cld', 'freshclam.dat']) writeFileSync(join(system, name), '')

  linkSystemSignatures(own, system)

  t.strictSame(readdirSync(own).sort(), ['daily.cld', 'fetched.cvd', 'main.cvd'])
  t.ok(lstatSync(join(own, 'main.cvd')).isSymbolicLink())
})

t.test('a system without signatures adds none', async (t) => {
  const folder = join(tempFolder(t), 'own')

  linkSystemSignatures(folder, '/nowhere')

  t.strictSame(readdirSync(folder), [])
})

/** A reachable mirror, a clamd that accepts reloads, and a freshclam that writes one file. */
async function setUp(t: Test, script: string) {
  const root = tempFolder(t)
  const signaturesDir = join(root, 'signatures')
  mkdirSync(signaturesDir)
  const program = join(root, 'freshclam')
  writeFileSync(program, `#!/bin/sh\n${script}\n`)
  chmodSync(program, 0o755)
  const mirror = createHttpServer((_request, response) => {
    response.end()
  }).listen(0, '127.0.0.1')
  const asked: string[] = []
  const clamd = createServer((socket) => {
    socket.on('data', (data) => {
      asked.push(data.toString())
      socket.end('RELOADING\0')
    })
  }).listen(0, '127.0.0.1')
  await Promise.all([once(mirror, 'listening'), once(clamd, 'listening')])
  t.teardown(() => {
    mirror.closeAllConnections()
    mirror.close()
    clamd.close()
  })
  const notices: string[] = []
  const deps: SignatureUpdatesDeps = {
    signaturesDir,
    socketDir: root,
    clamd: { host: '127.0.0.1', port: (clamd.address() as AddressInfo).port },
    guard: (command, args) => ({ command, args }),
    notice: (line) => {
      notices.push(line)
    },
    signal: new AbortController().signal,
    env: { PATH: process.env.PATH, SIGNATURES: signaturesDir },
    mirror: `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`
  }
  return { root, program, deps, asked, notices }
}

t.test('downloaded signatures are loaded by clamd and reported once', async (t) => {
  const { root, program, deps, asked, notices } = await setUp(t, 'touch "$SIGNATURES/main.cvd"')

  await fetchSignatures(program, deps)
  await fetchSignatures(program, deps)

  t.strictSame(asked, ['zRELOAD\0', 'zRELOAD\0'])
  t.equal(notices.length, 1)
  t.match(readFileSync(join(root, 'freshclam.conf'), 'utf8'), /^DatabaseDirectory /)
})

t.test('a failing freshclam does not affect clamd and prints nothing', async (t) => {
  const { program, deps, asked, notices } = await setUp(t, 'exit 1')

  await t.rejects(fetchSignatures(program, deps))
  t.strictSame([asked, notices], [[], []])
})

t.test('freshclam is not started while the mirrors are unreachable', async (t) => {
  const { program, deps } = await setUp(t, 'touch "$SIGNATURES/main.cvd"')

  await t.rejects(fetchSignatures(program, { ...deps, mirror: 'http://127.0.0.1:1' }))
  t.strictSame(readdirSync(deps.signaturesDir), [])
})

t.test('a machine without freshclam works without it', async (t) => {
  const { deps } = await setUp(t, '')

  t.doesNotThrow(() => startSignatureUpdates({ ...deps, find: () => null }))
})
