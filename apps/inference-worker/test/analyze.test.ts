import t from 'tap'
import type { Finding } from '@filewright/analysis'
import { scoreOf } from '@filewright/contracts'
import { anchorOf } from '@filewright/llm'
import { AppError, type ErrorCode } from '@filewright/runtime'
import { proveFindings } from '../src/prove-findings.js'
import { failureOf, fenced, startShared, startWorker, type WorkerOptions } from './helpers/test-worker.js'

const code =
  "import { pool } from './pool.js'\n\nexport async function find (name) {\n  return await pool.query(`SELECT * FROM users WHERE name = '${name}'`)\n}\n"
const lines = code.split('\n')

const found = (line: number, rest: object = {}): object => ({
  anchor: anchorOf(line, lines[line - 1] ?? ''),
  line,
  category: 'bugs',
  type: 'warning',
  message: `Line ${line} may fail.`,
  suggestion: 'Handle the failure.',
  ...rest
})
const list = (...findings: object[]): string => JSON.stringify({ findings })

t.test('analyze', async (t) => {
  const shared = await startShared(t)
  const alone: Finding[] = await shared.analysis.analyze({ code, language: 'javascript' })
  const source = { code, language: 'javascript' as const }
  const proven = await proveFindings(alone, source, shared.analysis, new AbortController().signal)
  const wire = proven.map(({ type, message, line }) => ({ type, message, line }))
  t.match(alone, [{ line: 4, analysisType: 'security' }], 'the analyzers see the SQL')

  t.test(
    "adds the model's findings that have a line to those of the analyzers, sorted by line",
    async (t) => {
      const { analyze, prompts } = await startWorker(t, shared, {
        replies: [list(found(5), found(3, { type: 'suggestion' }))]
      })

      const { body, engine, modelUsed, tokensUsed } = await analyze({ code, framework: 'express' })

      t.strictSame(body.analysis, [
        { type: 'suggestion', message: 'Line 3 may fail.', line: 3 },
        ...wire,
        { type: 'warning', message: 'Line 5 may fail.', line: 5 }
      ])
      t.equal(body.score, scoreOf([...alone, { type: 'warning' }, { type: 'suggestion' }]))
      t.ok(body.suggestions.includes('Handle the failure.'))
      t.match({ engine, modelUsed }, { engine: 'model+static', modelUsed: 'small:1b' })
      t.ok(tokensUsed > 0)
      t.match(prompts()[0], alone[0]!.message, 'the model is told what is known')
    }
  )

  t.test('a proven finding says so in its message, and its rule contains the reproducer', async (t) => {
    const { analyze } = await startWorker(t, shared)

    const { body, rules } = await analyze({ code, analyzersOnly: true })

    const [{ message = '' } = {}] = body.analysis
    t.ok(message.startsWith(alone[0]!.message))
    t.match(message, 'Proven: `find("\' OR injected --")`: the input becomes part of the statement')
    t.match(rules?.[0], { proof: { reproducer: 'pool.query(`SELECT', entry_line: 3 } })
  })

  t.test('what a comment accepts is not reported by a run of the code either', async (t) => {
    const { analyze } = await startWorker(t, shared)
    const handler = `const app = require('express')()
app.get('/users', async (request, response) => {
  const { name } = request.query
  response.json(await db.query("SELECT * FROM users WHERE name = '" + name + "'")) // filewright-ignore js/sql-injection -- the name is ours
})
`

    const { body, suppressed } = await analyze({ code: handler, analyzersOnly: true })

    t.notOk(body.analysis.some(({ message }) => message.includes('Proven')))
    t.match(suppressed, [{ line: 4, id: 'js/sql-injection', reason: 'the name is ours' }])
  })

  t.test(
    'a suppressed finding of the analyzers or the model is neither in the body nor in the score',
    async (t) => {
      const own = lines.map((line, index) =>
        index === 3
          ? `${line} // filewright-ignore js/sql-injection -- the name is ours`
          : index === 4
            ? `// filewright-ignore model/bugs -- seen\n${line}`
            : line
      )
      const claim = { anchor: anchorOf(6, '}'), line: 6 }
      const { analyze } = await startWorker(t, shared, { replies: [list(found(5, claim))] })

      const { body, suppressed } = await analyze({ code: own.join('\n') })

      t.strictSame(body, { analysis: [], score: 100, suggestions: [] })
      t.match(suppressed, [
        { line: 4, id: alone[0]?.ruleId, category: 'security', reason: 'the name is ours' },
        { line: 6, id: 'model/bugs', reason: 'seen' }
      ])
    }
  )

  t.test('a fault that only a run of the code shows is a warning, and a comment can accept it', async (t) => {
    const { analyze } = await startWorker(t, shared)
    const before = 'export function major (version) {\n  const match = /^(\\d+)\\./.exec(version)\n'
    const after = '  return Number(match[1])\n}\n'
    const accepted = `${before}  // filewright-ignore proof/null-match -- always a version\n${after}`

    const { body, rules } = await analyze({ code: before + after, analyzersOnly: true })
    const quiet = await analyze({ code: accepted, analyzersOnly: true })
    const others = await analyze({ code: before + after, analyzersOnly: true, analysisTypes: ['style'] })

    t.match(body.analysis, [{ type: 'warning', line: 3, message: /can be null here.* Proven: `major\(/ }])
    t.match(rules, [{ id: 'proof/null-match', level: 'warning', category: 'bugs', proof: {} }])
    t.strictSame(quiet.body.analysis, [])
    t.match(quiet.suppressed, [{ line: 4, id: 'proof/null-match', reason: 'always a version' }])
    t.strictSame(others.body.analysis, [])
  })

  t.test("a model's finding of a provable kind becomes a suggestion if it is not proven", async (t) => {
    const claim = { category: 'security', message: 'Prototype pollution through the name.' }
    const other = { category: 'security', message: 'The name is not validated.' }
    const { analyze } = await startWorker(t, shared, {
      replies: [
        list(found(3, claim), found(5, other)),
        '{"verdicts":[{"number":1,"answer":"yes"},{"number":2,"answer":"yes"}]}'
      ]
    })

    const { body } = await analyze({ code })

    t.match(
      body.analysis.filter(({ line }) => line !== 4),
      [
        { type: 'suggestion', message: claim.message },
        { type: 'warning', message: other.message }
      ]
    )
  })

  t.test('does not call the model when only the analyzers are requested', async (t) => {
    const { analyze, prompts } = await startWorker(t, shared, { replies: [list(found(5))] })

    const { body, engine, tokensUsed } = await analyze({ code, analyzersOnly: true })

    t.strictSame(body.analysis, wire)
    t.match({ engine, tokensUsed }, { engine: 'static', tokensUsed: 0 })
    t.strictSame(prompts(), [])
  })

  const failing = (errorCode: ErrorCode) => ({
    ...shared,
    analysis: {
      ...shared.analysis,
      inLane: () => ({
        ...shared.analysis.inLane('slow'),
        analyze: async () => {
          throw new AppError(errorCode, 'scripted')
        }
      })
    }
  })

  t.test('fails when the analyzers ran out of time, because an idle machine might finish', async (t) => {
    for (const analyzersOnly of [true, false]) {
      const { analyze } = await startWorker(t, failing('DEADLINE_EXCEEDED'), { replies: [list()] })

      await t.rejects(analyze({ code, analyzersOnly }), { code: 'DEADLINE_EXCEEDED' })
    }
  })

  t.test('gives each finding a rule with an id, a level and a kind, also those of the model', async (t) => {
    const { analyze } = await startWorker(t, shared, { replies: [list(found(5, { type: 'suggestion' }))] })

    const { rules } = await analyze({ code })

    t.match(rules, [
      { id: 'js/sql-injection', level: 'error', category: 'security', help: /./ },
      { id: 'model/bugs', level: 'note', category: 'bugs' }
    ])
  })

  t.test(
    "reports that nothing was analyzed without an analyzer and without a model's response",
    async (t) => {
      const sentence = /^There is no analyzer for php: only the rules for every language/
      const heard = await startWorker(t, shared, { replies: [list()] })
      t.strictSame((await heard.analyze({ code: '<?php echo 1;', language: 'php' })).body.suggestions, [])
      const sandbox = await startWorker(t, shared, { isSandbox: true, replies: [list()] })
      t.match((await sandbox.analyze({ code: '<?php echo 1;', language: 'php' })).body.suggestions, [
        sentence
      ])
      const deaf = await startWorker(t, shared, { script: () => ({ kind: 'status', status: 500 }) })
      t.match((await deaf.analyze({ code: '<?php echo 1;', language: 'php' })).body.suggestions, [sentence])
      t.strictSame((await deaf.analyze({ code: 'SELECT 1;', language: 'mysql' })).body.suggestions, [])
    }
  )

  t.test('reports the sandbox when its samples replaced a model', async (t) => {
    const { analyze, generate } = await startWorker(t, shared, {
      isSandbox: true,
      replies: [list(found(5)), list(found(5)), fenced('let a = 1')]
    })
    const reports: Array<string | undefined> = []

    t.equal((await analyze({ code })).engine, 'sandbox')
    const generated = await generate(
      { stream: true },
      {
        onProgress: ({ engine }) => {
          reports.push(engine)
        }
      }
    )
    t.equal(generated.engine, 'sandbox')
    t.ok(reports.length > 0 && reports.every((engine) => engine === 'sandbox'), 'from the first text on')
  })

  t.test('drops findings that cannot be verified or that a tool already reported', async (t) => {
    const { analyze } = await startWorker(t, shared, {
      replies: [
        list(
          found(3, { anchor: '3#000' }),
          found(2, { anchor: anchorOf(2, '') }),
          found(99, { anchor: '99#abc' }),
          found(3, { line: 4 }),
          found(3, { category: 'mood' }),
          found(3, { message: '' }),
          found(4, { category: 'security', message: 'SQL injection!' }),
          found(3),
          found(3)
        )
      ]
    })

    const { body } = await analyze({ code })

    t.strictSame(body.analysis, [{ type: 'warning', message: 'Line 3 may fail.', line: 3 }, ...wire])
  })

  t.test('has no empty suggestion when the model gives none', async (t) => {
    const { analyze } = await startWorker(t, shared, { replies: [list(found(3, { suggestion: '' }))] })

    const { body } = await analyze({ code })

    t.equal(body.analysis.length, alone.length + 1)
    t.notOk(body.suggestions.includes(''))
  })

  t.test('returns only the requested types', async (t) => {
    const { analyze } = await startWorker(t, shared, {
      replies: [list(found(3), found(5, { category: 'style' }))]
    })

    t.strictSame((await analyze({ code, analysisTypes: ['style'] })).body.analysis, [
      { type: 'warning', message: 'Line 5 may fail.', line: 5 }
    ])
  })

  t.test("uses only the analyzers when the model's response is unusable", async (t) => {
    for (const [what, options] of Object.entries<WorkerOptions>({
      'unusable text': { replies: ['I found nothing wrong.'] },
      'a broken list': { script: () => ({ kind: 'schema-breaking', text: '[' }) },
      'an error': { script: () => ({ kind: 'status', status: 500 }) },
      'a frozen model': {
        script: () => ({ kind: 'frozen' }),
        client: { timeouts: { connectMs: 500, firstTokenMs: 100, idleMs: 100, totalMs: 1_000 } }
      },
      'a context that is too small': { client: { contextCap: 2_048, defaultOutputTokens: 2_000 } }
    })) {
      const { analyze } = await startWorker(t, shared, options)
      const { body, engine } = await analyze({ code })
      t.equal(engine, 'static', what)
      t.strictSame(body.analysis, wire, what)
      t.equal(body.score, scoreOf(alone), what)
    }
    const { analyze, peer } = await startWorker(t, shared)
    await peer.close()
    t.match(
      await analyze({ code }),
      { engine: 'static', tokensUsed: 0, body: { analysis: wire } },
      'a model that is down'
    )
  })

  t.test('returns the same result in 20 runs', async (t) => {
    const { analyze } = await startWorker(t, shared, { replies: [list(found(5), found(3))] })

    const bodies = new Set<string>()
    for (let times = 0; times < 20; times++) bodies.add(JSON.stringify((await analyze({ code })).body))

    t.equal(bodies.size, 1)
  })

  t.test('finds the line that does not parse', async (t) => {
    const { analyze } = await startWorker(t, shared, { replies: [list()] })

    t.match((await analyze({ code: 'const a = 1\nconst = 2\n' })).body.analysis, [
      { type: 'warning', line: 2, message: /does not parse/ }
    ])
  })

  t.test('also handles languages without an analyzer', async (t) => {
    const { analyze } = await startWorker(t, shared, { replies: [list()] })

    t.match(await analyze({ code: '<?php echo 1;\n', language: 'php' }), {
      engine: 'model+static',
      body: { score: 100, analysis: [] }
    })
    t.equal(await failureOf(analyze({ code, language: 'klingon' })), 'INVALID_AI_REQUEST')
  })
})
