import type { FoundKind } from '@filewright/analysis/results'

export interface FaultExample {
  name: string
  kind: FoundKind
  code: string
  /** Default: JavaScript. */
  language?: 'typescript'
  /** The text that identifies the line. */
  at: string
  /** The same code without the fault: text and its replacement. */
  fixed: readonly [string, string]
}

export const faultExamples: FaultExample[] = [
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
  },
  {
    name: 'a helper that answers before the function continues',
    kind: 'twice',
    at: 'abort(res, 426)',
    code: `const http = require('http')
const abort = (res, code) => {
  res.writeHead(code)
  res.end(http.STATUS_CODES[code])
}
exports.handle = (req, res) => {
  if (req.headers.upgrade !== 'websocket') {
    abort(res, 426)
  }
  if (req.headers['sec-websocket-version'] !== '13') return abort(res, 400)
  res.writeHead(101)
}
`,
    fixed: ['    abort(res, 426)', '    return abort(res, 426)']
  },
  {
    name: 'a callback in a try block that catches what the callback throws',
    kind: 'twice',
    at: 'callback(null, JSON.parse(text))',
    code: `const fs = require('fs')
exports.read = (file, callback) => {
  fs.readFile(file, 'utf8', (error, text) => {
    if (error) return callback(error)
    try {
      callback(null, JSON.parse(text))
    } catch (error) {
      callback(error)
    }
  })
}
`,
    fixed: [
      '    try {\n      callback(null, JSON.parse(text))\n    } catch (error) {\n      callback(error)\n    }\n',
      '    let value\n    try {\n      value = JSON.parse(text)\n    } catch (error) {\n      return callback(error)\n    }\n    callback(null, value)\n'
    ]
  },
  {
    name: 'a loop that stays at an escaped separator',
    kind: 'endless',
    at: 'while (next',
    code: `exports.split = (text) => {
  const parts = []
  let start = 0
  let next = text.indexOf('.')
  while (next !== -1) {
    if (text[next - 1] === '\\\\') continue
    parts.push(text.slice(start, next))
    start = next + 1
    next = text.indexOf('.', start)
  }
  return [...parts, text.slice(start)]
}
`,
    fixed: ['continue', "{\n      next = text.indexOf('.', next + 1)\n      continue\n    }"]
  },
  {
    name: 'a loop that counts to the length of a list, that included',
    kind: 'index',
    language: 'typescript',
    at: 'for (let i',
    code: `export function pairs<T>(object: Record<string, T>): Array<string | T> {
  const result: Array<string | T> = []
  const keys = Object.keys(object)
  for (let i = 0, count = keys.length; i <= count; i++) {
    result.push(keys[i]!, object[keys[i]!]!)
  }
  return result
}
`,
    fixed: ['i <= count', 'i < count']
  },
  {
    name: 'an optional parameter that is used without a check',
    kind: 'type',
    at: 'header.trim()',
    code: `/**
 * @param {string} [header]
 * @returns {string[]}
 */
exports.directives = (header) => {
  return header.trim().split(',')
}
`,
    fixed: ['return header', 'if (header === undefined) return []\n  return header']
  },
  {
    name: 'a value that may be null by its type',
    kind: 'type',
    language: 'typescript',
    at: 'results!.length',
    code: `/** The server answers null where a watched key has changed. */
export function pairs(results: unknown[] | null): unknown[][] {
  const found: unknown[][] = []
  for (let i = 0; i < results!.length; i++) found.push([null, results![i]])
  return found
}
`,
    fixed: ['  for', '  if (results === null) return found\n  for']
  },
  {
    name: 'one of two types that a function does not expect',
    kind: 'type',
    at: "url.startsWith('//')",
    code: `/**
 * @param {(Object|string)} url
 * @returns {URL}
 */
module.exports = function parse(url) {
  const base = 'http://localhost'
  if (url.startsWith('//')) return new URL(base + url)
  return typeof url === 'object' ? Object.assign(new URL(base), url) : new URL(url, base)
}
`,
    fixed: ["url.startsWith('//')", "typeof url === 'string' && url.startsWith('//')"]
  },
  {
    name: 'a kind of value that the last branch does not expect',
    kind: 'type',
    language: 'typescript',
    at: 'toISOString()',
    code: `type Value = string | boolean | Date
export function query(values: { [name: string]: Value }): string[] {
  return Object.entries(values).map(([name, value]) => {
    if (typeof value === 'string') return name + '=' + value
    return name + '=' + (value as Date).toISOString()
  })
}
`,
    fixed: ["=== 'string') return name", "=== 'string' || typeof value === 'boolean') return name"]
  },
  {
    name: 'a search up the folders that goes on at the root',
    kind: 'endless',
    at: 'while (true)',
    code: `const fs = require('fs')
const path = require('path')
/** @param {string} name @param {string} folder */
exports.find = (name, folder) => {
  while (true) {
    const file = path.join(folder, name)
    if (fs.existsSync(file)) return file
    folder = path.dirname(folder)
  }
}
`,
    fixed: ['    folder =', '    if (path.dirname(folder) === folder) return undefined\n    folder =']
  },
  {
    name: 'a key of a file that changes every object',
    kind: 'pollution',
    at: 'section[key] =',
    code: `exports.decode = (text) => {
  const result = {}
  let section = result
  for (const line of text.split('\\n')) {
    const [, name] = /^\\[(.+)\\]$/.exec(line) ?? []
    if (name !== undefined) section = result[name] = result[name] ?? {}
    else {
      const [key, value] = line.split('=')
      section[key] = value
    }
  }
  return result
}
`,
    fixed: ['const result = {}', 'const result = Object.create(null)']
  },
  {
    name: 'a redirect to where the query says',
    kind: 'redirect',
    at: 'writeHead(302',
    code: `exports.login = (req, res) => {
  const next = new URL(req.url, 'http://localhost').searchParams.get('next') ?? '/'
  if (!next.startsWith('/')) return res.writeHead(400).end()
  res.writeHead(302, { location: next }).end()
}
`,
    fixed: ["!next.startsWith('/')", '!/^\\/(?![/\\\\])/.test(next)']
  },
  {
    name: 'a field of the query in the page',
    kind: 'markup',
    language: 'typescript',
    at: 'res.end(',
    code: `import type { IncomingMessage, ServerResponse } from 'node:http'
const escape = (text: string): string => text.replace(/[&<>"']/g, (letter) => \`&#\${letter.charCodeAt(0)};\`)
function link(href: string, title: string | null, text: string): string {
  if (!/^(?:https?:|\\/)/.test(href)) return escape(text)
  return '<a href="' + escape(href) + '"' + (title ? ' title="' + title + '"' : '') + '>' + escape(text) + '</a>'
}
export function handler(req: IncomingMessage, res: ServerResponse): void {
  const query = new URL(req.url ?? '/', 'http://localhost').searchParams
  res.setHeader('content-type', 'text/html')
  res.end(link(query.get('href') ?? '/', query.get('title'), query.get('text') ?? ''))
}
`,
    fixed: ['title="\' + title +', 'title="\' + escape(title) +']
  },
  {
    name: 'a request to a host of the query',
    kind: 'address',
    at: 'fetch(',
    code: `exports.metadata = async (req, res) => {
  const host = new URL(req.url, 'http://localhost').searchParams.get('host')
  const address = new URL('/latest/', \`http://\${host}\`)
  const reply = await fetch(address)
  res.end(String(reply.status))
}
`,
    fixed: [
      'const address',
      "if (!['a.example', 'b.example'].includes(host)) return res.end()\n  const address"
    ]
  }
]
