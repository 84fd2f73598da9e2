import t from 'tap'
import { createId } from '@filewright/runtime'
import { startTestGateway } from '../../helpers/test-gateway.js'

t.test('the history of a token', async (t) => {
  const gateway = await startTestGateway(t, { storePrompts: true })
  const call = async (token: string, url: string) =>
    await gateway.app.inject({ url, headers: { authorization: `Bearer ${token}` } })
  const generate = async (token: string): Promise<void> => {
    await gateway.app.inject({
      method: 'POST',
      url: '/api/ai/generate',
      headers: { authorization: `Bearer ${token}` },
      payload: { prompt: 'a secret prompt', type: 'code' }
    })
  }
  gateway.onInference(async () => ({
    kind: 'generate',
    content: 'a secret result',
    finish: 'stop',
    engine: 'model',
    modelUsed: 'm',
    tokensUsed: 7
  }))

  t.test('lists its requests, but never prompts or results, even if the operator stores them', async (t) => {
    const [mine, other] = [await gateway.token('*'), await gateway.token('*')]
    await generate(mine)
    gateway.onInference(async () => await Promise.reject(new Error('down')))
    await generate(mine)

    const response = await call(mine, '/api/generations')

    t.equal(response.statusCode, 200)
    const { generations, next } = response.json()
    t.equal(next, null)
    t.match(generations, [
      { kind: 'generate', status: 'failed', tokens_used: 0, engine: null },
      { kind: 'generate', type: 'code', status: 'succeeded', tokens_used: 7, engine: 'model' }
    ])
    t.ok(generations[1].duration_ms >= 0 && typeof generations[1].started_at === 'string')
    t.notMatch(response.body, 'secret')
    t.strictSame((await call(other, '/api/generations')).json(), { generations: [], next: null })
    t.strictSame((await call(other, '/api/generations/usage')).json(), { days: 30, usage: [] })
    t.match((await call(mine, '/api/generations/usage')).json().usage, [{ requests: 2, tokens: 7 }])
  })

  t.test('is read page by page, without a gap when records have the same time', async (t) => {
    const token = await gateway.token('*')
    const [record] = (await call(token, '/api/generations')).json().generations
    t.equal(record, undefined)
    await generate(token)
    const id = (await call(token, '/api/generations')).json().generations[0].id as string
    const tokenId = (await gateway.database.generations.findById(id))?.tokenId ?? ''
    const startedAt = new Date()
    const ids = Array.from({ length: 5 }, () => createId())
    for (const each of ids) {
      await gateway.database.generations.create({ id: each, kind: 'analyze', tokenId, startedAt })
    }

    const seen: string[] = []
    let next: string | null = ''
    while (next !== null) {
      const page: { generations: Array<{ id: string }>; next: string | null } = (
        await call(token, `/api/generations?limit=2${next === '' ? '' : `&after=${next}`}`)
      ).json()
      seen.push(...page.generations.map((each) => each.id))
      next = page.next
    }

    t.strictSame(seen, [...ids.sort().reverse(), id])
  })

  t.test('refuses an invalid cursor', async (t) => {
    const token = await gateway.token('*')
    for (const after of [
      'x',
      '1.2',
      `${'9'.repeat(16)}.${createId()}`,
      `${'9'.repeat(15)}.${createId()}`,
      '%00'
    ]) {
      t.equal((await call(token, `/api/generations?after=${after}`)).statusCode, 400, after)
    }
    t.equal((await call(token, '/api/generations?limit=0')).statusCode, 400)
  })
})
