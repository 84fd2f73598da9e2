import t from 'tap'
import { answererOf, type GenerationsResponse, type GenerationUsageResponse } from '@filewright/contracts'
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

  t.test('shows one request with what was asked, to send it again, and its result', async (t) => {
    const [mine, other] = [await gateway.token('*'), await gateway.token('*')]
    const body = {
      analysis: [{ type: 'warning' as const, message: 'm', line: 1 }],
      score: 90,
      suggestions: ['s']
    }
    gateway.onInference(async ({ kind }) =>
      kind === 'generate'
        ? { kind, content: 'const a = 1', finish: 'stop', engine: 'model', modelUsed: 'm', tokensUsed: 7 }
        : { kind: 'analyze', body, rules: [], suppressed: [], engine: 'static', tokensUsed: 1 }
    )
    const asked = [
      ['generate', { prompt: 'a list', type: 'code', language: 'go', model: 'alpha-4o' }],
      ['analyze', { code: 'x\ny', language: 'javascript', analysis_type: 'bugs', framework: 'react' }]
    ] as const
    for (const [path, payload] of asked) {
      const headers = { authorization: `Bearer ${mine}` }
      await gateway.app.inject({ method: 'POST', url: `/api/ai/${path}`, headers, payload })
    }
    const { generations } = (await call(mine, '/api/generations')).json<GenerationsResponse>()

    const [analysis, generation] = await Promise.all(
      generations.map(async ({ id }) => (await call(mine, `/api/generations/${id}`)).json().generation)
    )

    t.strictSame(generation, {
      ...generations[1],
      request: asked[0][1],
      result: { content: 'const a = 1' }
    })
    t.strictSame(analysis, { ...generations[0], request: asked[1][1], result: body })
    for (const id of [generations[0]?.id ?? '', createId(), 'x', '%00']) {
      const foreign = await call(other, `/api/generations/${id}`)
      t.equal(foreign.statusCode, 404, id)
      t.strictSame(foreign.json(), { error: 'Generation not found' }, id)
    }
  })

  t.test('shows a request without its texts where they are not stored', async (t) => {
    const token = await gateway.token('*')
    await generate(token)
    const [listed] = (await call(token, '/api/generations')).json<GenerationsResponse>().generations
    const tokenId = (await gateway.database.generations.findById(listed?.id ?? ''))?.tokenId ?? ''
    const id = createId()
    await gateway.database.generations.create({ id, kind: 'analyze', tokenId, startedAt: new Date() })

    const response = await call(token, `/api/generations/${id}`)

    t.match(response.json(), { generation: { id, kind: 'analyze', request: null, result: null } })
  })

  t.test(
    'answers a request with NUL, which cannot be stored, and keeps its record without texts',
    async (t) => {
      const token = await gateway.token('*')
      gateway.onInference(async () => ({
        kind: 'generate',
        content: 'const nul = "\0"',
        finish: 'stop',
        engine: 'model',
        modelUsed: 'm',
        tokensUsed: 7
      }))

      const response = await gateway.app.inject({
        method: 'POST',
        url: '/api/ai/generate',
        headers: { authorization: `Bearer ${token}` },
        payload: { prompt: 'a\0b', type: 'code' }
      })

      t.equal(response.statusCode, 200)
      const { id } = response.json()
      const { generation } = (await call(token, `/api/generations/${id}`)).json()
      t.match(generation, { status: 'succeeded', request: null, result: null })
    }
  )

  t.test('names no model where the analyzers or the sandbox answered, nor where nobody did', async (t) => {
    const token = await gateway.token('*')
    const headers = { authorization: `Bearer ${token}` }
    const analyze = async (engine: 'static' | 'sandbox' | 'model+static' | null): Promise<void> => {
      gateway.onInference(async () => {
        if (engine === null) throw new Error('down')
        const body = { analysis: [], score: 100, suggestions: [] }
        return { kind: 'analyze', body, rules: [], suppressed: [], engine, modelUsed: 'm', tokensUsed: 1 }
      })
      const payload = { code: 'x', language: 'javascript' }
      await gateway.app.inject({ method: 'POST', url: '/api/ai/analyze', headers, payload })
    }

    for (const engine of ['static', 'sandbox', 'model+static', null] as const) await analyze(engine)

    const { generations } = (await call(token, '/api/generations')).json<GenerationsResponse>()
    t.strictSame(
      generations.map(({ engine, model, status }) => [engine, model, status]),
      [
        [null, null, 'failed'],
        ['model+static', 'alpha-4o', 'succeeded'],
        ['sandbox', null, 'succeeded'],
        ['static', null, 'succeeded']
      ]
    )
    const { usage } = (await call(token, '/api/generations/usage')).json<GenerationUsageResponse>()
    t.strictSame(
      usage.map(({ engine, model, requests }) => [engine, model, requests]),
      [
        [null, 'alpha-4o', 1],
        ['sandbox', null, 1],
        ['static', null, 1],
        [null, null, 1]
      ]
    )
    t.strictSame(generations.map(answererOf), ['', 'alpha-4o, analyzers', 'sandbox', 'analyzers'])
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
