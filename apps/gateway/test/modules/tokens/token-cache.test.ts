import t from 'tap'
import { limits } from '@filewright/contracts'
import type { TokenRecord } from '@filewright/db'
import { hashToken } from '@filewright/runtime'
import { createTokensService } from '../../../src/modules/tokens/tokens.service.js'

const record: TokenRecord = {
  id: 'token-1',
  name: 'ci',
  hash: hashToken('secret'),
  projects: ['acme'],
  isOperator: false,
  createdAt: new Date(0),
  expiresAt: null,
  revokedAt: null,
  maxFiles: null,
  maxBytes: null
}

function serviceOf(stored: Partial<TokenRecord> = {}) {
  let time = 1_000_000
  let lookups = 0
  const token = { ...record, ...stored }
  const service = createTokensService({
    tokens: {
      findByHash: async (hash) => {
        lookups++
        return hash === token.hash ? { ...token } : null
      }
    },
    clock: { now: () => new Date(time) }
  })
  return {
    service,
    token,
    lookups: () => lookups,
    pass: (ms: number) => {
      time += ms
    }
  }
}

t.test('a token is looked up once for many requests, and again after a moment', async (t) => {
  const { service, lookups, pass } = serviceOf()

  for (let i = 0; i < 10; i++) t.match(await service.authenticate('secret'), { tokenId: 'token-1' })
  t.equal(lookups(), 1)
  pass(limits.revokedTokenMs)
  await service.authenticate('secret')

  t.equal(lookups(), 2)
})

t.test('a revoked token is refused once the cache entry expires', async (t) => {
  const { service, token, pass } = serviceOf()
  await service.authenticate('secret')
  token.revokedAt = new Date()

  pass(limits.revokedTokenMs)

  await t.rejects(service.authenticate('secret'), { code: 'UNAUTHORIZED' })
})

t.test('a token that expires while cached is refused at its expiry time', async (t) => {
  const { service, pass } = serviceOf({ expiresAt: new Date(1_000_500) })
  await service.authenticate('secret')

  pass(500)

  await t.rejects(service.authenticate('secret'), { code: 'UNAUTHORIZED' })
})

t.test('an unknown token is looked up each time, so a new one works at once', async (t) => {
  const { service, token, lookups } = serviceOf()
  await t.rejects(service.authenticate('new'), { code: 'UNAUTHORIZED' })
  token.hash = hashToken('new')

  t.match(await service.authenticate('new'), { tokenId: 'token-1' })
  t.equal(lookups(), 2)
})
