import t from 'tap'
import { compareExports } from '@filewright/analysis'
import { fenced, failureOf, startShared, startWorker } from './helpers/test-worker.js'
import { snippets, vulnerable } from './helpers/snippets.js'

t.setTimeout(900_000)

t.test('optimize on 30 snippets', async (t) => {
  t.equal(snippets.length, 30)
  const shared = await startShared(t)
  const { analysis } = shared
  let reply = ''
  const { optimize } = await startWorker(t, shared, { respond: () => reply })

  for (const [index, { language, first, second }] of snippets.entries()) {
    t.test(
      `${index + 1}, ${language}: the result parses and has the same exports, whatever the model writes`,
      async (t) => {
        const code = first + second
        const offered = await analysis.exportsOf(code, language)
        t.match(await analysis.checkSyntax(code, language), { ok: true })
        t.ok(offered !== null && offered.length > 1)
        const comment = language === 'python' ? '#' : '//'
        // The tools' own result, to distinguish it from the model's.
        const fixed = await analysis.fix({ code, language })

        for (const [what, answer] of Object.entries({
          'broken code': `${code}\n)}`,
          'half of it dropped': language === 'java' ? `${first}}\n` : first,
          'a vulnerability added': `${code}\n${vulnerable[language] ?? ''}`,
          'nothing but a comment added': `${fixed.code}\n${comment} Written anew.`
        })) {
          reply = fenced(answer, language)
          const outcome = await failureOf(optimize({ code, language }))
          if (fixed.fixes.length === 0) t.equal(outcome, 'NOT_OPTIMIZABLE', what)
          else t.match(outcome, { gave: { engine: 'static', body: { optimized_code: fixed.code } } }, what)
        }

        t.match(await analysis.checkSyntax(fixed.code, language), { ok: true })
        t.strictSame(compareExports(offered, await analysis.exportsOf(fixed.code, language)), {
          kept: true,
          missing: [],
          changed: []
        })
        for (const { line } of fixed.fixes) t.ok(line >= 1 && line <= code.trimEnd().split('\n').length)
      }
    )
  }
})
