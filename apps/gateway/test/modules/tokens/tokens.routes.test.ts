import t from 'tap'
import type { TokenSecretResponse, TokensResponse } from '@filewright/contracts'
import { createId, hashToken } from '@filewright/runtime'
import { startTestGateway } from '../../helpers/test-gateway.js'

t.test('operators manage tokens', async (t) => {
  const gateway = await startTestGateway(t, { quotas: { token: { maxFiles: 50 } } })
  const operator = `secret-${createId()}`
  const operatorId = createId()
  const own = { id: operatorId, name: 'ops', hash: hashToken(operator), projects: ['ops'], isOperator: true }
  await gateway.database.tokens.create(own)
  const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, secret: string, payload?: object) =>
    await gateway.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${secret}` },
      ...(payload === undefined ? {} : { payload })
    })
  const create = async (payload: object) => await call('POST', '/api/tokens', operator, payload)

  t.test('a created token opens its projects, expires, and has its quota', async (t) => {
    const before = Date.now()
    const response = await create({
      name: 'ci',
      projects: ['demo'],
      expires_in_days: 2,
      max_bytes: 1_000
    })

    t.equal(response.statusCode, 201)
    const { token } = response.json<TokenSecretResponse>()
    t.match(token, { name: 'ci', projects: ['demo'], is_operator: false, revoked_at: null })
    t.match(token, { max_files: 50, max_bytes: 1_000 }, 'the default where none is given')
    t.ok(Date.parse(token.expires_at ?? '') >= before + 2 * 86_400_000)
    t.equal((await call('GET', '/api/files?project_id=demo', token.secret)).statusCode, 200)
    t.equal((await call('GET', '/api/files?project_id=other', token.secret)).statusCode, 403)
    const { usage, token: itself } = (await call('GET', '/api/service', token.secret)).json()
    t.match([usage, itself], [{ max_files: 50, max_bytes: 1_000 }, { is_operator: false }])
  })

  t.test('the list has every token once, newest first, without secrets', async (t) => {
    const created = await Promise.all(
      ['a', 'b', 'c'].map(async (name) =>
        (await create({ name, projects: null })).json<TokenSecretResponse>()
      )
    )

    const seen: TokensResponse['tokens'] = []
    let next: string | null = ''
    while (next !== null) {
      const after: string = next === '' ? '' : `&after=${next}`
      const response = await call('GET', `/api/tokens?limit=2${after}`, operator)
      t.notMatch(response.body, /secret|hash/)
      const page: TokensResponse = response.json()
      seen.push(...page.tokens)
      next = page.next
    }

    const times = seen.map(({ created_at: at }) => at)
    t.strictSame(times, times.toSorted().reverse())
    t.equal(new Set(seen.map(({ id }) => id)).size, seen.length)
    for (const { token } of created) {
      t.ok(
        seen.some(({ id }) => id === token.id),
        token.name
      )
    }
    t.match(
      seen.find(({ id }) => id === operatorId),
      { is_operator: true, projects: ['ops'] }
    )
  })

  t.test('a revoked token is refused from then on; a second time it is not found', async (t) => {
    const { token } = (await create({ name: 'short', projects: ['demo'] })).json<TokenSecretResponse>()
    t.equal((await call('GET', '/api/service', token.secret)).statusCode, 200)

    const response = await call('DELETE', `/api/tokens/${token.id}`, operator)

    t.strictSame([response.statusCode, response.json()], [200, { message: 'Token revoked successfully' }])
    t.equal((await call('GET', '/api/service', token.secret)).statusCode, 401)
    const again = await call('DELETE', `/api/tokens/${token.id}`, operator)
    t.strictSame([again.statusCode, again.json()], [404, { error: 'Token not found' }])
  })

  t.test('an operator cannot revoke the token of the request, nor create another operator', async (t) => {
    t.equal((await call('DELETE', `/api/tokens/${operatorId}`, operator)).statusCode, 400)
    t.equal((await create({ name: 'x', projects: null, is_operator: true })).statusCode, 400)
    t.equal((await call('GET', '/api/tokens', operator)).statusCode, 200)
  })

  t.test('other tokens may do none of this, even those for every project', async (t) => {
    const user = await gateway.token('*')
    const { token } = (await create({ name: 'kept', projects: null })).json<TokenSecretResponse>()

    for (const response of [
      await call('GET', '/api/tokens', user),
      await call('POST', '/api/tokens', user, { name: 'x', projects: null }),
      await call('DELETE', `/api/tokens/${token.id}`, user),
      await call('DELETE', `/api/tokens/${createId()}`, user)
    ]) {
      t.strictSame([response.statusCode, response.json()], [403, { error: 'Forbidden' }])
    }
    t.equal((await call('GET', '/api/service', token.secret)).statusCode, 200)
  })

  t.test('a bad request is refused with the field that is wrong', async (t) => {
    const good = { name: 'x', projects: ['demo'] }
    for (const [field, wrong] of [
      ['name', { name: undefined }],
      ['name', { name: ' ' }],
      ['name', { name: 'Local' }],
      ['name', { name: 'a\u0000b' }],
      ['projects', { projects: undefined }],
      ['projects', { projects: [] }],
      ['projects', { projects: ['*'] }],
      ['projects', { projects: ['a/b'] }],
      ['projects', { projects: [1] }],
      ['expires_in_days', { expires_in_days: 0 }],
      ['expires_in_days', { expires_in_days: 100_000 }],
      ['expires_in_days', { expires_in_days: '9' }],
      ['max_files', { max_files: 0 }],
      ['max_bytes', { max_bytes: 1.5 }],
      ['body', { else: 1 }]
    ] as const) {
      const response = await create({ ...good, ...wrong })
      t.equal(response.statusCode, 400, field)
      t.match(response.json<{ error: string }>().error, new RegExp(`^${field} `), JSON.stringify(wrong))
    }
  })

  t.test('an operator whose token was revoked while the request arrived changes nothing', async (t) => {
    const other = { id: createId(), name: 'late', secret: `secret-${createId()}` }
    const { tokens } = gateway.database
    await tokens.create({ ...other, hash: hashToken(other.secret), projects: ['ops'], isOperator: true })
    const { token: victim } = (await create({ name: 'victim', projects: null })).json<TokenSecretResponse>()
    // The gateway knows the token as valid from the request before.
    t.equal((await call('GET', '/api/tokens', other.secret)).statusCode, 200)
    await tokens.revoke(other.id, new Date())

    const created = await call('POST', '/api/tokens', other.secret, { name: 'afterwards', projects: null })
    const revoked = await call('DELETE', `/api/tokens/${victim.id}`, other.secret)

    t.same([created.statusCode, revoked.statusCode], [401, 401])
    t.notOk((await tokens.list()).some(({ name }) => name === 'afterwards'))
    t.equal((await tokens.findByHash(hashToken(victim.secret)))?.revokedAt, null)
  })

  t.test('of two operators that revoke each other at once, one stays', async (t) => {
    const { tokens } = gateway.database
    for (let round = 0; round < 20; round++) {
      const pair = [createId(), createId()]
      for (const id of pair) {
        await tokens.create({ id, name: 'pair', hash: hashToken(id), projects: [], isOperator: true })
      }
      const [a = '', b = ''] = pair
      const now = new Date()

      const outcomes = await Promise.all([tokens.revokeAs(a, b, now), tokens.revokeAs(b, a, now)])

      t.strictSame(outcomes.toSorted(), ['not operator', 'revoked'])
    }
  })

  t.test('another token is refused before its request is read, and a strange id is not found', async (t) => {
    const { token } = (await create({ name: 'plain', projects: null })).json<TokenSecretResponse>()

    t.equal((await call('POST', '/api/tokens', token.secret, {})).statusCode, 403)
    t.equal((await call('GET', '/api/tokens?limit=abc', token.secret)).statusCode, 403)
    t.equal((await call('DELETE', '/api/tokens/%00', operator)).statusCode, 404)
  })
})
