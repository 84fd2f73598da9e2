import t from 'tap'
import { limits } from '@filewright/contracts'
import { AppError } from '@filewright/runtime'
import { sarifValidator } from '../../helpers/sarif-validator.js'
import { startTestGateway } from '../../helpers/test-gateway.js'

t.test('many files are analyzed in one request', async (t) => {
  const gateway = await startTestGateway(t)
  const token = await gateway.token('none')
  const post = async (payload: unknown, headers = {}) =>
    await gateway.app.inject({
      method: 'POST',
      url: '/api/ai/analyze/batch',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      payload: JSON.stringify(payload)
    })
  const file = (path: string, code = 'x', language = 'js') => ({ path, code, language })

  /** The worker's inputs, and the maximum number of concurrent jobs. */
  const seen = {
    codes: [] as string[],
    paths: [] as unknown[],
    analyzersOnly: [] as unknown[],
    types: [] as unknown[],
    atOnce: 0
  }
  const answerJobs = (): void => {
    Object.assign(seen, { codes: [], paths: [], analyzersOnly: [], types: [], atOnce: 0 })
    let underWay = 0
    gateway.onInference(async (payload) => {
      if (payload.kind !== 'analyze') throw new Error(`asked for ${payload.kind}`)
      seen.codes.push(payload.code)
      seen.paths.push(payload.path)
      seen.analyzersOnly.push(payload.analyzersOnly)
      seen.types.push(payload.analysisTypes)
      seen.atOnce = Math.max(seen.atOnce, ++underWay)
      await new Promise((resolve) => setTimeout(resolve, 5))
      underWay--
      const isBad = payload.code.startsWith('eval')
      return {
        kind: 'analyze',
        engine: 'static',
        tokensUsed: 0,
        body: {
          analysis: isBad ? [{ type: 'warning', message: 'eval runs any code.', line: 1 }] : [],
          score: isBad ? 80 : 100,
          suggestions: []
        },
        rules: isBad ? [{ id: 'js/eval', help: 'Parse it.', level: 'error' }] : []
      }
    })
  }

  t.test('the results are in the order of the files, one job after another', async (t) => {
    answerJobs()
    const files = [file('src/a.js', 'a'), file('b c.py', 'eval(x)', 'py'), file('ü.js', 'c')]

    const response = await post({ files, analysis_type: 'security' })

    t.equal(response.statusCode, 200)
    t.equal(response.headers['x-engine'], 'static')
    t.strictSame(response.json(), {
      files: [
        { path: 'src/a.js', analysis: [], score: 100, suggestions: [] },
        {
          path: 'b c.py',
          analysis: [{ type: 'warning', message: 'eval runs any code.', line: 1 }],
          score: 80,
          suggestions: []
        },
        { path: 'ü.js', analysis: [], score: 100, suggestions: [] }
      ]
    })
    t.strictSame(seen, {
      codes: ['a', 'eval(x)', 'c'],
      paths: ['src/a.js', 'b c.py', 'ü.js'],
      analyzersOnly: [true, true, true],
      types: [['security'], ['security'], ['security']],
      atOnce: 1
    })
  })

  t.test('as SARIF there is one run with an artifact for each file', async (t) => {
    answerJobs()
    const files = [file('src/a.js', 'a'), file('b c.py', 'eval(x)', 'py')]

    const response = await post({ files }, { accept: 'application/sarif+json' })

    t.match(response.headers, { 'content-type': /^application\/sarif\+json/, vary: /accept/i })
    const isValid = await sarifValidator()
    t.ok(isValid(response.json()), JSON.stringify(isValid.errors))
    t.match(response.json().runs, [
      {
        artifacts: [
          { location: { uri: 'src/a.js' }, properties: { score: 100, analyzers: 'javascript' } },
          { location: { uri: 'b%20c.py' }, properties: { score: 80, analyzers: 'python' } }
        ],
        results: [
          {
            ruleId: 'js/eval',
            locations: [{ physicalLocation: { artifactLocation: { uri: 'b%20c.py' } } }]
          }
        ]
      }
    ])
  })

  t.test('a request with invalid files is refused with the reason, before any job', async (t) => {
    answerJobs()
    const half = 'x'.repeat(limits.codeBytes / 2)
    const wrong: Array<[unknown, string]> = [
      [{}, 'invalid-field; files is required'],
      [{ files: [] }, 'invalid-field; files must not be empty'],
      [{ files: 'a' }, 'invalid-field; files must be an array'],
      [{ files: [{ path: 'a', code: 'x' }] }, 'invalid-field; language is required'],
      [{ files: [file('a', ' ')] }, 'invalid-field; files/0/code must not be empty'],
      [{ files: [file('a'), file('a\nb')] }, 'invalid-field; files/1/path has a control character'],
      [{ files: [file('a'), file('a')] }, 'invalid-field; files/1/path is there twice'],
      [{ files: [file('a\ud800')] }, 'invalid-field; files/0/path is not valid Unicode'],
      [{ files: [file('a', 'x\udc00')] }, 'invalid-field; files/0/code is not valid Unicode'],
      [
        { files: [file('a'), file('b', 'x', 'klingon')] },
        'invalid-field; files/1: language "klingon" is unknown; use a name such as javascript, python, go or sql'
      ],
      [
        { files: Array.from({ length: limits.filesPerAnalysis + 1 }, (_, i) => file(String(i))) },
        `invalid-field; files has more than ${limits.filesPerAnalysis} entries`
      ],
      [
        { files: [file('a', half), file('b', half), file('c')] },
        `too-long; the code of all files is longer than ${limits.codeBytes} bytes`
      ]
    ]
    for (const [body, rejection] of wrong) {
      const response = await post(body)
      t.equal(response.statusCode, 400, rejection)
      t.strictSame(response.json(), { error: 'Invalid code or language' })
      t.equal(response.headers['x-rejection'], rejection)
    }
    t.strictSame(seen.codes, [])
    t.equal((await post({ files: [file('a', half), file('b', half)] })).statusCode, 200, 'as long as allowed')
  })

  t.test('one failing file fails the request, and no further job starts', async (t) => {
    let jobs = 0
    gateway.onInference(async () => {
      jobs++
      throw new AppError('MODEL_UNAVAILABLE', 'down')
    })
    t.equal((await post({ files: [file('a'), file('b')] })).statusCode, 503)
    t.equal(jobs, 1)
  })

  t.test('returns 504 for the whole batch when the analyzers time out on a file', async (t) => {
    const codes: string[] = []
    gateway.onInference(async (payload) => {
      if (payload.kind !== 'analyze') throw new Error(`asked for ${payload.kind}`)
      codes.push(payload.code)
      if (payload.code === 'slow') throw new AppError('DEADLINE_EXCEEDED', 'took more than 10000 ms')
      return {
        kind: 'analyze',
        engine: 'static',
        tokensUsed: 0,
        body: { analysis: [], score: 100, suggestions: [] },
        rules: []
      }
    })
    const body = { files: ['a', 'slow', 'b'].map((name) => file(name, name)) }

    const response = await post(body)

    t.equal(response.statusCode, 504)
    t.strictSame(Object.keys(response.json()), ['error'])
    t.strictSame(codes, ['a', 'slow'])
  })

  t.test('with an idempotency key it runs once, and is returned in either format', async (t) => {
    answerJobs()
    const key = { 'idempotency-key': 'batch-1' }
    const body = { files: [file('a', 'eval(x)')] }
    await post(body, key)
    const again = await post(body, { ...key, accept: 'application/sarif+json' })
    t.equal(again.headers['idempotent-replayed'], 'true')
    t.equal(again.json().runs[0].results[0].ruleId, 'js/eval')
    t.strictSame(seen.codes, ['eval(x)'])
    t.equal((await post({ files: [file('b', 'eval(x)')] }, key)).statusCode, 422)
  })

  t.test('needs a token', async (t) => {
    t.equal((await post({ files: [file('a')] }, { authorization: 'Bearer wrong' })).statusCode, 401)
    const { statusCode, headers } = await gateway.get('/api/ai/analyze/batch')
    t.strictSame([statusCode, headers.allow], [405, 'POST'])
  })
})

t.test('a batch has one deadline, and is 504 when it passes before the last file', async (t) => {
  const gateway = await startTestGateway(t, { aiDeadlineMs: 300 })
  const token = await gateway.token('none')
  const deadlines: number[] = []
  gateway.onInference(async (_payload, { deadlineMs }) => {
    deadlines.push(deadlineMs)
    // The second one takes all the remaining time, and still finishes.
    await new Promise((resolve) => setTimeout(resolve, deadlines.length === 1 ? 20 : deadlineMs + 20))
    const body = { analysis: [], score: 100, suggestions: [] }
    return { kind: 'analyze', engine: 'static', tokensUsed: 0, body }
  })

  const response = await gateway.app.inject({
    method: 'POST',
    url: '/api/ai/analyze/batch',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload: JSON.stringify({ files: ['a', 'b', 'c'].map((path) => ({ path, code: 'x', language: 'js' })) })
  })

  t.equal(response.statusCode, 504)
  t.strictSame(response.json(), { error: 'The request took too long, try again later' })
  t.equal(deadlines.length, 2)
  t.ok(deadlines[0]! <= 300 && deadlines[1]! <= deadlines[0]! - 15, deadlines.join(', '))
})
