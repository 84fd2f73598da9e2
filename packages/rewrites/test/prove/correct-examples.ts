import type { ProofKind } from '@filewright/analysis/results'
import type { Language } from '@filewright/contracts'

export interface CorrectExample {
  name: string
  /** What an analyzer reports, and the text that identifies its line. Without it, only faults are looked for. */
  kind?: ProofKind
  at?: string
  /** Default: JavaScript. */
  language?: Language
  code: string
  /** The same code with the fault: text and its replacement. */
  wrong: readonly [string, string]
}

const pool = "import { pool } from './pool.js'\n"

/** Code that does what it should. */
export const correctExamples: CorrectExample[] = [
  {
    name: 'a match behind an imported function that never returns',
    language: 'typescript',
    code: `import { notFound } from 'next/navigation'
export function idOf (slug: string): string {
  const match = slug.match(/^post-(\\d+)$/)
  if (!match) notFound()
  return match[1]
}
`,
    wrong: ['notFound()\n', 'console.log(slug)\n']
  },
  {
    name: 'a command behind an imported function that never returns',
    kind: 'shell',
    at: 'execSync(`',
    code: `import { execSync } from 'node:child_process'
import fail from './fail.js'
export function clone (repo) {
  if (!/^[\\w./-]+$/.test(repo)) {
    fail('the repository has an unusual name')
  }
  return execSync(\`git clone https://git.example/\${repo}\`)
}
`,
    wrong: ['fail(', 'console.log(']
  },
  {
    name: 'a file behind a method that refuses the request',
    kind: 'path',
    at: 'readFileSync(',
    code: `import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import http from './http.js'
export async function show (req, res) {
  const { name } = req.query
  if (name.includes('..') || name.includes('/')) await http.abort(400)
  res.type('txt').send(readFileSync(join('/srv/pages', name)))
}
`,
    wrong: ['http.abort(', 'http.note(']
  },
  {
    name: 'a column of a declared union',
    kind: 'sql',
    at: 'pool.query',
    language: 'typescript',
    code: `${pool}export async function list (order: 'ASC' | 'DESC') {
  return await pool.query(\`SELECT * FROM items ORDER BY id \${order}\`)
}
`,
    wrong: ["'ASC' | 'DESC'", 'string']
  },
  {
    name: 'a value of an enum between quotes',
    kind: 'sql',
    at: 'pool.query',
    language: 'typescript',
    code: `${pool}export enum Status { Open = 'open', Closed = 'closed' }
export async function byStatus (status: Status) {
  return await pool.query(\`SELECT * FROM items WHERE status = '\${status}'\`)
}
`,
    wrong: ['status: Status', 'status: string']
  },
  {
    name: 'a number of either kind between quotes',
    kind: 'sql',
    at: 'pool.query',
    language: 'typescript',
    code: `${pool}export async function byId (id: number | bigint) {
  return await pool.query(\`SELECT * FROM items WHERE id = '\${id}'\`)
}
`,
    wrong: ['number | bigint', 'number | string']
  },
  {
    name: 'an element of a constant list in a command',
    kind: 'shell',
    at: 'execSync(`',
    language: 'typescript',
    code: `import { execSync } from 'node:child_process'
const MODES = ['debug', 'release'] as const
type Mode = (typeof MODES)[number]
export function build (mode: Mode): void {
  execSync(\`make \${mode}\`)
}
`,
    wrong: ['mode: Mode', 'mode: string']
  },
  {
    name: 'a key of a declared union',
    language: 'typescript',
    code: `const state: Record<string, Record<string, unknown>> = { ui: {}, net: {} }
export function setFlag (section: 'ui' | 'net', key: string, value: unknown): void {
  state[section][key] = value
}
`,
    wrong: ["'ui' | 'net'", 'string']
  },
  {
    name: 'arguments that no overload has together',
    language: 'typescript',
    code: `export function area (side: number): number
export function area (shape: string, sizes: number[]): number
export function area (first: number | string, sizes?: number[]): number {
  if (typeof first === 'number') return first * first
  return sizes!.reduce((all, each) => all * each, 1)
}
`,
    wrong: [
      'export function area (side: number): number\nexport function area (shape: string, sizes: number[]): number\n',
      ''
    ]
  },
  {
    name: 'a method that only the class calls',
    language: 'typescript',
    code: `export class Parser {
  parse (text: string | null): string {
    return text === null ? '' : this.inner(text)
  }
  protected inner (text: string): string { return text.trim() }
  protected hook (text: string | null): number {
    return text!.length
  }
}
`,
    wrong: ['protected hook', 'hook']
  },
  {
    name: 'a power of a bigint',
    language: 'typescript',
    code: `export function pow (base: bigint, exponent: number): bigint {
  return exponent < 0 ? 0n : base ** BigInt(Math.trunc(exponent))
}
`,
    wrong: ['BigInt(Math.trunc(exponent))', '(exponent as unknown as bigint)']
  },
  {
    name: 'a name in the brackets of SQL Server',
    code: `${pool}const quoteName = (name) => \`[\${String(name).replace(/]/g, ']]')}]\`
export async function list (req, res) {
  const rows = await pool.query(\`SELECT * FROM items ORDER BY \${quoteName(req.query.sort)}\`)
  res.json(rows)
}
`,
    wrong: ['quoteName(req.query.sort)', 'req.query.sort']
  },
  {
    name: 'a file below the root that Express checks',
    code: `const express = require('express')
const app = express()
app.get('/f', (req, res) => {
  res.sendFile(req.query.name, { root: '/srv/files' })
})
`,
    wrong: ["req.query.name, { root: '/srv/files' }", "'/srv/files/' + req.query.name"]
  },
  {
    name: 'JSON without a type, which no browser takes for a page',
    code: `const http = require('http')
http.createServer((req, res) => {
  const name = new URL(req.url, 'http://x').searchParams.get('name')
  res.end(JSON.stringify({ name }))
}).listen(80)
`,
    wrong: ['JSON.stringify({ name })', "'<p>' + name"]
  },
  {
    name: 'a promise of Electron that is never rejected',
    kind: 'rejection',
    at: 'whenReady',
    code: `const { app, BrowserWindow } = require('electron')
exports.start = () => {
  app.whenReady().then(() => new BrowserWindow())
}
`,
    wrong: ['app.whenReady()', 'app.load()']
  },
  {
    name: 'a timer as a promise',
    kind: 'rejection',
    at: 'sleep(100)',
    code: `import { setTimeout as sleep } from 'node:timers/promises'
export function later (fn) {
  sleep(100).then(() => { console.log(fn) })
}
`,
    wrong: ["'node:timers/promises'", "'./client.js'"]
  },
  {
    name: 'a promise where the process handles every rejection',
    kind: 'rejection',
    at: 'rm(path',
    code: `import { rm } from 'node:fs/promises'
process.on('unhandledRejection', (reason) => { console.error(reason) })
export function forget (path) {
  rm(path, { force: true }).then(() => console.log('removed'))
}
`,
    wrong: ['unhandledRejection', 'warning']
  },
  {
    name: 'a callback that is called for each file',
    code: `const fs = require('fs')
exports.each = function (files, callback) {
  let left = files.length
  files.forEach((file) => {
    fs.readFile(file, 'utf8', (err, text) => {
      if (err) { callback(err, file); return }
      callback(null, file, text)
    })
  })
}
`,
    wrong: ['callback(null, file, text)', 'if (--left === 0) callback(null, text)']
  }
]
