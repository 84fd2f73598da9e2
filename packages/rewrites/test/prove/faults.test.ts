import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { prove } from '../../src/index.js'
import { lineOf } from './examples.js'

t.setTimeout(600_000)

const faultsOf = async (code: string) =>
  (await prove({ code, language: 'javascript', findings: [], findsFaults: true }))?.faults ?? null

interface Example {
  name: string
  kind: 'null' | 'twice' | 'endless'
  code: string
  at: string
  /** The same code without the fault: text and its replacement. */
  fixed: readonly [string, string]
}

const examples: Example[] = [
  {
    name: 'a loop that stays where it is once a delimiter is found',
    kind: 'endless',
    at: 'while',
    code: `exports.extensions = (name) => {
  const found = []
  let start = 0
  while (start < name.length) {
    const dot = name.indexOf('.', start)
    if (dot < 0) break
    found.push(name.slice(dot))
  }
  return found
}
`,
    fixed: ['found.push', 'start = dot + 1\n    found.push']
  },
  {
    name: 'a loop over a list that goes backwards',
    kind: 'endless',
    at: 'for (let i',
    code: `exports.negate = (bytes) => {
  for (let i = 0; i < 8; i--) {
    bytes[i] ^= 0xff
  }
  return bytes
}
`,
    fixed: ['i--', 'i++']
  },
  {
    name: 'a loop whose step may be zero',
    kind: 'endless',
    at: 'for (let at',
    code: `/** @param {string} text @param {number} size */
exports.chunks = (text, size = 2) => {
  const chunks = []
  for (let at = 0; at < text.length; at += Math.floor(size)) {
    chunks.push(text.slice(at, at + size))
  }
  return chunks
}
`,
    fixed: ['const chunks', "if (size < 1) throw new RangeError('size')\n  const chunks"]
  },
  {
    name: 'a match by name without a check',
    kind: 'null',
    at: 'match[1]',
    code: `exports.major = (version) => {
  const match = /^(\\d+)\\./.exec(version)
  return Number(match[1])
}
`,
    fixed: ['return Number', 'if (match === null) return 0\n  return Number']
  },
  {
    name: 'a block that answers with the error and goes on',
    kind: 'twice',
    at: 'callback(error)',
    code: `const fs = require('fs')
exports.read = (file, callback) => {
  fs.readFile(file, (error, data) => {
    if (error) {
      callback(error)
    }
    callback(null, String(data))
  })
}
`,
    fixed: ['callback(error)', 'return callback(error)']
  },
  {
    name: 'an answer before the callback is passed on',
    kind: 'twice',
    at: "done(null, '')",
    code: `const fs = require('fs')
exports.read = (file, done) => {
  if (file === '') done(null, '')
  fs.readFile(file, done)
}
`,
    fixed: ["done(null, '')", "return done(null, '')"]
  }
]

for (const { name, kind, code, at, fixed } of examples) {
  t.test(`finds ${name}, with a program that shows it`, async (t) => {
    const faults = await faultsOf(code)

    t.match(faults, [{ kind, line: lineOf(code, at) }])
    t.equal(faults?.length, 1)
    const { stdout } = await promisify(execFile)(process.execPath, [
      '-e',
      faults?.[0]?.proof.reproducer ?? ''
    ])
    t.match(stdout, 'Proven: ')
    t.strictSame(await faultsOf(code), faults, 'and the same every time')
  })

  t.test(`does not find ${name} without the fault`, async (t) => {
    t.ok(code.includes(fixed[0]))

    t.strictSame(await faultsOf(code.replace(fixed[0], () => fixed[1])), [])
  })
}

t.test('nothing is found at the line of a finding, and nothing unless asked', async (t) => {
  for (const { kind, code, at } of examples) {
    const findings = [{ kind, line: lineOf(code, at) }]

    t.match(await prove({ code, language: 'javascript', findings, findsFaults: true }), {
      proofs: [{}],
      faults: []
    })
    t.strictSame(await prove({ code, language: 'javascript', findings: [] }), { proofs: [], faults: [] })
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
