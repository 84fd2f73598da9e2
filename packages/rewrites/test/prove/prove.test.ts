import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { prove } from '../../src/index.js'
import { examples, lineOf, type Example } from './examples.js'

t.setTimeout(600_000)

const proofOf = async ({ kind, code, language = 'javascript', at }: Example) =>
  await prove({ code, language, findings: [{ kind, line: lineOf(code, at) }] })

/** Without network, files and other processes, where this version of Node.js can refuse them. */
async function output(program: string): Promise<string> {
  const isStrict = Number(process.versions.node.split('.')[0]) >= 24
  const flags = isStrict ? ['--permission'] : []
  return (await promisify(execFile)(process.execPath, [...flags, '-e', program], { env: {} })).stdout
}

for (const example of examples) {
  t.test(`proves ${example.name}, with a program that shows it`, async (t) => {
    const [proof] = (await proofOf(example)) ?? []

    t.ok(proof, 'proven')
    t.match(await output(proof?.reproducer ?? ''), `Proven: `)
  })

  t.test(`does not prove ${example.name} without the flaw`, async (t) => {
    const [from, to] = example.fixed
    t.ok(example.code.includes(from))
    const fixed = { ...example, code: example.code.replace(from, () => to) }

    t.strictSame(await proofOf(fixed), [null])
  })
}

t.test('a proof is the same every time', async (t) => {
  for (const example of examples) t.strictSame(await proofOf(example), await proofOf(example), example.name)
})

t.test('code that does not load is not judged', async (t) => {
  for (const code of ['throw new Error("no")', 'while (true) {}', 'function (', 'const a = await b()']) {
    t.equal(await prove({ code, language: 'javascript', findings: [{ kind: 'shell', line: 1 }] }), null, code)
  }
})

t.test('a function whose purpose is to run its argument is not proven', async (t) => {
  const codes = [
    ['shell', "const { exec } = require('child_process')\nexports.run = (command) => exec(command)\n"],
    ['sql', 'exports.query = (db, sql) => db.query(sql)\n'],
    ['code', 'exports.run = (code) => eval(code)\n'],
    ['path', "const fs = require('fs')\nexports.read = (file) => fs.readFileSync(file)\n"]
  ] as const
  for (const [kind, code] of codes) {
    const line = code.split('\n').length - 1
    t.strictSame(await prove({ code, language: 'javascript', findings: [{ kind, line }] }), [null], kind)
  }
})

t.test('a value that is not read as a command, or not shown as a page, is no flaw', async (t) => {
  const inHandler = (line: string, type = ''): string =>
    `const { execFile } = require('child_process')\nrequire('express')().get('/', (req, res) => {\n  ${type}\n  ${line}\n})\n`
  const codes = [
    ['shell', inHandler("execFile('sh', ['-c', 'grep -- \"$1\" notes', 'sh', req.query.q])")],
    ['shell', inHandler("execFile('bash', ['deploy.sh', req.query.q])")],
    ['markup', inHandler("res.send('Hello ' + req.query.name)", "res.type('text/plain')")],
    ['markup', inHandler('res.end(req.url)', "res.setHeader('Content-Type', 'text/plain; charset=utf-8')")],
    ['markup', inHandler('res.end(req.url)', "res.writeHead(200, { 'Content-Type': 'application/json' })")]
  ] as const
  for (const [kind, code] of codes) {
    t.strictSame(await prove({ code, language: 'javascript', findings: [{ kind, line: 4 }] }), [null], code)
  }
  for (const [kind, code] of [
    ['shell', inHandler("execFile('sh', ['-c', 'grep ' + req.query.q])")],
    ['markup', inHandler("res.send('Hello ' + req.query.name)", "res.type('html')")]
  ] as const) {
    t.match(await prove({ code, language: 'javascript', findings: [{ kind, line: 4 }] }), [{}], code)
  }
})

t.test('names in the code add no control characters to a proof', async (t) => {
  const code = `const { exec } = require('child_process\\u001b[2J')
const list = (name) => { exec('ls ' + name) }
Object.defineProperty(list, 'name', { value: 'x\\u001b]0;title\\u0007\\n' })
module.exports = list
`
  const [proof] =
    (await prove({ code, language: 'javascript', findings: [{ kind: 'shell', line: 2 }] })) ?? []
  t.match(proof, { observed: /receives/ })
  t.notMatch(`${proof?.input}${proof?.observed}`, /[\p{Cc}]/u)
})
