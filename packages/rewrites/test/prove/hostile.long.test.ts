import { existsSync } from 'node:fs'
import t from 'tap'
import { prove } from '../../src/index.js'
import { hostileSnippets } from './hostile.js'

t.setTimeout(900_000)

t.test('hostile code ends, reaches nothing outside, and is judged the same twice', async (t) => {
  t.ok(hostileSnippets.length >= 100)
  for (const code of hostileSnippets) {
    const findings = (['pollution', 'shell', 'code'] as const).map((kind) => ({ kind, line: 2 }))
    const input = { code, language: 'javascript' as const, findings }

    const proofs = await prove(input)

    t.strictSame(await prove(input), proofs, code)
    t.notOk(
      proofs?.proofs.some((proof) => proof !== null),
      'nothing is proven'
    )
  }
  t.notOk(existsSync('/tmp/escaped'))
})

t.test('a snippet after a hostile one is proven as before', async (t) => {
  const code =
    'exports.put = (all, path, value) => {\n  const [a, b] = path.split(".")\n  all[a][b] = value\n}\n'
  const input = { code, language: 'javascript' as const, findings: [{ kind: 'pollution' as const, line: 3 }] }
  const before = await prove(input)
  await prove({ code: 'while (true) {}', language: 'javascript', findings: [{ kind: 'shell', line: 1 }] })

  t.ok(before?.proofs[0])
  t.strictSame(await prove(input), before)
})
