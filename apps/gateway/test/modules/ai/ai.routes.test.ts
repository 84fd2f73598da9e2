import { once } from 'node:events'
import t from 'tap'
import { DetailedAnalysisResult, filesOfSarif, limits, type GenerationsResponse } from '@filewright/contracts'
import { AppError } from '@filewright/runtime'
import { Value } from '@filewright/schema'
import { poll } from '@filewright/testing'
import { sarifValidator } from '../../helpers/sarif-validator.js'
import { analyzed, generated, generatedKeys, optimized, post } from '../../helpers/ai-requests.js'
import { connectTo, headOf } from '../../helpers/raw-request.js'
import { startTestGateway } from '../../helpers/test-gateway.js'

t.test('the AI endpoints', async (t) => {
  const gateway = await startTestGateway(t)
  const idOf = async (): Promise<string> => {
    let id = ''
    gateway.onInference(async (payload) => {
      id = payload.id
      return generated
    })
    await post(gateway, 'generate', { prompt: 'a button', type: 'code' })
    return id
  }

  t.test('list the four specified models', async (t) => {
    const { statusCode, body } = await gateway.get('/api/ai/models')

    t.equal(statusCode, 200)
    const { models, ...rest } = JSON.parse(body)
    t.strictSame(rest, {})
    t.strictSame(
      models.map(({ name, ...model }: { name: string }) => model),
      [
        { id: 'alpha-4o-mini', capabilities: ['code', 'content', 'analysis'], max_tokens: 128000 },
        { id: 'alpha-4o', capabilities: ['code', 'content', 'analysis'], max_tokens: 128000 },
        { id: 'beta-3', capabilities: ['code', 'content', 'analysis'], max_tokens: 100000 },
        { id: 'gamma', capabilities: ['code', 'content'], max_tokens: 32768 }
      ]
    )
    t.ok(models.every(({ name }: { name: string }) => name.length > 0))
  })

  t.test('generate with exactly the specified properties', async (t) => {
    gateway.onInference(async () => generated)

    const response = await post(gateway, 'generate', {
      prompt: 'a button',
      type: 'component',
      framework: 'react',
      language: 'typescript',
      model: 'gamma'
    })

    t.equal(response.statusCode, 200)
    t.strictSame(Object.keys(response.json()).sort(), generatedKeys)
    t.match(response.json(), {
      content: 'const a = 1',
      type: 'component',
      model: 'gamma',
      tokens_used: 42,
      created_at: /Z$/
    })
    t.match(response.headers, { 'x-engine': 'model', 'x-finish-reason': 'stop' })
  })

  t.test("say when the output was truncated at the model's limit", async (t) => {
    gateway.onInference(async () => ({ ...generated, finish: 'length' }))

    t.equal(
      (await post(gateway, 'generate', { prompt: 'p', type: 'content' })).headers['x-finish-reason'],
      'length'
    )
  })

  t.test('use alpha-4o-mini when no model is named', async (t) => {
    gateway.onInference(async () => generated)

    t.equal((await post(gateway, 'generate', { prompt: 'p', type: 'code' })).json().model, 'alpha-4o-mini')
  })

  t.test('analyze all four types unless one is named', async (t) => {
    const asked: string[][] = []
    gateway.onInference(async (payload) => {
      if (payload.kind === 'analyze') asked.push(payload.analysisTypes)
      return analyzed
    })

    const response = await post(gateway, 'analyze', { code: 'x', language: 'JS' })
    await post(gateway, 'analyze', { code: 'x', language: 'py', analysis_type: 'security' })

    t.strictSame(response.json(), analyzed.body)
    t.equal(response.headers['x-engine'], 'static')
    t.strictSame(asked, [['security', 'performance', 'style', 'bugs'], ['security']])
  })

  t.test('analyze as SARIF when accepted, with the rules that the worker reports', async (t) => {
    const findings = [
      { type: 'warning' as const, message: 'eval runs any code.', line: 2 },
      { type: 'suggestion' as const, message: 'Never used.', line: 1 }
    ]
    const rules = [
      { id: 'js/eval', help: 'Parse it.', level: 'error' as const, category: 'security' as const },
      { id: 'js/unused', help: '' }
    ]
    gateway.onInference(async () => ({
      kind: 'analyze',
      engine: 'static',
      tokensUsed: 0,
      body: { analysis: findings, score: 80, suggestions: [] },
      rules
    }))
    const ask = async (code: string) =>
      await post(gateway, 'analyze', { code, language: 'js' }, { accept: 'application/sarif+json' })

    const response = await ask('const a = 1\n  eval(x)\n')

    t.match(response.headers, {
      'content-type': /^application\/sarif\+json/,
      'x-engine': 'static',
      vary: /accept/i
    })
    const isValid = await sarifValidator()
    t.ok(isValid(response.json()), JSON.stringify(isValid.errors))
    const [{ results, tool, artifacts }] = response.json().runs
    t.match(results, [
      {
        ruleId: 'js/eval',
        level: 'error',
        locations: [{ physicalLocation: { region: { startLine: 2, startColumn: 3, endColumn: 10 } } }]
      },
      { ruleId: 'js/unused', level: 'note' }
    ])
    t.match(tool.driver.rules, [
      {
        id: 'js/eval',
        help: { text: 'Parse it.' },
        defaultConfiguration: { level: 'error' },
        properties: { tags: ['security'], 'security-severity': '8.0' }
      },
      { id: 'js/unused', help: { text: 'Never used.' }, defaultConfiguration: { level: 'note' } }
    ])
    t.strictSame(
      artifacts,
      [
        {
          location: { uri: 'code' },
          properties: { score: 80, suggestions: [], engine: 'static', analyzers: 'javascript' }
        }
      ],
      'what the answer in JSON says is kept'
    )
    const prints = (log: { runs: Array<{ results: Array<{ partialFingerprints: object }> }> }) =>
      log.runs[0]?.results.map(({ partialFingerprints }) => partialFingerprints)
    t.strictSame(
      prints((await ask('const a = 1 \n eval(x)\n')).json()),
      prints(response.json()),
      'the layout of the line does not matter'
    )

    gateway.onInference(async () => analyzed)
    t.match((await ask('x')).json().runs[0].results, [{ ruleId: 'm' }], 'a worker that names no rules')
  })

  t.test(
    'a suppressed finding is in SARIF, in the detailed form and in a header, not in the body',
    async (t) => {
      const body = { analysis: [], score: 100, suggestions: [] }
      const finding = { type: 'warning' as const, message: 'eval runs any code.', line: 1 }
      const rule = { id: 'js/no-eval', help: 'Parse it.', level: 'error', category: 'security' } as const
      gateway.onInference(async () => ({
        kind: 'analyze',
        engine: 'static',
        tokensUsed: 0,
        body,
        rules: [],
        suppressed: [{ ...finding, ...rule, reason: 'ours <b>' }]
      }))
      const code = 'eval(x) // filewright-ignore js/no-eval -- ours <b>'
      const ask = async (accept: string) =>
        await post(gateway, 'analyze', { code, language: 'javascript' }, { accept })

      const plain = await ask('application/json')
      t.strictSame(plain.json(), body, "exactly the specification's keys")
      t.equal(plain.headers['x-suppressed-findings'], '1')
      const detailed = (await ask('application/vnd.filewright+json')).json()
      t.ok(Value.Check(DetailedAnalysisResult, detailed))
      t.match(detailed, {
        analysis: [],
        suppressed: [{ ...finding, rule: 'js/no-eval', reason: 'ours <b>' }]
      })
      const log = (await ask('application/sarif+json')).json()
      const isValid = await sarifValidator()
      t.ok(isValid(log), JSON.stringify(isValid.errors))
      t.match(log.runs[0].results, [
        {
          ruleId: 'js/no-eval',
          suppressions: [{ kind: 'inSource', status: 'accepted', justification: 'ours <b>' }]
        }
      ])

      const files = [{ path: 'a.js', code, language: 'javascript' }]
      const batch = await post(gateway, 'analyze/batch', { files })
      t.strictSame(batch.json(), { files: [{ path: 'a.js', ...body }] })
      t.equal(batch.headers['x-suppressed-findings'], '1')
    }
  )

  t.test('analyze with the proof of a finding in SARIF and in the detailed form only', async (t) => {
    const proof = { input: 'f("x")', observed: 'it runs', reproducer: 'console.log(1)\n', entry_line: 1 }
    const finding = { type: 'warning' as const, line: 2 }
    const message = 'eval runs any code. Proven: `f("x")`: it runs.'
    const body = { analysis: [{ ...finding, message }], score: 80, suggestions: [] }
    gateway.onInference(async () => ({
      kind: 'analyze',
      engine: 'static',
      tokensUsed: 0,
      body,
      rules: [{ id: 'js/no-eval', help: 'Parse it.', level: 'error', category: 'security', proof }]
    }))
    const ask = async (accept: string) =>
      await post(gateway, 'analyze', { code: 'f = (a) => {\n  eval(a) }', language: 'js' }, { accept })

    const sarif = (await ask('application/sarif+json')).json()
    const detailed = await ask('application/vnd.filewright+json')

    const isValid = await sarifValidator()
    t.ok(isValid(sarif), JSON.stringify(isValid.errors))
    const [{ results, tool }] = sarif.runs
    t.strictSame(results[0].properties, { proof })
    t.match(results[0].codeFlows[0].threadFlows[0].locations, [
      { location: { physicalLocation: { region: { startLine: 1 } } } },
      { location: { physicalLocation: { region: { startLine: 2 } } } }
    ])
    t.equal(tool.driver.rules[0].shortDescription.text, 'eval runs any code.', 'the rule has no proof')
    t.match(detailed.headers, { 'content-type': /^application\/vnd\.filewright\+json/, vary: /accept/i })
    t.ok(Value.Check(DetailedAnalysisResult, detailed.json()))
    t.match(detailed.json().analysis, [{ ...finding, message, rule: 'js/no-eval', level: 'error', proof }])
    t.strictSame((await ask('application/json')).json(), body, 'the specified body has no other properties')
  })

  t.test('analyze with the data flow of a finding in SARIF and in the detailed form only', async (t) => {
    const body = {
      analysis: [{ type: 'warning' as const, message: 'm', line: 3 }],
      score: 80,
      suggestions: []
    }
    const flow = [1, 2, 3]
    const rules = [{ id: 'js/sql-injection', help: 'h', level: 'error' as const, flow }]
    gateway.onInference(async () => ({ kind: 'analyze', engine: 'static', tokensUsed: 0, body, rules }))
    const ask = async (accept: string) =>
      (await post(gateway, 'analyze', { code: 'a\nb\nc', language: 'js' }, { accept })).json()

    const sarif = await ask('application/sarif+json')
    const detailed = await ask('application/vnd.filewright+json')

    const isValid = await sarifValidator()
    t.ok(isValid(sarif), JSON.stringify(isValid.errors))
    const { locations } = sarif.runs[0].results[0].codeFlows[0].threadFlows[0]
    const lines = locations.map((each: any) => each.location.physicalLocation.region.startLine)
    t.strictSame(lines, flow)
    t.strictSame(filesOfSarif(sarif)[0]?.findings[0]?.flow, flow)
    t.ok(Value.Check(DetailedAnalysisResult, detailed))
    t.strictSame(detailed.analysis[0].flow, flow)
    t.strictSame(await ask('application/json'), body, 'the specified body has no other properties')
  })

  t.test('optimize', async (t) => {
    gateway.onInference(async () => optimized)

    const response = await post(gateway, 'optimize', {
      code: 'x',
      language: 'golang',
      optimization_type: 'readability',
      framework: 'gin'
    })

    t.strictSame(response.json(), optimized.body)
    t.equal(response.headers['x-engine'], 'model+static')
  })

  t.test("refuse every invalid request with the endpoint's one message, before any job", async (t) => {
    gateway.onInference(async () => {
      throw new Error('no job expected')
    })
    const long = 'x'.repeat(limits.codeBytes + 1)
    const wrong: Array<[string, string, unknown[]]> = [
      [
        'generate',
        'Invalid generation parameters',
        [
          {},
          { prompt: 'p' },
          { type: 'code' },
          { prompt: '', type: 'code' },
          { prompt: '  ', type: 'code' },
          { prompt: 1, type: 'code' },
          { prompt: 'p', type: 'poem' },
          { prompt: 'p', type: 'code', model: 'gpt-9' },
          { prompt: long, type: 'code' },
          { prompt: 'é'.repeat(limits.promptBytes / 2 + 1), type: 'code' },
          { prompt: 'p', type: 'code', language: 5 },
          { prompt: 'p', type: 'code', framework: 'f'.repeat(101) },
          { prompt: '\ud800', type: 'code' },
          [],
          'null',
          '"text"',
          '{bad json',
          ''
        ]
      ],
      [
        'analyze',
        'Invalid code or language',
        [
          {},
          { code: 'x' },
          { language: 'js' },
          { code: '', language: 'js' },
          { code: 'x', language: 'klingon' },
          { code: 'x', language: '' },
          { code: 'x', language: 'js', analysis_type: 'mood' },
          { code: long, language: 'js' },
          { code: ['x'], language: 'js' },
          { code: null, language: 'js' },
          '{'
        ]
      ],
      [
        'optimize',
        'Unable to optimize code',
        [
          {},
          { code: 'x' },
          { code: 'x', language: 'klingon' },
          { code: 'x', language: 'js', optimization_type: 'size' },
          { code: long, language: 'js' },
          '{'
        ]
      ]
    ]
    for (const [path, error, bodies] of wrong) {
      for (const body of bodies) {
        const response = await post(gateway, path, body)
        t.equal(response.statusCode, 400, `${path} ${JSON.stringify(body).slice(0, 60)}`)
        t.strictSame(response.json(), { error })
        t.match(response.headers['x-rejection'], /^(?:malformed-body|invalid-field|too-long); [ -~]+$/)
      }
    }
  })

  t.test('name the invalid field and its allowed values in X-Rejection', async (t) => {
    for (const [path, body, rejection] of [
      ['generate', {}, 'invalid-field; prompt and type are required'],
      [
        'generate',
        { prompt: 'p', type: 'code', model: 'gpt-9' },
        'invalid-field; model must be one of alpha-4o-mini, alpha-4o, beta-3, gamma'
      ],
      ['generate', { prompt: ' ', type: 'code' }, 'invalid-field; prompt must not be empty'],
      [
        'generate',
        { prompt: 'p', type: 'code', framework: 'f'.repeat(101) },
        'invalid-field; framework is longer than 100 characters'
      ],
      ['analyze', [], 'invalid-field; the body must be a JSON object'],
      ['analyze', '{bad', 'malformed-body; the body is not valid JSON'],
      ['analyze', { code: 1, language: 'js' }, 'invalid-field; code must be a string'],
      [
        'analyze',
        { code: 'x', language: 'klingon' },
        'invalid-field; language "klingon" is unknown; use a name such as javascript, python, go or sql'
      ],
      [
        'analyze',
        { code: 'x', language: 'a\nb' },
        'invalid-field; the language is unknown; use a name such as javascript, python, go or sql'
      ],
      [
        'analyze',
        Buffer.from('{"code":"\xe9","language":"js"}', 'latin1'),
        'malformed-body; the body is not UTF-8'
      ],
      ['analyze', { code: '\ud800', language: 'js' }, 'invalid-field; code is not valid Unicode'],
      [
        'optimize',
        { code: 'é'.repeat(limits.codeBytes / 2 + 1), language: 'js' },
        `too-long; code is longer than ${limits.codeBytes} bytes`
      ]
    ] as const) {
      t.equal((await post(gateway, path, body)).headers['x-rejection'], rejection)
    }
  })

  t.test("pass on the worker's reason for a refusal", async (t) => {
    gateway.onInference(async () => {
      throw new AppError('NOT_OPTIMIZABLE', 'secret', {
        rejection: { code: 'syntax-error', reason: 'line 3 does not parse' }
      })
    })
    const response = await post(gateway, 'optimize', { code: 'x', language: 'js' })

    t.strictSame(response.json(), { error: 'Unable to optimize code' })
    t.equal(response.headers['x-rejection'], 'syntax-error; line 3 does not parse')
  })

  t.test('report whether the language has analyzers', async (t) => {
    gateway.onInference(async () => analyzed)
    for (const [language, analyzers] of [
      ['js', 'javascript'],
      ['mysql', 'mysql'],
      ['php', 'none']
    ]) {
      t.equal((await post(gateway, 'analyze', { code: 'x', language })).headers['x-analyzers'], analyzers)
    }
  })

  t.test("pass on the worker's findings", async (t) => {
    for (const [path, code, status, error] of [
      ['generate', 'INVALID_AI_REQUEST', 400, 'Invalid generation parameters'],
      ['generate', 'MODEL_UNAVAILABLE', 503, 'Service temporarily unavailable, try again later'],
      [
        'generate',
        'MODEL_OUTPUT_INVALID',
        503,
        'The model gave no usable answer, try again or change the request'
      ],
      ['generate', 'DEADLINE_EXCEEDED', 504, 'The request took too long, try again later'],
      ['analyze', 'INVALID_AI_REQUEST', 400, 'Invalid code or language'],
      ['optimize', 'NOT_OPTIMIZABLE', 400, 'Unable to optimize code'],
      ['generate', 'WORKER_LOST', 503, 'Service temporarily unavailable, try again later'],
      ['optimize', 'QUEUE_UNAVAILABLE', 503, 'Service temporarily unavailable, try again later']
    ] as const) {
      gateway.onInference(async () => {
        throw new AppError(code, 'scripted')
      })
      const response = await post(gateway, path, { prompt: 'p', type: 'code', code: 'x', language: 'js' })
      t.equal(response.statusCode, status, `${path} ${code}`)
      t.strictSame(response.json(), { error })
    }
  })

  t.test('never pass on an outcome of another kind', async (t) => {
    gateway.onInference(async () => analyzed)

    t.equal((await post(gateway, 'generate', { prompt: 'p', type: 'code' })).statusCode, 500)
  })

  t.test('need a token, JSON and the right method', async (t) => {
    t.equal(
      (await gateway.app.inject({ method: 'POST', url: '/api/ai/generate', payload: {} })).statusCode,
      401
    )
    t.equal((await gateway.app.inject({ url: '/api/ai/models' })).statusCode, 401)
    for (const type of ['application/x-www-form-urlencoded', 'text/plain']) {
      t.equal((await post(gateway, 'generate', 'prompt=p', { 'content-type': type })).statusCode, 415, type)
    }
    t.equal((await gateway.get('/api/ai/generate')).statusCode, 405)
    t.equal((await post(gateway, 'generate', `{"prompt":"${'x'.repeat(5_000_000)}"}`)).statusCode, 413)
  })

  t.test('leave one row per request, without the prompt', async (t) => {
    t.match(await gateway.database.generations.findById(await idOf()), {
      kind: 'generate',
      type: 'code',
      modelAsked: 'alpha-4o-mini',
      modelUsed: 'qwen',
      engine: 'model',
      tokensUsed: 42,
      outcome: 'succeeded',
      prompt: null,
      result: null
    })
  })

  t.test('record a failure with its code', async (t) => {
    let id = ''
    gateway.onInference(async (payload) => {
      id = payload.id
      throw new AppError('MODEL_UNAVAILABLE', 'scripted')
    })
    await post(gateway, 'generate', { prompt: 'p', type: 'code' })

    t.match(await gateway.database.generations.findById(id), {
      outcome: 'failed',
      errorCode: 'MODEL_UNAVAILABLE'
    })
  })

  t.test('record that there is no safe improvement, which is not a failure', async (t) => {
    let id = ''
    gateway.onInference(async (payload, { onProgress }) => {
      onProgress?.({ text: '', at: 0, tokensUsed: 17 })
      id = payload.id
      throw new AppError('NOT_OPTIMIZABLE', 'scripted', {
        rejection: { code: 'nothing-to-improve', reason: 'the tools have no safe fix' }
      })
    })
    const headers = { authorization: `Bearer ${await gateway.token('none')}` }
    const response = await post(gateway, 'optimize', { code: 'x', language: 'js' }, headers)

    t.equal(response.statusCode, 400)
    t.strictSame(response.json(), { error: 'Unable to optimize code' })
    t.equal(response.headers['x-rejection'], 'nothing-to-improve; the tools have no safe fix')
    t.match(await gateway.database.generations.findById(id), {
      outcome: 'unchanged',
      errorCode: null,
      tokensUsed: 17
    })
    const history = await gateway.app.inject({ url: '/api/generations', headers })
    t.match(history.json<GenerationsResponse>().generations, [
      { id, kind: 'optimize', status: 'unchanged', engine: 'model+static', model: 'alpha-4o' }
    ])
  })

  t.test('record as a failure that code cannot be optimized', async (t) => {
    let id = ''
    gateway.onInference(async (payload) => {
      id = payload.id
      throw new AppError('NOT_OPTIMIZABLE', 'scripted', {
        rejection: { code: 'syntax-error', reason: 'line 3 does not parse' }
      })
    })
    await post(gateway, 'optimize', { code: 'x', language: 'js' })

    t.match(await gateway.database.generations.findById(id), {
      outcome: 'failed',
      errorCode: 'NOT_OPTIMIZABLE'
    })
  })

  t.test('cancel the job of a client that disconnects, and record the tokens spent so far', async (t) => {
    let id = ''
    gateway.onInference(async (payload, { signal, onProgress }) => {
      onProgress?.({ text: '', at: 0, tokensUsed: 17 })
      const aborted = once(signal!, 'abort')
      id = payload.id
      await aborted
      throw new AppError('CANCELLED', 'scripted')
    })
    const body = JSON.stringify({ prompt: 'p', type: 'code' })
    const socket = await connectTo(t, gateway)
    const head = headOf('/api/ai/generate', await gateway.token('*'), {
      'Content-Type': 'application/json',
      'Content-Length': body.length
    })
    socket.write(head + body)
    await poll(() => id !== '')

    socket.destroy()

    const record = await poll(async () => {
      const row = await gateway.database.generations.findById(id)
      return row?.outcome === 'running' ? null : row
    })
    t.match(record, { outcome: 'cancelled', tokensUsed: 17 })
  })
})

t.test('prompts and results are stored only when the operator turns it on', async (t) => {
  const gateway = await startTestGateway(t, { storePrompts: true })
  let id = ''
  gateway.onInference(async (payload) => {
    id = payload.id
    return payload.kind === 'analyze' ? analyzed : generated
  })

  await post(gateway, 'generate', { prompt: 'keep me', type: 'code' })
  t.match(await gateway.database.generations.findById(id), { prompt: 'keep me', result: 'const a = 1' })
  await post(gateway, 'analyze', { code: 'let a', language: 'js' })
  t.match(await gateway.database.generations.findById(id), {
    prompt: 'let a',
    result: JSON.stringify(analyzed.body)
  })
})
