import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { keptReceiptKey, keptSecret } from '../src/kept-secrets.js'
import { tempFolder } from './helpers/temp-folder.js'

t.test('the password is generated once, stored, and readable only by this user', async (t) => {
  const path = join(tempFolder(t), 'admin-password')

  const made = keptSecret(path)

  t.match(made, /^[0-9A-Za-z]{22}$/)
  t.equal(keptSecret(path), made)
  t.equal(readFileSync(path, 'utf8'), `${made}\n`)
  t.equal(statSync(path).mode & 0o777, 0o600)
})

t.test('the key of receipts has 32 bytes and stays the same', async (t) => {
  const path = join(tempFolder(t), 'receipt-key')

  const made = keptReceiptKey(path)

  t.equal(Buffer.from(made, 'base64').length, 32)
  t.equal(keptReceiptKey(path), made)
})

t.test('an empty file is replaced by a new secret, an unreadable one is an error', async (t) => {
  const path = join(tempFolder(t), 'admin-password')
  writeFileSync(path, '\n')

  t.match(keptSecret(path), /^\w{22}$/)
  t.throws(() => keptSecret(tempFolder(t)), { code: 'EISDIR' })
})
