import t from 'tap'
import { AppError } from '@filewright/runtime'
import {
  failureOf,
  fenced,
  reasonOf,
  startShared,
  startWorker,
  type WorkerOptions
} from './helpers/test-worker.js'

t.setTimeout(900_000)

/** The tools have nothing to fix in it. */
const clean = `export function contains (list, wanted) {
  for (const entry of list) {
    if (entry === wanted) {
      return true
    }
  }
  return false
}

export function twice (list) {
  return list.map(double)
}

function double (value) {
  return value * 2
}
`
const better = clean.replace(/ {2}for[\s\S]*?return false/, '  return list.indexOf(wanted) !== -1')
const flawed = clean.replace('const entry', 'var entry')

t.test('optimize', { timeout: 240_000 }, async (t) => {
  const shared = await startShared(t)

  t.test('says why a fix was held back, whether or not others were made', async (t) => {
    const { optimize } = await startWorker(t, shared, { replies: [fenced('nothing'), fenced('nothing')] })
    const watched = 'export function run (source) {\n  let a = 1\n  eval(source)\n  return a\n}\n'
    const why = 'the declaration on line 2 stays, because `eval` on line 3 may use its names'

    const error = await optimize({ code: watched }).catch((reason: unknown) => reason)
    t.match(error, { rejection: { reason: why } })
    const { body } = await optimize({ code: `${watched}\n${flawed}` })
    t.match(body.optimized_code, 'const entry')
    t.match(body.optimized_code, 'let a')
    t.ok(body.improvements.includes(`Not all fixes: ${why}`), body.improvements.join('; '))
  })

  t.test("takes the model's rewrite, with the changes of the real diff and the measurements", async (t) => {
    const { optimize, prompts } = await startWorker(t, shared, { replies: [fenced(better)] })

    const { body, engine, modelUsed } = await optimize({
      code: clean,
      optimizationType: 'performance',
      framework: 'express'
    })

    t.equal(body.optimized_code, better)
    t.match({ engine, modelUsed }, { engine: 'model', modelUsed: 'small:1b' })
    t.match(body.changes, [
      {
        type: 'optimize',
        line: 2,
        description:
          'Replaced 6 lines from `for (const entry of list) {` with `return list.indexOf(wanted) !== -1`.'
      }
    ])
    t.match(body.improvements, [
      /^Reduced cyclomatic complexity from \d+ to \d+$/,
      'Shortened the code by 5 lines',
      /Same results on \d+ generated inputs for 1 function/
    ])
    t.match(prompts()[0], /Goal: performance\nLanguage: javascript\nFramework: express/)
  })

  t.test('applies the fixes of the tools first, and sends the model the result', async (t) => {
    const { optimize, prompts } = await startWorker(t, shared, { replies: [fenced(better)] })

    const { body, engine } = await optimize({ code: flawed })

    t.equal(engine, 'model+static')
    t.equal(body.optimized_code, better)
    t.match(body.improvements, [/finding/])
    t.notMatch(prompts()[0], 'var entry')
  })

  t.test("keeps the tools' result when the model has nothing to add or is unavailable", async (t) => {
    for (const [what, options] of Object.entries<WorkerOptions>({
      unchanged: { replies: [fenced(clean)] },
      nothing: { replies: [''] },
      'cut at the limit': { replies: [fenced(better)], client: { defaultOutputTokens: 20 } },
      down: { script: () => ({ kind: 'status', status: 500 }) },
      'too small a context': { client: { contextCap: 2_048, defaultOutputTokens: 2_000 } }
    })) {
      const { optimize } = await startWorker(t, shared, options)
      const { body, engine } = await optimize({ code: flawed })
      t.equal(engine, 'static', what)
      t.equal(body.optimized_code, clean, what)
      t.strictSame([...new Set(body.changes.map(({ line }) => line))], [2], what)
      t.match(body.improvements, [/^Removed \d+ \w+ findings?$/], what)
      t.match(body.improvements.at(-1), /Same results on \d+ generated inputs for 1 function/, what)
    }
  })

  t.test('refuses a rewrite that is worse in any visible way', async (t) => {
    const worse = {
      'broken code': better.replace('list.indexOf(wanted) !== -1', 'list.indexOf('),
      'an export has another name': better.replace('function contains', 'function includes'),
      'a signature differs': better.replace('(list, wanted)', '(list, wanted, from = 0)'),
      'a vulnerability is added': better.replace(
        'return list.indexOf(wanted) !== -1',
        "return eval('list.indexOf(wanted) !== -1')"
      ),
      'it is only hinted at': better.replace('return list.indexOf(wanted) !== -1', '// ... rest of the code'),
      'it is another text altogether': 'Buy our tools.',
      'it is endless': better + '// more\n'.repeat(2_000)
    }
    for (const [what, code] of Object.entries(worse)) {
      t.not(code, better, `${what}: the test changes something`)
      const { optimize, prompts } = await startWorker(t, shared, { replies: [fenced(code)] })
      t.equal(await failureOf(optimize({ code: clean })), 'NOT_OPTIMIZABLE', what)
      t.match(await optimize({ code: flawed }), { engine: 'static', body: { optimized_code: clean } }, what)
      t.equal(prompts().length, 2, what)
    }
  })

  t.test('takes the function that is proven, and keeps every other one byte for byte', async (t) => {
    for (const [what, code] of Object.entries({
      'an export is gone': better.replace('export function twice', 'function twice'),
      'a function is dropped': better.replace(/export function twice[\s\S]*?\n}\n/, ''),
      'a helper is dropped': better.replace(/function double[\s\S]*?\n}\n/, ''),
      'another function is wrong': better.replace('value * 2', 'value * 3'),
      'another function is only hinted at': better.replace(
        'return list.map(double)',
        '// ... rest of the code'
      ),
      'another function is laid out anew': better.replace(
        '{\n  return value * 2\n}',
        '{ return value * 2; }'
      ),
      'the original comes first': `${clean}\`\`\`\n\nBetter:\n\n\`\`\`js\n${better}`,
      'something is added that nobody uses': `${better}\nexport const more = [\n${'  1,\n'.repeat(40)}  2\n]\n`
    })) {
      t.not(code, better, `${what}: the test changes something`)
      const { optimize } = await startWorker(t, shared, { replies: [fenced(code)] })
      const { body } = await optimize({ code: clean })
      t.equal(body.optimized_code, better, what)
      t.strictSame(
        body.changes.map(({ line }) => line),
        [2],
        what
      )
    }
  })

  t.test("continues without the tools' fixes when they fail", async (t) => {
    const failing = {
      ...shared.analysis,
      fix: async () => {
        throw new AppError('JOB_FAILED', 'scripted')
      }
    }
    const { optimize } = await startWorker(t, { ...shared, analysis: failing }, { replies: [fenced(better)] })

    t.match(await optimize({ code: flawed }), { engine: 'model', body: { optimized_code: better } })
  })

  t.test("fails when the tools' fixes ran out of time, because an idle machine might finish", async (t) => {
    const failing = {
      ...shared.analysis,
      inLane: () => ({
        ...shared.analysis.inLane('slow'),
        fix: async () => {
          throw new AppError('DEADLINE_EXCEEDED', 'scripted')
        }
      })
    }
    const { optimize } = await startWorker(t, { ...shared, analysis: failing }, { replies: [fenced(better)] })

    t.equal(await failureOf(optimize({ code: flawed })), 'DEADLINE_EXCEEDED')
  })

  t.test('says that nothing can be improved only when the model has answered', async (t) => {
    const heard = await startWorker(t, shared, { replies: [fenced(clean)] })
    t.equal(await failureOf(heard.optimize({ code: clean })), 'NOT_OPTIMIZABLE')
    t.equal(await reasonOf(heard.optimize({ code: clean })), 'nothing-to-improve')

    const failing = await startWorker(t, shared, { script: () => ({ kind: 'status', status: 500 }) })
    t.equal(await failureOf(failing.optimize({ code: clean })), 'MODEL_UNAVAILABLE')

    const small = await startWorker(t, shared, { client: { contextCap: 2_048, defaultOutputTokens: 2_000 } })
    t.equal(
      await failureOf(small.optimize({ code: clean })),
      'NOT_OPTIMIZABLE',
      'too long for the model is an answer'
    )
    t.equal(await reasonOf(small.optimize({ code: clean })), 'too-long')
    const long = Array.from({ length: 100 }, (_, number) => {
      return `export function add${number} (a, b) {\n  return a + b + ${number}\n}\n`
    }).join('\n')
    const parts = await startWorker(t, shared, {
      replies: [fenced('export function add0 (a, b) {\n  return a + b + 1\n}')],
      client: { contextCap: 4_096, defaultOutputTokens: 2_000 }
    })
    t.equal(
      await reasonOf(parts.optimize({ code: long })),
      'no-safe-rewrite',
      'its functions were asked about'
    )
    const unsafe = await startWorker(t, shared, {
      replies: [fenced(better.replace('indexOf(', 'indexOf(!'))]
    })
    t.equal(await reasonOf(unsafe.optimize({ code: clean })), 'no-safe-rewrite')
  })

  t.test('calls no model for code that does not parse or languages without a parser', async (t) => {
    const { optimize, prompts } = await startWorker(t, shared, { replies: [fenced(better)] })

    t.equal(await failureOf(optimize({ code: 'const = 1' })), 'NOT_OPTIMIZABLE')
    t.equal(await reasonOf(optimize({ code: 'const = 1' })), 'syntax-error')
    const withNul = `${clean}export const separator = '\0'\n`
    t.equal(await reasonOf(optimize({ code: withNul })), 'syntax-error')
    const line = withNul.slice(0, withNul.indexOf('\0')).split('\n').length
    t.match(await optimize({ code: withNul }).catch((error: unknown) => error), {
      rejection: { reason: `line ${line} contains a NUL byte: use an escape sequence instead` }
    })
    t.equal(await reasonOf(optimize({ code: '<?php echo 1;', language: 'php' })), 'no-parser')
    t.equal(await failureOf(optimize({ code: '<?php echo 1;', language: 'php' })), 'NOT_OPTIMIZABLE')
    t.equal(await failureOf(optimize({ code: clean, language: 'klingon' })), 'INVALID_AI_REQUEST')
    t.strictSame(prompts(), [])
  })

  t.test('keeps line endings and blank lines around the code, and reports no change for them', async (t) => {
    const { optimize } = await startWorker(t, shared, { replies: [fenced(better)] })

    for (const frame of [
      (code: string) => `\n\n${code}\n`,
      (code: string) => code.trimEnd(),
      (code: string) => code.replaceAll('\n', '\r\n')
    ]) {
      const { body } = await optimize({ code: frame(clean) })
      t.equal(body.optimized_code, frame(better))
      t.equal(body.changes.length, 1)
    }
  })

  t.test('takes a rewrite of SQL only if it parses to the same tree', async (t) => {
    const code = 'SELECT id FROM users WHERE ((active = true)) AND ((age >= 18));\n'
    const good = 'SELECT id FROM users WHERE active = true AND age >= 18;\n'
    const kept = await startWorker(t, shared, { replies: [fenced(good.trimEnd(), 'sql')] })
    t.equal((await kept.optimize({ code, language: 'sql' })).body.optimized_code, good)

    const bad = 'SELECT id FROM users WHERE active = true;'
    const lost = await startWorker(t, shared, { replies: [fenced(bad, 'sql')] })
    t.equal(await failureOf(lost.optimize({ code, language: 'sql' })), 'NOT_OPTIMIZABLE')
  })

  t.test('calls no model for languages in which no rewrite can be proven', async (t) => {
    for (const [language, code, good] of [
      ['shell', 'tidy() {\n  rm -- $1\n}\ntidy x\n', 'tidy() {\n  rm -- "$1"\n}\ntidy x\n'],
      ['css', '.a { color: red; color: red; }\n', '.a { color: red; }\n'],
      [
        'go',
        'package a\n\nfunc Sum(list []int) int {\n\ts := 0\n\tfor i := 0; i < len(list); i++ {\n\t\ts += list[i]\n\t}\n\treturn s\n}\n',
        'package a\n\nfunc Sum(list []int) int {\n\ts := 0\n\tfor _, n := range list {\n\t\ts += n\n\t}\n\treturn s\n}\n'
      ]
    ] as const) {
      const { optimize, prompts } = await startWorker(t, shared, {
        replies: [fenced(good.trimEnd(), language)]
      })

      t.equal(await reasonOf(optimize({ code, language })), 'nothing-to-improve', language)

      t.strictSame(prompts(), [], language)
    }
  })

  t.test('accepts a rewrite with other line endings, and keeps those of the code', async (t) => {
    const rewritten =
      '/**\n * Doubles.\n * @param x a number\n */\nexport function double (x) {\n  return `\n${x * 2}`\n}\n'
    const code =
      '/**\n * Doubles.\n * @param x a number\n */\nexport function double (x) {\n  const result = x * 2\n  return `\n${result}`\n}\n'
    for (const answer of [rewritten, rewritten.replaceAll('\n', '\r\n')]) {
      const { optimize } = await startWorker(t, shared, { replies: [fenced(answer)] })

      const { body } = await optimize({ code: code.replaceAll('\n', '\r\n') })

      t.equal(body.optimized_code, rewritten.replaceAll('\n', '\r\n'))
    }
  })
})
