import type { ProofKind } from '@filewright/analysis/results'

export interface Example {
  name: string
  kind: ProofKind
  code: string
  language?: 'javascript' | 'typescript'
  /** The text that identifies the line of the finding. */
  at: string
  /** The same code without the flaw: text and its replacement. */
  fixed: readonly [string, string]
}

export const examples: Example[] = [
  {
    name: 'a deep merge',
    kind: 'pollution',
    at: 'else target[key]',
    code: `function isObject(value) { return value !== null && typeof value === 'object' }
function merge(target, source) {
  for (const key of Object.keys(source)) {
    if (isObject(source[key]) && isObject(target[key])) merge(target[key], source[key])
    else target[key] = source[key]
  }
  return target
}
module.exports = merge
`,
    fixed: [
      'Object.keys(source)) {',
      "Object.keys(source)) {\n    if (key === '__proto__' || key === 'constructor') continue"
    ]
  },
  {
    name: 'a setter by path in an ES module',
    kind: 'pollution',
    at: 'current[parts[0]] = value',
    code: `export function setIn(object, path, value) {
  const parts = path.split('.')
  let current = object
  while (parts.length > 1) {
    const key = parts.shift()
    current[key] ??= {}
    current = current[key]
  }
  current[parts[0]] = value
}
`,
    fixed: [
      "const parts = path.split('.')",
      "const parts = path.split('.')\n  if (parts.includes('__proto__') || parts.includes('constructor')) return"
    ]
  },
  {
    name: 'a setter of a class',
    kind: 'pollution',
    at: 'node[last] = value',
    code: `class Settings {
  constructor() { this.values = {} }
  set(path, value) {
    const keys = path.split('.')
    const last = keys.pop()
    let node = this.values
    for (const key of keys) node = node[key] = node[key] || {}
    node[last] = value
  }
}
module.exports = { Settings }
`,
    fixed: ['let node', 'if (/__proto__|constructor/.test(path)) return\n    let node']
  },
  {
    name: 'a command of a route',
    kind: 'shell',
    at: "exec('ping",
    code: `const { exec } = require('child_process')
const express = require('express')
const app = express()
app.get('/ping', (req, res) => {
  exec('ping -c 1 ' + req.query.host, (err, out) => res.send(out))
})
app.listen(3000)
`,
    fixed: [
      "exec('ping -c 1 ' + req.query.host,",
      "require('child_process').execFile('ping', ['-c', '1', req.query.host],"
    ]
  },
  {
    name: 'a command in double quotes, in TypeScript',
    kind: 'shell',
    language: 'typescript',
    at: 'execSync(`',
    code: `import { execSync } from 'node:child_process'
export function clone(url: string, dir: string): void {
  execSync(\`git clone "\${url}" \${JSON.stringify(dir)}\`)
}
`,
    fixed: [
      'execSync(`git clone "${url}" ${JSON.stringify(dir)}`)',
      "execSync('git clone ' + `'${url.replace(/'/g, '')}'`)"
    ]
  },
  {
    name: 'a promisified command',
    kind: 'shell',
    at: 'await run(',
    code: `const { promisify } = require('util')
const run = promisify(require('child_process').exec)
exports.archive = async function (folder, name) {
  const { stdout } = await run('tar czf ' + name + '.tgz ' + folder)
  return stdout
}
`,
    fixed: [
      "'tar czf ' + name + '.tgz ' + folder",
      "'tar czf ' + Number(name) + '.tgz ' + encodeURIComponent(folder).replace(/[^a-z0-9]/gi, '')"
    ]
  },
  {
    name: 'a statement with a quoted value',
    kind: 'sql',
    at: 'db.query',
    code: `const db = require('./db')
exports.find = async (req, res) => {
  const { name } = req.query
  const rows = await db.query("SELECT * FROM users WHERE name = '" + name + "'")
  res.json(rows)
}
`,
    fixed: [
      `"SELECT * FROM users WHERE name = '" + name + "'"`,
      `"SELECT * FROM users WHERE name = '" + String(name).replace(/'/g, "''") + "'"`
    ]
  },
  {
    name: 'a statement with a number',
    kind: 'sql',
    at: 'pool.query',
    code: `import { Pool } from 'pg'
const pool = new Pool()
export function order(id) {
  return pool.query(\`SELECT * FROM orders WHERE id = \${id}\`)
}
`,
    fixed: ['${id}', '${Number(id)}']
  },
  {
    name: 'a slow pattern',
    kind: 'redos',
    at: 'const words',
    code: `const words = /^(\\w+\\s?)*$/
module.exports.isText = function (text) {
  return words.test(text.trim())
}
`,
    fixed: ['/^(\\w+\\s?)*$/', '/^\\w*(\\s\\w+)*$/']
  },
  {
    name: 'a slow pattern that is put together from constants',
    kind: 'redos',
    at: 'const version',
    code: `const word = '[a-z0-9-]'
const label = \`(?:\${word}+\\\\.?)+\`
const version = new RegExp('^v' + label + '$')
exports.isVersion = (text) => text.length < 256 && version.test(text)
`,
    fixed: ['+\\\\.?)+', '+\\\\.)+']
  },
  {
    name: 'code that has to begin like JSON',
    kind: 'code',
    at: 'new Function',
    code: `exports.parse = (text) => {
  if (!/^\\s*["[{]/.test(text)) return text
  return new Function('return ' + text)()
}
`,
    fixed: ["new Function('return ' + text)()", 'JSON.parse(text)']
  },
  {
    name: 'a file of a folder',
    kind: 'path',
    at: 'fs.readFile',
    code: `const fs = require('fs')
const path = require('path')
module.exports = function serve(req, res) {
  const file = path.join(__dirname, 'public', req.params.name)
  fs.readFile(file, (err, data) => res.end(data))
}
`,
    fixed: ['req.params.name)', 'path.basename(req.params.name))']
  },
  {
    name: 'code in a function',
    kind: 'code',
    at: 'new Function',
    code: `module.exports.compute = function (amount) {
  return new Function('return ' + amount)()
}
`,
    fixed: ["'return ' + amount", "'return ' + Number(amount)"]
  },
  {
    name: 'code in a string',
    kind: 'code',
    at: 'eval(',
    code: `exports.lookup = (table, key) => {
  return eval("table['" + key + "']")
}
`,
    fixed: [`"table['" + key + "']"`, '"table[" + JSON.stringify(key) + "]"']
  },
  {
    name: 'a page',
    kind: 'markup',
    at: 'res.send',
    code: `app.get('/hello', (req, res) => {
  res.send('<h1>Hello ' + req.query.name + '</h1>')
})
`,
    fixed: ['req.query.name', "req.query.name.replace(/</g, '&lt;')"]
  },
  {
    name: 'a redirect',
    kind: 'redirect',
    at: 'res.redirect',
    code: `app.get('/go', (req, res) => {
  res.redirect(req.query.to)
})
`,
    fixed: ['req.query.to', "'/' + encodeURIComponent(req.query.to)"]
  },
  {
    name: 'a request to an address of the client',
    kind: 'address',
    at: 'axios.get',
    code: `import axios from 'axios'
export async function handler(req, res) {
  const answer = await axios.get(req.query.url)
  res.json(answer.data)
}
`,
    fixed: ['axios.get(req.query.url)', "axios.get('https://api.example/' + req.query.url)"]
  },
  {
    name: 'a filter',
    kind: 'nosql',
    at: 'User.findOne',
    code: `router.post('/login', async (req, res) => {
  const user = await User.findOne({ name: req.body.name, password: req.body.password })
  res.json(user)
})
`,
    fixed: [
      'name: req.body.name, password: req.body.password',
      'name: String(req.body.name), password: String(req.body.password)'
    ]
  },
  {
    name: 'a template',
    kind: 'template',
    at: 'compile(',
    code: `const handlebars = require('handlebars')
app.post('/preview', (req, res) => {
  const template = handlebars.compile('<p>' + req.body.text + '</p>')
  res.send(template({}))
})
`,
    fixed: ["'<p>' + req.body.text + '</p>'", "'<p>{{text}}</p>'"]
  },
  {
    name: 'a match that finds nothing',
    kind: 'null',
    at: 'return version.match',
    code: `exports.major = function (version) {
  version = version.trim()
  return version.match(/^v?([0-9]+)[.]/)[1]
}
`,
    fixed: ['[.]/)[1]', '[.]/)?.[1]']
  },
  {
    name: 'a loop past the end of a list',
    kind: 'index',
    at: 'for (let i',
    code: `exports.total = (list) => {
  let sum = 0
  for (let i = 0; i <= list.length; i++) {
    sum += list[i].price
  }
  return list.map((each) => each.price / sum)
}
`,
    fixed: ['i <= list.length', 'i < list.length']
  },
  {
    name: 'a callback that is called twice if a read fails',
    kind: 'twice',
    at: 'if (error) done(error)',
    code: `const fs = require('fs')
exports.read = (file, done) => {
  fs.readFile(file, (error, text) => {
    if (error) done(error)
    done(null, text)
  })
}
`,
    fixed: ['if (error) done(error)', 'if (error) return done(error)']
  },
  {
    name: 'a handler that answers twice without a name',
    kind: 'twice',
    at: 'res.status(400)',
    code: `exports.greet = (req, res) => {
  if (!req.query.name) {
    res.status(400).json({ error: 'name' })
  }
  res.json({ text: 'Hello ' + req.query.name })
}
`,
    fixed: ["res.status(400).json({ error: 'name' })", "return res.status(400).json({ error: 'name' })"]
  },
  {
    name: 'a loop that counts the wrong way',
    kind: 'endless',
    at: 'for (let i',
    code: `exports.pad = (text, width) => {
  let padded = text
  for (let i = 1; i < 8; i--) padded = ' ' + padded.slice(-8)
  return padded
}
`,
    fixed: ['i < 8; i--', 'i < 8; i++']
  },
  {
    name: 'a promise whose rejection nobody handles',
    kind: 'rejection',
    at: '  save(user)',
    code: `const db = require('./db')
async function save(user) { await db.insert(user) }
exports.create = async (user) => {
  save(user)
  return { ok: true }
}
`,
    fixed: ['  save(user)', '  await save(user)']
  },
  {
    name: 'an optional chain whose result is used',
    kind: 'throw',
    at: '(plugin?.hooks)',
    code: `exports.run = (name) => {
  const plugin = name === 'known' ? { hooks: [name] } : undefined
  return (plugin?.hooks).length
}
`,
    fixed: ['(plugin?.hooks).length', 'plugin?.hooks.length']
  }
]

export const lineOf = (code: string, text: string): number =>
  code.slice(0, Math.max(0, code.indexOf(text))).split('\n').length
