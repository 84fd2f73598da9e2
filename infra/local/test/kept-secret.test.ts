import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { keptSecret } from '../src/kept-secret.js'
import { tempFolder } from './helpers/temp-folder.js'

t.test('the password is generated once, stored, and readable only by this user', async (t) => {
  const path = join(tempFolder(t), 'admin-password')

  const made = keptSecret(path)

  t.match(made, /^[0-9A-Za-z]{22}$/)
  t.equal(keptSecret(path), made)
  t.equal(readFileSync(path, 'utf8'), `${made}\n`)
  t.equal(statSync(path).mode & 0o777, 0o600)
})

t.test('an empty file gets a new one, an unreadable one is an error', async (t) => {
  const path = join(tempFolder(t), 'admin-password')
  writeFileSync(path, '\n')

  t.match(keptSecret(path), /^\w{22}$/)
  t.throws(() => keptSecret(tempFolder(t)), { code: 'EISDIR' })
})
