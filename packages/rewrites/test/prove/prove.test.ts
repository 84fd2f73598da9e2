import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import type { ProofKind } from '@filewright/analysis/results'
import { prove as proveAll, type ProveInput } from '../../src/index.js'
import { examples, lineOf, type Example } from './examples.js'

t.setTimeout(600_000)

const prove = async (input: ProveInput) => (await proveAll(input))?.proofs ?? null

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

t.test('code without a flaw is never proven, whatever is claimed of its lines', async (t) => {
  const harmless: ReadonlyArray<readonly [ProofKind, string]> = [
    [
      'shell',
      "const { execFile } = require('child_process')\nexports.deploy = (name) => execFile('bash', ['deploy.sh', '-c', 'conf/' + name])"
    ],
    [
      'sql',
      "const [db, cache] = [require('pg'), require('./cache')]\nexports.find = async (req) => {\n  await cache.get('users from ' + req.query.id)\n  return db.query('SELECT * FROM users WHERE id = $1', [req.query.id])\n}"
    ],
    ['markup', "const ws = require('ws')\nexports.get = (req, res) => { ws.send('x ' + req.query.q) }"],
    ['nosql', "const cache = require('./cache')\nexports.get = (req) => cache.delete(req.body.key)"],
    ['sql', "exports.note = (log, name) => log.exec('select ' + name)"],
    ['sql', "const log = require('./log')\nexports.note = (name) => log.run(`delete from ${name}`)"],
    ['shell', "exports.note = (log, name) => log.exec('rm ' + name)"],
    ['shell', "const jobs = require('./jobs')\nexports.note = (name) => jobs.run('build ' + name)"],
    [
      'path',
      "const [fs, path] = [require('fs'), require('path')]\nexports.config = (folder) => fs.readFileSync(path.join(folder, 'config.json'))"
    ],
    [
      'path',
      "const fs = require('fs')\nexports.save = (root, name) => fs.writeFileSync(root + '/' + encodeURIComponent(name), 'x')"
    ],
    [
      'markup',
      "exports.get = (req, res) => { res.set({ 'Content-Type': 'text/plain' }); res.send('x' + req.query.q) }"
    ],
    ['markup', "exports.get = (req, res) => { res.attachment('a.html'); res.send('x' + req.query.q) }"],
    [
      'markup',
      "exports.get = (req, res) => { res.set('content-disposition', 'attachment; filename=a'); res.send('x' + req.query.q) }"
    ],
    [
      'markup',
      "exports.get = (req, res) => { res.set('Content-Type', 'application/octet-stream').send('x' + req.query.q) }"
    ],
    ['markup', "exports.get = (req, res) => { res.type('text/csv'); res.send('x' + req.query.q) }"],
    ['markup', "exports.log = (name) => { process.stdout.write('name ' + name) }"],
    [
      'markup',
      "const fs = require('fs')\nexports.log = (name) => { fs.createWriteStream('log').write('name ' + name) }"
    ],
    [
      'markup',
      "exports.url = (name) => { const params = new URLSearchParams(); params.append('q', 'x ' + name); return params }"
    ],
    ['markup', "exports.show = (name) => { document.body.append('Hello ' + name) }"],
    [
      'nosql',
      "const User = require('./user')\nexports.get = (req) => User.findOne({ email: { $eq: req.body.email } })"
    ],
    [
      'nosql',
      "const User = require('./user')\nexports.get = (req) => User.findOne({ email: { $in: [req.body.email] } })"
    ],
    [
      'nosql',
      "const { prisma } = require('./prisma')\nexports.get = (req) => prisma.user.findFirst({ where: { email: req.body.email } })"
    ],
    [
      'null',
      'exports.Map = class {\n  load(text) { return /^#(.*)/.test(text) ? this.urlOf(text) : null }\n  urlOf(text) { return text.match(/^#(.*)/)[1] }\n}'
    ],
    [
      'null',
      "const { check } = require('./check')\nexports.f = (text) => { check(text); return text.match(/b/)[0] }"
    ],
    ['index', 'exports.f = (list) => { for (let i = 0; i <= list.length; i++) list[i] = 0 }'],
    ['twice', 'exports.f = (list, each) => { for (const one of list) each(one) }'],
    ['twice', 'exports.f = (name, done) => { if (!name) done(new Error("no")); else done(null, name) }'],
    ['endless', 'exports.f = (stream) => { while (stream.read()) stream.skip() }'],
    ['endless', 'exports.f = () => { let sum = 0; for (let i = 0; i < 5000; i++) sum += i; return sum }'],
    ['rejection', "const db = require('./db')\nexports.f = () => { db.save().catch(() => {}) }"],
    ['rejection', "const db = require('./db')\nexports.f = async () => await db.save()"],
    ['redos', 'exports.ok = (text) => text.length < 20 && /^(a+)+$/.test(text)'],
    ['redos', 'exports.ok = (text) => text.length < 100 && /^a*a*b/.test(text)'],
    ['redos', 'exports.ok = (text) => /^a*b$/.test(text)'],
    ['redos', 'exports.ok = (text) => /^a*a*b$/.test(text.slice(0, 100))'],
    [
      'redos',
      'exports.ok = (text) => {\n  if (/^(a+)+$/.test("b")) return true\n  for (const a of text) for (const b of text) if (a < b) return true\n  return false\n}'
    ],
    [
      'redos',
      "const { check } = require('./check')\nexports.ok = (text) => { check(text); return /^(a+)+$/.test(text) }"
    ]
  ]
  for (const [kind, code] of harmless) {
    const findings = code.split('\n').map((_, index) => ({ kind, line: index + 1 }))
    t.strictSame(
      await prove({ code, language: 'javascript', findings }),
      findings.map(() => null),
      code
    )
  }
  const flawed: ReadonlyArray<readonly [ProofKind, string]> = [
    [
      'shell',
      "const { execFile } = require('child_process')\nexports.find = (name) => execFile('bash', ['-euo', 'pipefail', '-c', 'ls ' + name])"
    ],
    [
      'sql',
      "const knex = require('knex')()\nexports.find = (name) => knex('users').whereRaw(`name from '${name}'`)"
    ],
    [
      'sql',
      "const db = require('db')\nexports.find = (name) => db.get(`/* all */ SELECT * FROM t WHERE name = '${name}'`)"
    ],
    [
      'nosql',
      "const { db } = require('./db')\nexports.get = (req) => db.collection('x').find({ email: req.body.email })"
    ],
    [
      'nosql',
      "const { User } = require('./all')\nexports.get = (req) => User.exists({ email: req.body.email })"
    ],
    [
      'nosql',
      "const users = require('./users')\nexports.get = (req) => users.findOne({ email: req.body.email })"
    ],
    ['markup', "exports.get = (request, reply) => { reply.send('<p>' + request.query.q) }"],
    ['sql', "exports.find = (db, name) => db.exec(`SELECT * FROM t WHERE name = '${name}'`)"],
    ['sql', "exports.find = (app, name) => app.userDb.all(`SELECT * FROM t WHERE name = '${name}'`)"],
    [
      'sql',
      "const sqlite = require('better-sqlite3')\nexports.find = (name) => sqlite('x').prepare(`SELECT * FROM t WHERE name = '${name}'`)"
    ],
    ['shell', "const { exec } = require('shelljs')\nexports.list = (name) => exec('ls ' + name)"],
    [
      'path',
      "const [fs, path] = [require('fs'), require('path')]\nexports.get = (name) => fs.readFileSync(path.join(__dirname, name))"
    ],
    ['markup', "exports.get = (req, res) => { res.type('text/html'); res.send('x' + req.query.q) }"],
    ['markup', "exports.show = (name) => { $('#name').append('Hello ' + name) }"],
    ['redos', 'exports.ok = (text) => /^(a+)+$/.test(text)'],
    ['redos', 'exports.ok = (text) => /^a*a*b/.test(text)'],
    ['redos', 'exports.ok = (text) => text.replace(/\\s+$/, "")'],
    ['redos', "exports.ok = (text) => new RegExp('a*a*a*a*a*b').test(text)"],
    ['redos', 'exports.ok = (text) => text.length < 1000 && /^(\\s|\\w|\\d)*$/.test(text)']
  ]
  for (const [kind, code] of flawed) {
    const line = code.split('\n').length
    t.match(await prove({ code, language: 'javascript', findings: [{ kind, line }] }), [{ input: /./ }], code)
  }
})

const EXEC = "const { exec, execSync } = require('child_process')\n"

t.test('what somebody else might check is not proven', async (t) => {
  const checked: ReadonlyArray<readonly [ProofKind, string]> = [
    [
      'shell',
      `${EXEC}exports.run = (name) => { if (!/^[a-z]+$/.test(name)) process.exit(1); exec('x ' + name) }`
    ],
    ['shell', `${EXEC}exports.run = (text) => exec("mail x <<'E'\\n" + text.replace(/E/g, '') + "\\nE")`],
    [
      'shell',
      `${EXEC}const check = (req, res, next) => /^[a-z]+$/.test(req.query.name) ? next() : res.end()\nconst app = require('express')()\napp.get('/x', check, (req, res) => { exec('x ' + req.query.name) })`
    ],
    [
      'shell',
      `${EXEC}const app = require('express')()\napp.use((req, res, next) => { if (/^[a-z]+$/.test(req.query.name)) next() })\napp.get('/x', (req, res) => { exec('x ' + req.query.name) })`
    ],
    [
      'shell',
      `${EXEC}const app = require('express')()\napp.param('name', (req, res, next, name) => next(name === 'a' ? undefined : 1))\napp.get('/x/:name', (req, res) => { exec('x ' + req.params.name) })`
    ],
    [
      'shell',
      `${EXEC}const app = require('fastify')()\napp.get('/x', { schema: { querystring: {} } }, (req, res) => { exec('x ' + req.query.name) })`
    ],
    [
      'shell',
      `${EXEC}exports.run = (ctx) => { if (!/^[a-z]+$/.test(ctx.query.name)) ctx.throw(400); exec('x ' + ctx.query.name) }`
    ],
    [
      'sql',
      "exports.find = (db, q) => db.query('select $t$' + String(q).replaceAll('$', '') + '$t$ where 1=1')"
    ],
    [
      'markup',
      "exports.get = (req, res) => { res.writeHead(200, { 'content-type': ['text/plain'] }); res.end('<b>' + req.query.q) }"
    ],
    [
      'markup',
      "exports.get = (req, res) => { res.writeHead(200, [['Content-Type', 'text/plain']]); res.end('<b>' + req.query.q) }"
    ],
    [
      'shell',
      `const assert = require('assert')\n${EXEC}exports.kill = (pid) => { assert(/^\\d+$/.test(pid)); exec('kill ' + pid) }`
    ],
    [
      'shell',
      `const assert = require('node:assert')\n${EXEC}exports.kill = (pid) => { assert.match(pid, /^\\d+$/); exec('kill ' + pid) }`
    ],
    [
      'shell',
      `const Joi = require('joi')\n${EXEC}exports.run = (req) => { Joi.assert(req.body, {}); exec('x ' + req.body.name) }`
    ],
    [
      'shell',
      `const { Body } = require('./body')\n${EXEC}exports.run = (req) => { if (!Body.safeParse(req.body).success) return; exec('x ' + req.body.name) }`
    ],
    [
      'shell',
      `const { validationResult } = require('express-validator')\n${EXEC}exports.run = (req) => { if (!validationResult(req).isEmpty()) return; exec('x ' + req.params.id) }`
    ],
    [
      'shell',
      `const clean = require('./clean')\n${EXEC}exports.run = (name) => { clean.check(name); exec('x ' + name) }`
    ],
    [
      'shell',
      `const { isIP } = require('net')\n${EXEC}exports.ping = (host) => { if (!isIP(host)) throw new Error('no'); execSync('ping -c 1 ' + host) }`
    ],
    [
      'shell',
      `const allowed = require('./allowed.json')\n${EXEC}exports.run = (task) => { if (!allowed.includes(task)) throw new Error('no'); exec('x ' + task) }`
    ],
    [
      'pollution',
      "const { isSafeKey } = require('./keys')\nexports.set = (o, p, v) => { for (let i = 0; i < p.length - 1; i++) { if (!isSafeKey(p[i])) return o; o = o[p[i]] } o[p[p.length - 1]] = v }"
    ],
    ['shell', `${EXEC}exports.run = (req) => exec('backup ' + req.user.id)`],
    [
      'shell',
      `${EXEC}const app = require('express')()\napp.get('/x/:id(\\\\d+)', (req, res) => { exec('x ' + req.params.id) })`
    ],
    [
      'shell',
      `${EXEC}exports.show = (name) => exec("cat <<'EOF'\\n" + name.replace(/\\n/g, ' ') + "\\nEOF")`
    ],
    ['address', 'exports.get = (req, res) => { fetch(`http://backend${req.url}`) }'],
    ['redirect', "exports.get = (req, res) => res.redirect('https://app.example' + req.url)"],
    [
      'path',
      "const [fs, path] = [require('fs'), require('path')]\nexports.get = (req, res) => fs.readFile('/srv/public' + path.normalize(req.url), () => {})"
    ],
    ['code', "exports.of = (expr) => new Function('x', 'return ' + expr)(1)"],
    [
      'template',
      "const ejs = require('ejs')\nexports.get = (req, res) => res.send(ejs.render('Hello ' + String(req.query.name).replace(/[<%>]/g, ''), {}))"
    ]
  ]
  for (const [kind, code] of checked) {
    const findings = code.split('\n').map((_, index) => ({ kind, line: index + 1 }))
    t.strictSame(
      await prove({ code, language: 'javascript', findings }),
      findings.map(() => null),
      code
    )
  }
  const unchecked: ReadonlyArray<readonly [ProofKind, string]> = [
    [
      'shell',
      `${EXEC}const auth = require('./auth')\nconst app = require('express')()\napp.use(auth())\napp.get('/x', auth, (req, res) => { exec('x ' + req.query.name) })`
    ],
    [
      'shell',
      `${EXEC}const log = (req, res, next) => { next() }\nconst app = require('express')()\napp.use(log)\napp.get('/x', log, (req, res) => { exec('x ' + req.query.name) })`
    ],
    [
      'shell',
      `const log = require('./log')\n${EXEC}exports.run = (name) => { log.info('x ' + name); exec('x ' + name) }`
    ],
    [
      'shell',
      `const fs = require('fs')\n${EXEC}exports.run = (name) => { if (fs.existsSync(name)) exec('x ' + name) }`
    ],
    [
      'path',
      "const fs = require('fs')\nexports.get = (req, res) => fs.readFile(__dirname + req.url, () => {})"
    ],
    [
      'path',
      "const [fs, url] = [require('fs'), require('url')]\nexports.get = (req, res) => fs.readFile('public' + url.parse(req.url).pathname, () => {})"
    ],
    ['redirect', 'exports.get = (req, res) => res.redirect(req.query.target)'],
    [
      'template',
      "const ejs = require('ejs')\nexports.get = (req, res) => res.send(ejs.render('Hello ' + req.query.name, {}))"
    ],
    [
      'pollution',
      "const merge = (a, b) => { for (const k in b) { if (typeof b[k] === 'object') merge(a[k], b[k]); else a[k] = b[k] } }; module.exports = merge"
    ]
  ]
  for (const [kind, code] of unchecked) {
    const line = code.split('\n').length
    t.match(await prove({ code, language: 'javascript', findings: [{ kind, line }] }), [{}], code)
  }
})

t.test('a proof is of the statement of its finding, and of no other one', async (t) => {
  const statement = "return pool.query('SELECT * FROM t WHERE a = ' + q)"
  const both = `import { pool } from './db'
export const safe = (q: string) => pool.query('SELECT * FROM t WHERE a = $1', [q])
export const byRole = (role: string) => pool.query("SELECT * FROM t WHERE role = '" + role + "'")
export async function first(q: string) { ${statement} }
export async function second(name: string, q: string) {
  await pool.query("SELECT * FROM o WHERE b = '" + name.replaceAll("'", "''") + "'")
  ${statement}
}
export const each = (list: string[]) => list.forEach((q) => {
  pool.query('SELECT 1')
  pool.query(\`SELECT * FROM t WHERE a = \${q}\`)
})
`
  const findings = [2, 3, 4, 6, 7, 9, 11].map((line) => ({ kind: 'sql' as const, line }))
  const proofs = await prove({ code: both, language: 'typescript', findings })
  t.strictSame(
    proofs?.flatMap((proof, index) =>
      proof === null ? [] : [`${findings[index]?.line} ${proof.input.split('(')[0]}`]
    ),
    ['3 byRole', '4 first', '7 second', '11 each']
  )
  const routes = `const app = require('express')()
app.get('/a', (req, res) => { res.send('<p>' + req.query.a) })
app.get('/b', (req, res) => res.type('text/plain').send('<p>' + req.query.b))
`
  const found = await prove({
    code: routes,
    language: 'javascript',
    findings: [2, 3].map((line) => ({ kind: 'markup' as const, line }))
  })
  t.match(found, [{ input: /query: { a:/ }, null])
})

t.test('a structure that contains itself under many names costs little', async (t) => {
  const parts = Array.from({ length: 12 }, (_, i) => `walk(n.p${i}, dir)`).join('; ')
  const code = `${EXEC}exports.walk = walk; function walk(n, dir) { if (!n) return; ${parts}; exec('ls ' + dir) }`
  const before = process.cpuUsage()
  await prove({ code, language: 'javascript', findings: [{ kind: 'shell', line: 2 }] })
  const { user } = process.cpuUsage(before)
  // It took minutes, and gigabytes of memory.
  t.ok(user < 20_000_000, `${user} µs`)
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

// What is looked at outside the sandbox is not counted there. With work that grows with the square of these lengths the
// test would not end.
t.test('names and strings that the code makes long are left out, or looked at once', async (t) => {
  const codes = [
    `exports.f = (x) => require('db').${'raw'.repeat(20_000)}('select ' + x)`,
    `exports.f = (x) => require('db').${'a'.repeat(60_000)}('select ' + x)`,
    `String.prototype.slice = () => "'\\'".repeat(300_000)\nexports.f = (x) => require('db').query('select ' + x)`
  ]
  for (const code of codes) {
    const findings = code.split('\n').map((_, index) => ({ kind: 'sql', line: index + 1 }) as const)
    t.strictSame(
      await prove({ code, language: 'javascript', findings }),
      findings.map(() => null)
    )
  }
})
