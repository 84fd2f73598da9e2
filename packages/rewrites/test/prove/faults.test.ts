import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { prove } from '../../src/index.js'
import type { Language } from '@filewright/contracts'
import { lineOf } from './examples.js'
import { callbackExamples } from './callback-examples.js'
import { faultExamples } from './fault-examples.js'

t.setTimeout(600_000)

const faultsOf = async (code: string, language: Language = 'javascript') =>
  (await prove({ code, language, findings: [], findsFaults: true }))?.faults ?? null

for (const { name, kind, code, language, at, fixed } of [...faultExamples, ...callbackExamples]) {
  t.test(`finds ${name}, with a program that shows it`, async (t) => {
    const faults = await faultsOf(code, language)

    t.match(faults, [{ kind, line: lineOf(code, at) }])
    t.equal(faults?.length, 1)
    const { stdout } = await promisify(execFile)(process.execPath, [
      '-e',
      faults?.[0]?.proof.reproducer ?? ''
    ])
    t.match(stdout, 'Proven: ')
    t.strictSame(await faultsOf(code, language), faults, 'and the same every time')
  })

  t.test(`does not find ${name} without the fault`, async (t) => {
    t.ok(code.includes(fixed[0]))

    t.strictSame(
      await faultsOf(
        code.replace(fixed[0], () => fixed[1]),
        language
      ),
      []
    )
  })
}

t.test('nothing is found at the line of a finding, and nothing unless asked', async (t) => {
  for (const { kind, code, at, language = 'javascript' } of faultExamples) {
    if (kind === 'type') continue
    const findings = [{ kind, line: lineOf(code, at) }]

    t.match(await prove({ code, language, findings, findsFaults: true }), {
      proofs: [{}],
      faults: []
    })
    t.strictSame(await prove({ code, language, findings: [] }), { proofs: [], faults: [] })
  }
})

t.test('code that means it is not at fault', async (t) => {
  const codes = [
    'exports.poll = (queue, handle) => {\n  while (true) {\n    const job = queue.next()\n    if (job === null) break\n    handle(job)\n  }\n}\n',
    'exports.walk = (nodes, done) => {\n  for (const node of nodes) {\n    if (node.isOpen) done(node)\n  }\n}\n',
    "exports.listen = (stream, callback) => {\n  stream.once('end', callback)\n  stream.once('error', callback)\n}\n",
    "exports.run = (worker, cb) => {\n  worker.on('error', (error) => cb(error)).on('exit', (code) => {\n    if (code) cb(new Error('exit'))\n  })\n}\n",
    'exports.first = (text) => text.match(/^[^]?/)[0]\n',
    "exports.parse = (text) => {\n  const match = /^(\\d+)$/.exec(text)\n  if (!match) throw new TypeError('no number')\n  return match[1]\n}\n",
    'exports.scale = (value) => {\n  let scale = 1\n  while ((value * scale) % 1 !== 0) scale *= 10\n  return scale\n}\n',
    'exports.sum = (n) => {\n  let sum = 0\n  for (let i = 0; i < 5000; i++) sum += i % (n + 2)\n  return sum\n}\n'
  ]
  for (const code of codes) t.strictSame(await faultsOf(code), [], code)
})

t.test('a literal that is the last code point does not stop the proof', async (t) => {
  const code = `/** @param {string | null} name */
export function initialOf (name) {
  return name.length > 0x10ffff ? '' : name[0]
}
`

  t.match(await faultsOf(code), [{ kind: 'type', line: 3 }])
})
