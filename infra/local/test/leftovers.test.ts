import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { clearLeftovers } from '../src/leftovers.js'
import { identityOf } from '../src/process-identity.js'
import { tempFolder } from './helpers/temp-folder.js'

const never = new AbortController().signal

async function longRunning(t: Test, script = ''): Promise<number> {
  const child = spawn(process.execPath, ['-e', `${script}; setInterval(() => {}, 1000); console.log(1)`], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore']
  })
  t.teardown(() => {
    child.kill('SIGKILL')
  })
  await once(child.stdout, 'data')
  return child.pid ?? 0
}

t.test(
  'leftovers of a killed supervisor are stopped, even if they ignore SIGTERM, and its socket folder is removed',
  async (t) => {
    const path = join(tempFolder(t), 'stack.json')
    const socketDir = mkdtempSync(join(tmpdir(), 'filewright-'))
    const pids = {
      redis: await longRunning(t),
      clamd: await longRunning(t, 'process.on("SIGTERM", () => {})')
    }
    const identities = { redis: identityOf(pids.redis), clamd: identityOf(pids.clamd) }
    writeFileSync(path, JSON.stringify({ pids, identities, socketDir }))

    t.strictSame(await clearLeftovers(path, never), ['redis', 'clamd'])
    t.equal(identityOf(pids.redis), null)
    t.equal(identityOf(pids.clamd), null)
    t.notOk(existsSync(socketDir))
    t.notOk(existsSync(path))
  }
)

t.test('another process that now has the recorded pid is not touched', async (t) => {
  const path = join(tempFolder(t), 'stack.json')
  const pid = await longRunning(t)
  writeFileSync(
    path,
    JSON.stringify({ pids: { redis: pid }, identities: { redis: 'an earlier one' }, socketDir: '' })
  )

  t.strictSame(await clearLeftovers(path, never), [])
  t.ok(identityOf(pid))
})

t.test('a folder that cannot be ours is not touched', async (t) => {
  const folder = tempFolder(t)
  const path = join(folder, 'stack.json')
  writeFileSync(path, JSON.stringify({ pids: {}, identities: {}, socketDir: folder }))

  await clearLeftovers(path, never)

  t.ok(existsSync(folder))
})

t.test('nothing to clear when no stack ran', async (t) => {
  t.strictSame(await clearLeftovers(join(tempFolder(t), 'stack.json'), never), [])
})
