import t, { type Test } from 'tap'
import { Value, type TSchema } from '@filewright/schema'
import {
  AnalysisResult,
  analysisTypes,
  ErrorResponse,
  GenerationResult,
  generationTypes,
  limits,
  ModelsResponse,
  OptimizationResult,
  optimizationTypes
} from '@filewright/contracts'
import { deployedService, shareStack } from '@filewright/testing'
import { createAiClient, createClient } from '../../src/index.js'

t.setTimeout(600_000)
// As `npm start` on a machine without Ollama.
const stack = deployedService() ?? (await shareStack(t))
const isDeployment = deployedService() !== undefined
const ai = createAiClient(stack.baseUrl, stack.token)

const sql =
  'const find = (db, name) => db.query("SELECT * FROM users WHERE name = \'" + name + "\'")\n\nmodule.exports = { find }\n'
const untidy =
  'export function has (list, wanted) {\n  var found = Object.values(list).filter((each) => each === wanted).length > 0\n  return found\n}\n'

function checkBody(
  t: Test,
  schema: TSchema,
  body: unknown,
  what = 'exactly the keys of the specification'
): void {
  t.ok(Value.Check(schema, body), `${what}: ${JSON.stringify(Value.Errors(schema, body)[0] ?? '')}`)
}

t.test('POST /api/ai/generate', async (t) => {
  t.test('200 for each type: id, content, type, model, tokens_used, created_at', async (t) => {
    await Promise.all(
      generationTypes.map(async (type) => {
        const { status, body, headers } = await ai.post('generate', {
          prompt: 'A list of users.',
          type,
          framework: 'react',
          language: 'typescript',
          model: 'beta-3'
        })

        t.equal(status, 200, type)
        checkBody(t, GenerationResult, body)
        t.match(body, {
          type,
          model: 'beta-3',
          id: /^[0-9A-Za-z]{22}$/,
          created_at: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
        })
        t.ok(body.content.length > 0 && body.tokens_used > 0)
        t.ok(headers.get('x-request-id'))
        // The output of a deployment's models is unknown.
        if (isDeployment) return
        t.notMatch(body.content, /^```/)
        t.equal(headers.get('x-engine'), 'sandbox')
      })
    )
  })

  t.test('200 with only the required fields, the default model, in each language', async (t) => {
    t.match(await ai.post('generate', { prompt: 'Add two numbers.', type: 'code' }), {
      status: 200,
      body: { model: 'alpha-4o-mini', type: 'code' }
    })
    await Promise.all(
      ['javascript', 'python', 'go', 'java', 'rust', 'sql', 'klingon'].map(async (language) => {
        t.equal(
          (await ai.post('generate', { prompt: 'Add two numbers.', type: 'code', language })).status,
          200,
          language
        )
      })
    )
  })

  t.test('the same request returns the same content', async (t) => {
    const [a, b] = [
      await ai.post('generate', { prompt: 'p', type: 'code' }),
      await ai.post('generate', { prompt: 'p', type: 'code' })
    ]
    t.equal(a.body.content, b.body.content)
    t.not(a.body.id, b.body.id)
  })

  t.test('400 Invalid generation parameters', async (t) => {
    for (const body of [
      {},
      { prompt: 'p' },
      { type: 'code' },
      { prompt: '', type: 'code' },
      { prompt: 'p', type: 'poem' },
      { prompt: 'p', type: 'code', model: 'alpha-9' },
      { prompt: 7, type: 'code' },
      { prompt: 'p', type: 'code', language: ['js'] },
      { prompt: 'x'.repeat(limits.promptBytes + 1), type: 'code' },
      // Valid for the field, but not for the model.
      { prompt: 'word '.repeat(50_000), type: 'code', model: 'gamma' },
      [],
      'null',
      '{"prompt":',
      ''
    ]) {
      const { status, body: answer } = await ai.post('generate', body)
      t.equal(status, 400, JSON.stringify(body).slice(0, 60))
      t.strictSame(answer, { error: 'Invalid generation parameters' })
    }
  })

  t.test('streamed: token events, then one result with the specified body', async (t) => {
    const request = { prompt: 'A button.', type: 'component', language: 'typescript' }
    const { status, headers, events } = await ai.stream(request)
    const seen: Array<{ event: string; data: any }> = []
    for await (const event of events) seen.push(event)

    t.equal(status, 200)
    t.equal(headers.get('content-type'), 'text/event-stream; charset=utf-8')
    t.ok(seen.length > 1)
    t.ok(seen.slice(0, -1).every(({ event }) => event === 'token'))
    const result = seen.at(-1)
    t.equal(result?.event, 'result')
    checkBody(t, GenerationResult, result?.data)
    const { id, created_at: createdAt, ...rest } = (await ai.post('generate', request)).body
    t.strictSame(
      result?.data,
      { ...rest, id: result?.data.id, created_at: result?.data.created_at },
      'equal to the body without streaming'
    )
  })
})

t.test('POST /api/ai/analyze', async (t) => {
  t.test('200: analysis, score, suggestions', async (t) => {
    const { status, body, headers } = await ai.post('analyze', {
      code: sql,
      language: 'js',
      framework: 'express'
    })

    t.equal(status, 200)
    checkBody(t, AnalysisResult, body)
    t.ok(
      body.analysis.some(
        ({ line, type }: { line: number; type: string }) => line === 1 && type === 'warning'
      ),
      'the SQL on line 1 is seen'
    )
    t.ok(body.score < 100)
    t.ok(body.suggestions.length > 0)
    // A model may find nothing beyond the analyzers.
    t.match(headers.get('x-engine'), isDeployment ? /^(?:static|ollama|sandbox)/ : 'sandbox')
  })

  t.test('200 for each analysis_type, with findings of that type only', async (t) => {
    const counts = new Map<string, number>()
    for (const type of analysisTypes) {
      const { status, body } = await ai.post('analyze', {
        code: sql,
        language: 'javascript',
        analysis_type: type
      })
      t.equal(status, 200, type)
      checkBody(t, AnalysisResult, body)
      counts.set(type, body.analysis.length)
    }
    t.ok(counts.get('security') === 1 && counts.get('performance') === 0, JSON.stringify([...counts]))
  })

  t.test('200 for clean code, broken code and each language with an analyzer or without', async (t) => {
    t.match(await ai.post('analyze', { code: 'export const a = 1\n', language: 'ts' }), {
      status: 200,
      body: { analysis: [], score: 100, suggestions: [] }
    })
    t.match(
      await ai.post('analyze', { code: 'const a = 1\nconst = 2\n', language: 'js', analysis_type: 'bugs' }),
      { status: 200, body: { analysis: [{ line: 2, type: 'warning' }] } }
    )
    for (const language of [
      'javascript',
      'JSX',
      'ts',
      'tsx',
      'py',
      'golang',
      'Java',
      'rs',
      'sql',
      'bash',
      'css',
      'html',
      'c++',
      'php',
      'c#'
    ]) {
      const { status, body } = await ai.post('analyze', { code: 'x', language })
      t.equal(status, 200, language)
      checkBody(t, AnalysisResult, body, language)
    }
  })

  t.test('the same request 20 times: the same findings and score', async (t) => {
    const bodies = new Set<string>()
    for (let times = 0; times < 20; times++) {
      bodies.add(JSON.stringify((await ai.post('analyze', { code: sql, language: 'javascript' })).body))
    }
    t.equal(bodies.size, 1)
  })

  t.test('400 Invalid code or language', async (t) => {
    for (const body of [
      {},
      { code: 'x' },
      { language: 'js' },
      { code: '', language: 'js' },
      { code: 'x', language: '' },
      { code: 'x', language: 'klingon' },
      { code: 1, language: 'js' },
      { code: 'x', language: 'js', analysis_type: 'mood' },
      { code: 'x'.repeat(limits.codeBytes + 1), language: 'js' },
      { code: 'x', language: 'js', framework: 5 },
      '{',
      '[]'
    ]) {
      const { status, body: answer } = await ai.post('analyze', body)
      t.equal(status, 400, JSON.stringify(body).slice(0, 60))
      t.strictSame(answer, { error: 'Invalid code or language' })
    }
  })
})

t.test('POST /api/ai/optimize', async (t) => {
  t.test('200 for each optimization_type: optimized_code, changes, improvements', async (t) => {
    for (const type of [undefined, ...optimizationTypes]) {
      const { status, body, headers } = await ai.post('optimize', {
        code: untidy,
        language: 'javascript',
        optimization_type: type,
        framework: 'express'
      })

      t.equal(status, 200, `${type}`)
      checkBody(t, OptimizationResult, body)
      t.not(body.optimized_code, untidy)
      t.match(body.optimized_code, /^export function has \(list, wanted\) {/)
      t.ok(body.changes.length > 0 && body.changes.every(({ line }: { line: number }) => line === 2))
      t.ok(body.improvements.length > 0)
      t.match(headers.get('x-engine'), /^(?:static|sandbox)$/)
    }
  })

  t.test('400 Unable to optimize code', async (t) => {
    for (const body of [
      {},
      { code: untidy },
      { language: 'js' },
      { code: '', language: 'js' },
      { code: untidy, language: 'klingon' },
      { code: untidy, language: 'js', optimization_type: 'size' },
      { code: 'x'.repeat(limits.codeBytes + 1), language: 'js' },
      '{',
      // Does not parse; has no parser; cannot be improved.
      { code: 'const = 1', language: 'js' },
      { code: '<?php echo 1;', language: 'php' },
      { code: 'export const a = 1\n', language: 'js' }
    ]) {
      const { status, body: answer } = await ai.post('optimize', body)
      t.equal(status, 400, JSON.stringify(body).slice(0, 60))
      t.strictSame(answer, { error: 'Unable to optimize code' })
    }
  })
})

t.test('GET /api/ai/models', async (t) => {
  const { status, body } = await ai.models()

  t.equal(status, 200)
  checkBody(t, ModelsResponse, body)
  t.strictSame(
    body.models.map(({ name, ...model }: { name: string }) => model),
    [
      { id: 'alpha-4o-mini', capabilities: ['code', 'content', 'analysis'], max_tokens: 128000 },
      { id: 'alpha-4o', capabilities: ['code', 'content', 'analysis'], max_tokens: 128000 },
      { id: 'beta-3', capabilities: ['code', 'content', 'analysis'], max_tokens: 100000 },
      { id: 'gamma', capabilities: ['code', 'content'], max_tokens: 32768 }
    ]
  )
})

t.test(
  '401 Unauthorized on every endpoint, with a wrong token and without one, before anything else is checked',
  async (t) => {
    for (const token of ['wrong-token', '']) {
      const stranger = createClient(stack.baseUrl, token)
      for (const [method, path] of [
        ['POST', 'generate'],
        ['POST', 'analyze'],
        ['POST', 'optimize'],
        ['GET', 'models']
      ] as const) {
        const { status, body, headers } = await stranger.call(
          method,
          `/api/ai/${path}`,
          method === 'POST' ? { body: '{', headers: { 'content-type': 'application/json' } } : {}
        )
        t.equal(status, 401, `${method} ${path}`)
        t.strictSame(body, { error: 'Unauthorized' })
        t.equal(headers.get('www-authenticate'), 'Bearer')
      }
    }
  }
)

t.test('every other error body also has one key', async (t) => {
  const client = createClient(stack.baseUrl, stack.token)
  for (const [method, path, init, expected] of [
    ['GET', '/api/ai/generate', {}, 405],
    ['DELETE', '/api/ai/models', {}, 405],
    ['GET', '/api/ai/nothing', {}, 404],
    [
      'POST',
      '/api/ai/analyze',
      { body: 'code=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415
    ],
    [
      'POST',
      '/api/ai/generate',
      { body: `{"prompt":"${'x'.repeat(5_000_000)}"}`, headers: { 'content-type': 'application/json' } },
      413
    ]
  ] as const) {
    const { status, body } = await client.call(method, path, init)
    t.equal(status, expected, `${method} ${path}`)
    checkBody(t, ErrorResponse, body)
  }
})

t.test("the examples of the reference match the service's responses", async (t) => {
  const {
    body: { paths }
  } = await createClient(stack.baseUrl, stack.token).call('GET', '/openapi.json')
  for (const path of ['analyze', 'optimize'] as const) {
    const { requestBody, responses } = paths[`/api/ai/${path}`].post
    const { status, body } = await ai.post(path, requestBody.content['application/json'].example)

    t.equal(status, 200, path)
    t.strictSame(body, responses[200].content['application/json'].example, path)
  }
})
