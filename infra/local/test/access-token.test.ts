import { createHash } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EnsureTokenOptions } from '@filewright/db/setup'
import t from 'tap'
import { ensureAccessToken } from '../src/access-token.js'
import { tempFolder } from './helpers/temp-folder.js'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

function fakeTokens(revoked: string[] = []) {
  const ensured: Array<EnsureTokenOptions['token']> = []
  const ensure = async (token: EnsureTokenOptions['token']): Promise<boolean> => {
    ensured.push(token)
    return !revoked.map(sha256).includes(token.hash)
  }
  return { ensure, ensured }
}

t.test('the first start creates a token, readable only by its owner, and stores only its hash', async (t) => {
  const path = join(tempFolder(t), 'access-token')
  const { ensure, ensured } = fakeTokens()

  const token = await ensureAccessToken({ ensure, given: undefined, path })

  t.match(token, /^fw_[0-9A-Za-z]{43}$/)
  t.equal(readFileSync(path, 'utf8'), `${token}\n`)
  t.equal(statSync(path).mode & 0o777, 0o600)
  t.match(ensured, [{ hash: sha256(token), projects: ['*'] }])
})

t.test('later starts use the same token', async (t) => {
  const path = join(tempFolder(t), 'access-token')
  const { ensure } = fakeTokens()
  const first = await ensureAccessToken({ ensure, given: undefined, path })

  t.equal(await ensureAccessToken({ ensure, given: undefined, path }), first)
})

t.test('ACCESS_TOKEN is used unchanged and not written anywhere', async (t) => {
  const path = join(tempFolder(t), 'access-token')
  const { ensure, ensured } = fakeTokens()

  t.equal(await ensureAccessToken({ ensure, given: 'given-by-the-operator', path }), 'given-by-the-operator')
  t.match(ensured, [{ hash: sha256('given-by-the-operator') }])
  t.throws(() => statSync(path))
})

t.test('a stored token that was revoked is replaced by a new one', async (t) => {
  const path = join(tempFolder(t), 'access-token')
  writeFileSync(path, 'revoked-token-of-old\n')
  const { ensure } = fakeTokens(['revoked-token-of-old'])

  const token = await ensureAccessToken({ ensure, given: undefined, path })

  t.match(token, /^fw_/)
  t.equal(readFileSync(path, 'utf8'), `${token}\n`)
})

t.test('a revoked ACCESS_TOKEN is refused with a message that does not repeat it', async (t) => {
  const path = join(tempFolder(t), 'access-token')
  const { ensure } = fakeTokens(['given-by-the-operator'])

  await t.rejects(ensureAccessToken({ ensure, given: 'given-by-the-operator', path }), {
    message: 'ACCESS_TOKEN is a token that was revoked: set another one.'
  })
})
