import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ensureAccessToken } from '../src/access-token.js'
import { prepareDataFolder } from '../src/data-folder.js'
import { dataPaths } from '../src/paths.js'
import { createStackFile } from '../src/stack-file.js'
import { STACK_FACTS } from './helpers/stack-facts.js'
import { tempFolder } from './helpers/temp-folder.js'

t.test('the folder is accessible only to its owner', async (t) => {
  const paths = dataPaths(join(tempFolder(t), 'a', 'data'))

  prepareDataFolder(paths)

  for (const folder of [paths.root, paths.run, paths.logs]) t.equal(statSync(folder).mode & 0o777, 0o700)
})

t.test('a folder with open permissions is restricted, with the secrets and databases in it', async (t) => {
  const paths = dataPaths(join(tempFolder(t), 'data'))
  const outside = join(tempFolder(t), 'outside')
  writeFileSync(outside, '', { mode: 0o644 })
  for (const folder of [
    paths.root,
    paths.run,
    paths.logs,
    paths.blobs,
    paths.postgres,
    join(paths.postgres, 'base'),
    paths.redis,
    paths.signatures
  ]) {
    mkdirSync(folder)
    chmodSync(folder, 0o755)
  }
  const files = [
    paths.accessToken,
    paths.adminPassword,
    paths.stackFile,
    join(paths.postgres, 'base', '1'),
    join(paths.redis, 'a.aof'),
    join(paths.logs, 'gateway.log')
  ]
  for (const file of files) writeFileSync(file, 'secret', { mode: 0o644 })
  symlinkSync(outside, join(paths.postgres, 'link'))

  prepareDataFolder(paths)

  for (const name of readdirSync(paths.root, { recursive: true, encoding: 'utf8' })) {
    const found = lstatSync(join(paths.root, name))
    if (!found.isSymbolicLink()) t.equal(found.mode & 0o077, 0, name)
  }
  t.equal(statSync(paths.root).mode & 0o777, 0o700)
  t.equal(statSync(paths.accessToken).mode & 0o777, 0o600)
  t.equal(statSync(outside).mode & 0o777, 0o644, 'what a link leads to is not ours to change')
})

t.test('the stack file is restricted under every usual umask', async (t) => {
  for (const umask of [0o022, 0o002, 0o000]) {
    const paths = dataPaths(join(tempFolder(t), 'data'))
    const before = process.umask(umask)
    try {
      prepareDataFolder(paths)
      createStackFile(paths.stackFile, STACK_FACTS)
      await ensureAccessToken({ ensure: async () => true, given: undefined, path: paths.accessToken })
    } finally {
      process.umask(before)
    }
    for (const folder of [paths.root, paths.run]) t.equal(lstatSync(folder).mode & 0o777, 0o700)
    for (const file of [paths.stackFile, paths.accessToken]) t.equal(lstatSync(file).mode & 0o777, 0o600)
  }
})

t.test(
  'an open folder of another user is refused with a one-line message',
  { skip: process.getuid?.() !== 0 && 'only root can give a folder away' },
  async (t) => {
    const folder = join(tempFolder(t), 'data')
    mkdirSync(folder)
    chmodSync(folder, 0o755)
    chownSync(folder, 12_345, 12_345)

    t.throws(() => prepareDataFolder(dataPaths(folder)), {
      message:
        `Other users can read ${folder}, and its permissions cannot be changed (it belongs to another user): ` +
        'run chmod 700 on it as its owner, or set DATA_DIR to another folder.'
    })
    t.equal(statSync(folder).mode & 0o777, 0o755)
  }
)

t.test('a file in place of the folder is reported with a one-line message', async (t) => {
  const file = join(tempFolder(t), 'data')
  writeFileSync(file, '')

  t.throws(() => prepareDataFolder(dataPaths(file)), {
    message: `Cannot write to ${file} (a file with this name exists): make it writable, or set DATA_DIR to another folder.`
  })
})

t.test(
  'a folder that is not writable is reported with a one-line message',
  { skip: process.getuid?.() === 0 && 'root may write anywhere' },
  async (t) => {
    const folder = join(tempFolder(t), 'data')
    mkdirSync(folder)
    chmodSync(folder, 0o500)

    t.throws(() => prepareDataFolder(dataPaths(folder)), {
      message: /^Cannot write to .* \(permission denied\): make it writable/
    })
  }
)
