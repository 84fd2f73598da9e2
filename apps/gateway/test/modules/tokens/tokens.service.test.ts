import { createHash } from 'node:crypto'
import t from 'tap'
import type { TokenRecord } from '@filewright/db'
import { createToken, hashToken, systemClock } from '@filewright/runtime'
import { createTokensService } from '../../../src/modules/tokens/tokens.service.js'

function serviceWith(...records: TokenRecord[]) {
  const asked: string[] = []
  const service = createTokensService({
    tokens: {
      findByHash: async (hash) => {
        asked.push(hash)
        return records.find((record) => record.hash === hash) ?? null
      }
    },
    clock: systemClock
  })
  return { service, asked }
}

function recordOf(token: string, changes: Partial<TokenRecord> = {}): TokenRecord {
  return {
    id: 'token-1',
    name: 'ci',
    hash: hashToken(token),
    projects: ['acme'],
    isOperator: false,
    createdAt: new Date(0),
    expiresAt: null,
    revokedAt: null,
    maxFiles: null,
    maxBytes: null,
    ...changes
  }
}

t.test('a token is looked up by its SHA-256 and never compared itself', async (t) => {
  const token = createToken()
  const { service, asked } = serviceWith(recordOf(token))

  t.match(await service.authenticate(token), { tokenId: 'token-1' })
  t.strictSame(asked, [createHash('sha256').update(token).digest('hex')])
})

t.test('an almost correct guess looks up an unrelated hash', async (t) => {
  const token = createToken()
  const { service, asked } = serviceWith(recordOf(token))

  const guesses = [...token].map(
    (char, i) => `${token.slice(0, i)}${char === 'x' ? 'y' : 'x'}${token.slice(i + 1)}`
  )
  for (const guess of [...guesses, token.slice(0, -1), `${token}x`]) {
    await t.rejects(service.authenticate(guess), { code: 'UNAUTHORIZED' })
  }

  // Comparison times reveal only the hash of the guess, which its author knows, and the hash of a better
  // guess is not closer.
  const sharedBits = asked
    .map((hash) => BigInt(`0x${hash}`) ^ BigInt(`0x${hashToken(token)}`))
    .map((difference) => 256 - difference.toString(2).length)
  t.ok(Math.max(...sharedBits) < 32, `the nearest shares ${Math.max(...sharedBits)} leading bits`)
})

t.test('every kind of invalid token is refused with the same code', async (t) => {
  const { service } = serviceWith(
    recordOf('revoked', { revokedAt: new Date(0) }),
    recordOf('expired', { expiresAt: new Date(0) })
  )

  for (const token of ['unknown', 'revoked', 'expired', '']) {
    await t.rejects(service.authenticate(token), { code: 'UNAUTHORIZED' })
  }
})
