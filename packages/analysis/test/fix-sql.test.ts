import t from 'tap'
import type { Language } from '@filewright/contracts'
import { fix } from '../src/index.js'

// Generous: slow machines and busy ones must pass too.
t.setTimeout(240_000)

const pg = "import { Pool } from 'pg'\nconst pool = new Pool()\n"
const mysql = "const mysql = require('mysql2/promise')\nconst db = mysql.createPool({})\n"
const sqlite = "const sqlite3 = require('sqlite3').verbose()\nconst db = new sqlite3.Database('a.db')\n"
const better = "import Database from 'better-sqlite3'\nconst db = new Database('a.db')\n"
const python = "import sqlite3\n\nconn = sqlite3.connect('a.db')\ncur = conn.cursor()\n\n\n"
const psycopg =
  'import psycopg2\n\n\ndef find(conn, name, user_id):\n    with conn.cursor() as cur:\n        '

/** What stands before, the statement, and what becomes of it. */
const rewritten: [Language, string, string, string][] = [
  [
    'javascript',
    pg,
    "export const f = (name) => pool.query(`SELECT id FROM users WHERE name = '${name}' AND kind = 'a'`)\n",
    "export const f = (name) => pool.query(`SELECT id FROM users WHERE name = $1 AND kind = 'a'`, [String(name)])\n"
  ],
  [
    'typescript',
    pg,
    "export const f = (name: string, n: number) => pool.query(`SELECT id FROM t WHERE name ILIKE '%${name}' LIMIT ${n}`)\n",
    'export const f = (name: string, n: number) => pool.query(`SELECT id FROM t WHERE name ILIKE $1 LIMIT $2`, [`%${name}`, n])\n'
  ],
  [
    'javascript',
    pg,
    "export async function f (req) {\n  const sql = 'SELECT id FROM users WHERE id = ' + req.params.id\n  return await pool.query(sql)\n}\n",
    "export async function f (req) {\n  const sql = 'SELECT id FROM users WHERE id = $1'\n  return await pool.query(sql, [req.params.id])\n}\n"
  ],
  [
    'typescript',
    "import type { Pool } from 'pg'\n",
    "export class Users {\n  constructor (private readonly pool: Pool) {}\n\n  add (name: string, mail: string) {\n    return this.pool.query(`INSERT INTO users (name, mail) VALUES ('${name}', '${mail}')`)\n  }\n}\n",
    'export class Users {\n  constructor (private readonly pool: Pool) {}\n\n  add (name: string, mail: string) {\n    return this.pool.query(`INSERT INTO users (name, mail) VALUES ($1, $2)`, [name, mail])\n  }\n}\n'
  ],
  [
    'javascript',
    mysql,
    'exports.f = (q, userId) => db.execute("SELECT a FROM t WHERE b = \'" + q + "\' AND user_id = " + userId)\n',
    'exports.f = (q, userId) => db.execute("SELECT a FROM t WHERE b = ? AND user_id = ?", [String(q), String(userId)])\n'
  ],
  [
    'javascript',
    "const pg = require('pg')\nconst pool = new pg.Pool()\n",
    'exports.f = (req, callback) => {\n  var sql = "SELECT a FROM t WHERE kind=\'"\n    + req.params.kind + "\' ORDER BY a"\n  pool.query(sql, [], callback)\n}\n',
    'exports.f = (req, callback) => {\n  var sql = "SELECT a FROM t WHERE kind=$1 ORDER BY a"\n  pool.query(sql, [String(req.params.kind)], callback)\n}\n'
  ],
  [
    'javascript',
    sqlite,
    "exports.f = (name, callback) => db.get(`SELECT a FROM t WHERE name = '${name}'`, callback)\n",
    'exports.f = (name, callback) => db.get(`SELECT a FROM t WHERE name = ?`, [String(name)], callback)\n'
  ],
  [
    'javascript',
    better,
    "export const f = (name) => db.prepare(`SELECT a FROM t WHERE name = '${name.trim()}'`).all()\n",
    'export const f = (name) => db.prepare(`SELECT a FROM t WHERE name = ?`).all(name.trim())\n'
  ],
  [
    'python',
    python,
    'def find(name, kind: str = "a") -> str:\n    cur.execute(f"SELECT a FROM t WHERE name = \'{name}\'")\n    return cur.fetchone()\n',
    'def find(name, kind: str = "a") -> str:\n    cur.execute("SELECT a FROM t WHERE name = ?", (str(name),))\n    return cur.fetchone()\n'
  ],
  [
    'python',
    python,
    "def find(name, mail):\n    cur.execute(\"SELECT a FROM t WHERE name = '{}' AND mail = '{}'\".format(name, mail))\n    return cur.fetchone()\n",
    'def find(name, mail):\n    cur.execute("SELECT a FROM t WHERE name = ? AND mail = ?", (str(name), str(mail)))\n    return cur.fetchone()\n'
  ],
  [
    'python',
    python,
    'def find(name: str, user_id):\n    query = f"SELECT a FROM t WHERE name LIKE \'%{name}%\' AND user_id = {user_id}"\n    return cur.execute(query)\n',
    'def find(name: str, user_id):\n    query = "SELECT a FROM t WHERE name LIKE ? AND user_id = ?"\n    return cur.execute(query, (f"%{name}%", user_id))\n'
  ],
  [
    'python',
    psycopg,
    'cur.execute("SELECT a FROM t WHERE name = \'" + name + "\' AND b LIKE \'x%\'")\n',
    'cur.execute("SELECT a FROM t WHERE name = %s AND b LIKE \'x%%\'", (name,))\n'
  ],
  [
    'python',
    psycopg,
    'cur.execute("DELETE FROM t WHERE name = \'%s\' AND id = %s" % (name, user_id))\n',
    'cur.execute("DELETE FROM t WHERE name = %s AND id = %s", (str(name), user_id))\n'
  ],
  [
    'python',
    python,
    'def find(name: str):\n    cur.execute("SELECT a FROM t WHERE name = \'%s\'" % name)\n    return cur.fetchone()\n',
    'def find(name: str):\n    cur.execute("SELECT a FROM t WHERE name = ?", (name,))\n    return cur.fetchone()\n'
  ],
  [
    'python',
    python,
    'def find():\n    name = input("Who?")\n    cur.execute("SELECT a FROM t WHERE name = \'%s\'" % name)\n    return cur.fetchone()\n',
    'def find():\n    name = input("Who?")\n    cur.execute("SELECT a FROM t WHERE name = ?", (str(name),))\n    return cur.fetchone()\n'
  ]
]

for (const [language, head, before, after] of rewritten) {
  t.test(`${language}: ${before.trim().split('\n').at(-1)!.trim()}`, async (t) => {
    const result = await fix({ code: head + before, language, types: ['security'] })

    t.equal(result.code, head + after)
    const line =
      head.split('\n').length - 1 + before.split('\n').findIndex((each) => /SELECT|INSERT|DELETE/.test(each))
    t.strictSame(
      result.fixes.map((each) => each.line),
      [line + 1],
      'the change stands on the line of the statement'
    )
  })
}

/** Looks like a value, and may be something else; or would be read otherwise. */
const left: [Language, string, string][] = [
  [
    'javascript',
    'a value where String is a function of the code',
    `${pg}function String (x) { return 1 }\nexport const f = (id) => pool.query("SELECT a FROM t WHERE id = '" + id + "'")\n`
  ],
  [
    'typescript',
    'a value where String is imported',
    `import { String, Record } from 'runtypes'\n${pg}export const User = Record({ name: String })\nexport const f = (id) => pool.query("SELECT a FROM t WHERE id = '" + id + "'")\n`
  ],
  [
    'python',
    'a value where str is a parameter',
    `${python}def find(name, str):\n    cur.execute(f"SELECT a FROM t WHERE name = '{name}'")\n    return cur.fetchone()\n`
  ],
  [
    'python',
    'a value where str is something else',
    `${python}str = 5\n\n\ndef find(name):\n    cur.execute(f"SELECT a FROM t WHERE name = '{name}'")\n    return cur.fetchone(), str\n`
  ],
  [
    'javascript',
    'a table',
    `${pg}export const f = (table) => pool.query(\`SELECT id FROM \${table} WHERE a = 1\`)\n`
  ],
  [
    'javascript',
    'a column',
    `${pg}export const f = (col) => pool.query(\`SELECT id FROM t ORDER BY \${col}\`)\n`
  ],
  [
    'javascript',
    'a column in quotes',
    `${pg}export const f = (col) => pool.query(\`SELECT "\${col}" FROM t\`)\n`
  ],
  [
    'javascript',
    'a piece of SQL',
    `${pg}export const f = (part) => pool.query(\`SELECT id FROM t WHERE a = \${part}\`)\n`
  ],
  [
    'javascript',
    'a list',
    `${pg}export const f = (ids) => pool.query(\`SELECT id FROM t WHERE id IN (\${ids})\`)\n`
  ],
  [
    'javascript',
    'a value beside a piece of SQL',
    `${pg}export const f = (name, order) => pool.query(\`SELECT id FROM t WHERE a = '\${name}' \${order}\`)\n`
  ],
  [
    'javascript',
    'an interval, which takes no parameter',
    `${pg}export const f = (n) => pool.query(\`SELECT id FROM t WHERE a > now() - INTERVAL '\${n} days'\`)\n`
  ],
  [
    'javascript',
    'placeholders that are there already',
    `${pg}export const f = (a) => pool.query(\`SELECT id FROM t WHERE b = $1 AND a = '\${a}'\`)\n`
  ],
  [
    'javascript',
    'values that are there already',
    `${mysql}exports.f = (a, b) => db.query(\`SELECT id FROM t WHERE a = '\${a}'\`, b)\n`
  ],
  [
    'javascript',
    'two statements',
    `${pg}export const f = (a) => pool.query(\`SELECT 1; DELETE FROM t WHERE a = '\${a}'\`)\n`
  ],
  ['javascript', 'a comment', `${pg}export const f = (a) => pool.query(\`SELECT 1 -- '\${a}'\n\`)\n`],
  [
    'javascript',
    'a driver of which nothing is known',
    "import { db } from './db.js'\nexport const f = (a) => db.query(`SELECT id FROM t WHERE a = '${a}'`)\n"
  ],
  [
    'javascript',
    'a statement that is logged as well',
    `${pg}export function f (a) {\n  const sql = \`SELECT id FROM t WHERE a = '\${a}'\`\n  console.log(sql)\n  return pool.query(sql)\n}\n`
  ],
  [
    'javascript',
    'a value that changes between text and call',
    `${pg}export async function f (o) {\n  const sql = \`SELECT id FROM t WHERE a = '\${o.name}'\`\n  o.next()\n  return await pool.query(sql)\n}\n`
  ],
  [
    'javascript',
    'a limit in MySQL, which is an error as a text',
    `${mysql}exports.f = (n) => db.execute(\`SELECT id FROM t ORDER BY a LIMIT \${Number(n)}\`)\n`
  ],
  [
    'javascript',
    'exec of SQLite, which takes no values',
    `${sqlite}exports.f = (a) => db.exec(\`DELETE FROM t WHERE a = '\${a}'\`)\n`
  ],
  [
    'javascript',
    'a number that would be stored as 5.0',
    `${better}export const f = (n) => db.prepare(\`UPDATE t SET a = \${Number(n)}\`).run()\n`
  ],
  [
    'javascript',
    'an escaped quote, which databases read differently',
    `${mysql}exports.f = (a) => db.query(\`SELECT id FROM t WHERE a = 'it\\\\'s \${a}'\`)\n`
  ],
  [
    'javascript',
    'a sum of numbers first',
    `${pg}export const f = (a, b) => pool.query(a + b + " WHERE c = 'x'")\n`
  ],
  ['python', 'a table', `${python}def find(table):\n    return cur.execute(f"SELECT a FROM {table}")\n`],
  [
    'python',
    'a piece of SQL',
    `${python}def find(part):\n    return cur.execute(f"SELECT a FROM t WHERE b = {part}")\n`
  ],
  [
    'python',
    'a format of the value',
    `${python}def find(a):\n    return cur.execute(f"SELECT a FROM t WHERE b = '{a:>8}'")\n`
  ],
  [
    'python',
    'a value that may be a tuple',
    `${python}def find(a):\n    return cur.execute("SELECT a FROM t WHERE b = '%s'" % a)\n`
  ],
  [
    'python',
    'a name that a loop gives values of any kind',
    `${python}def find(names):\n    a = "x"\n    for a in names:\n        cur.execute("SELECT a FROM t WHERE b = '%s'" % a)\n`
  ],
  [
    'python',
    'another driver in the file',
    `import pymysql\n${python}def find(a):\n    return cur.execute(f"SELECT a FROM t WHERE b = '{a}'")\n`
  ],
  [
    'python',
    'an object of which nothing is known',
    `import sqlite3\n\n\ndef find(box, a):\n    return box.execute(f"SELECT a FROM t WHERE b = '{a}'")\n`
  ],
  [
    'python',
    'a statement that is printed as well',
    `${python}def find(a):\n    sql = f"SELECT a FROM t WHERE b = '{a}'"\n    cur.execute(sql)\n    print(sql)\n`
  ],
  [
    'python',
    'placeholders that are there already',
    `${psycopg}cur.execute(f"SELECT a FROM t WHERE b = %s AND c = '{name}'", (1,))\n`
  ]
]

for (const [language, title, code] of left) {
  t.test(`${language}: ${title} stays`, async (t) => {
    t.equal((await fix({ code, language, types: ['security'] })).code, code)
  })
}

t.test('what calls something else on purpose is told apart from what must do the same', async (t) => {
  const code = `${pg}export function f (name) {\n  let sql = 1\n  return [sql, pool.query(\`SELECT id FROM t WHERE name = '\${name}'\`)]\n}\n`

  const { base, code: after } = await fix({ code, language: 'javascript' })

  t.match(base, /let sql[\s\S]*\$1/)
  t.match(after, /const sql[\s\S]*\$1/)
})
