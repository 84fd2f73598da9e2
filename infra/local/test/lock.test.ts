import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { acquireLock } from '../src/lock.js'
import { identityOf } from '../src/process-identity.js'
import { tempFolder } from './helpers/temp-folder.js'

t.test('a second stack on the same folder is refused with one sentence that names the process', async (t) => {
  const folder = tempFolder(t)
  const path = join(folder, 'lock.json')
  acquireLock(path, folder)

  t.throws(() => acquireLock(path, folder), {
    message: `Filewright already runs on ${folder} (process ${process.pid}): stop it first, or set another DATA_DIR.`
  })
})

t.test('a released lock leaves nothing and can be taken again', async (t) => {
  const folder = tempFolder(t)
  const path = join(folder, 'lock.json')

  acquireLock(path, folder).release()

  t.strictSame(readdirSync(folder), [])
  t.doesNotThrow(() => acquireLock(path, folder))
})

t.test('the lock of a dead process is taken over', async (t) => {
  const folder = tempFolder(t)
  const path = join(folder, 'lock.json')
  const { pid } = spawnSync(process.execPath, ['--version'])
  writeFileSync(path, JSON.stringify({ pid, identity: 'long ago' }))

  acquireLock(path, folder)

  t.match(JSON.parse(readFileSync(path, 'utf8')), { pid: process.pid, identity: identityOf(process.pid) })
  t.strictSame(readdirSync(folder), ['lock.json'])
})

t.test('a lock whose pid now belongs to another process is taken over', async (t) => {
  const folder = tempFolder(t)
  const path = join(folder, 'lock.json')
  writeFileSync(path, JSON.stringify({ pid: process.pid, identity: 'another process with this number' }))

  t.doesNotThrow(() => acquireLock(path, folder))
})

t.test('an unreadable lock is taken over', async (t) => {
  const folder = tempFolder(t)
  const path = join(folder, 'lock.json')
  writeFileSync(path, '{ half a')

  t.doesNotThrow(() => acquireLock(path, folder))
})

t.test('releasing does not remove a lock that is no longer ours', async (t) => {
  const folder = tempFolder(t)
  const path = join(folder, 'lock.json')
  const lock = acquireLock(path, folder)
  writeFileSync(path, 'somebody else')

  lock.release()

  t.ok(existsSync(path))
})
