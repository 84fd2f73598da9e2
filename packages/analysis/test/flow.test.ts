import t from 'tap'
import type { Language } from '@filewright/contracts'
import { analyze } from '../src/analyze.js'

async function flowsOf(code: string, language: Language = 'javascript'): Promise<Record<string, unknown>> {
  const findings = await analyze({ code, language, analysisTypes: ['security'] })
  return Object.fromEntries(findings.map(({ ruleId, line, flow }) => [`${ruleId}:${line}`, flow]))
}

t.test('a finding has the lines from the source of a value to the finding', async (t) => {
  const code = `app.get('/users', async (req, res) => {
  const query = req.query
  const id = query.id
  log('another line')
  const sql = 'SELECT * FROM users WHERE id = ' + id
  res.json(await pool.query(sql))
})
`
  t.strictSame((await flowsOf(code))['js/sql-injection:6'], [2, 3, 5, 6])
})

t.test('a flow goes through local functions, by their parameters and results', async (t) => {
  const code = `function tidy (text) {
  const trimmed = text.trim()
  return trimmed
}
function find (name) {
  const sql = "SELECT * FROM users WHERE name = '" + name + "'"
  return pool.query(sql)
}
app.get('/users', (req, res) => {
  const given = req.query.name
  const name = tidy(given)
  res.json(find(name))
})
`
  t.strictSame((await flowsOf(code))['js/sql-injection:7'], [10, 11, 2, 3, 11, 12, 6, 7])
})

t.test('a flow is found in other languages too', async (t) => {
  const python = `from flask import request
import os

@app.route('/ping')
def ping():
    host = request.args.get('host')
    command = 'ping ' + host
    os.system(command)
    return 'done'
`
  t.strictSame((await flowsOf(python, 'python'))['py/shell-injection:8'], [6, 7, 8])
})

t.test('a finding without a known source, or on the line of its source, has no flow', async (t) => {
  const unknown = `export function find (name) {
  return pool.query("SELECT * FROM users WHERE name = '" + name + "'")
}
`
  const same = `app.get('/', (req, res) => { res.json(pool.query('SELECT ' + req.query.id)) })\n`
  for (const code of [unknown, same]) {
    t.strictSame(Object.values(await flowsOf(code)), [undefined])
  }
})

t.test('of a long way, the start and the end are kept', async (t) => {
  const steps = Array.from({ length: 30 }, (_, i) => `  const v${i + 1} = v${i} + '.'`).join('\n')
  const code = `app.get('/', (req, res) => {\n  const v0 = req.query.id\n${steps}\n  exec(v30)\n})\n`
  const [flow] = Object.values(await flowsOf(code)) as number[][]
  t.strictSame(flow, [2, 3, 4, 5, 6, 29, 30, 31, 32, 33])
})
