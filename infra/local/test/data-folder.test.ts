import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { prepareDataFolder } from '../src/data-folder.js'
import { dataPaths } from '../src/paths.js'
import { tempFolder } from './helpers/temp-folder.js'

t.test('the folder is made for its owner only', async (t) => {
  const paths = dataPaths(join(tempFolder(t), 'a', 'data'))

  prepareDataFolder(paths)

  for (const folder of [paths.root, paths.run, paths.logs]) t.equal(statSync(folder).mode & 0o777, 0o700)
})

t.test('a file in the way is told in one sentence', async (t) => {
  const file = join(tempFolder(t), 'data')
  writeFileSync(file, '')

  t.throws(() => prepareDataFolder(dataPaths(file)), {
    message: `Cannot write to ${file} (a file is in the way): make it writable, or set DATA_DIR to another folder.`
  })
})

t.test('a folder that may not be written is told in one sentence', { skip: process.getuid?.() === 0 && 'root may write anywhere' }, async (t) => {
  const folder = join(tempFolder(t), 'data')
  mkdirSync(folder)
  chmodSync(folder, 0o500)

  t.throws(() => prepareDataFolder(dataPaths(folder)), { message: /^Cannot write to .* \(permission denied\): make it writable/ })
})
