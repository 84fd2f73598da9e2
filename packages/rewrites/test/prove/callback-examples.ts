import type { FaultExample } from './fault-examples.js'

/** Faults of callbacks and promises, and of what a caller puts between quotes. */
export const callbackExamples: FaultExample[] = [
  {
    name: 'a promise of a function of the caller that nothing handles',
    kind: 'rejection',
    at: 'work(name)',
    code: `/** @param {Function} work @param {string} name */
exports.start = (work, name) => {
  work(name).then((result) => result.close())
}
`,
    fixed: ['result.close())', 'result.close(), () => {})']
  },
  {
    name: 'a file that is written without waiting',
    kind: 'rejection',
    at: 'fs.writeFile',
    code: `const fs = require('node:fs/promises')
exports.save = async (file, text) => {
  await fs.mkdir('out', { recursive: true })
  fs.writeFile(file, text)
}
`,
    fixed: ['  fs.writeFile', '  await fs.writeFile']
  },
  {
    name: 'an async function of the code that nobody waits for',
    kind: 'rejection',
    at: 'load(read, name)\n  }',
    code: `async function load(read, name) {
  const text = await read(name)
  return text.trim()
}
exports.warmUp = (read, names) => {
  for (const name of names) {
    load(read, name)
  }
}
`,
    fixed: ['load(read, name)\n  }', 'load(read, name).catch(() => null)\n  }']
  },
  {
    name: 'a callback that gets an error for each item',
    kind: 'twice',
    at: 'if (error)',
    code: `exports.each = (items, work, callback) => {
  let left = items.length
  if (left === 0) return callback(null)
  for (const item of items) {
    work(item, (error) => {
      if (error) return callback(error)
      if (--left === 0) callback(null)
    })
  }
}
`,
    fixed: ['if (error) return', 'if (left < 0) return\n      if (error) left = -1\n      if (error) return']
  },
  {
    name: 'a callback that gets each late error',
    kind: 'twice',
    at: 'if (isWaiting)',
    code: `exports.first = (sources, ask, callback) => {
  let isWaiting = false
  for (const source of sources) {
    ask(source, (error, answer) => {
      if (isWaiting) callback(error, answer)
    })
  }
  isWaiting = true
}
`,
    fixed: ['callback(error, answer)\n', 'callback(error, answer)\n      isWaiting = false\n']
  },
  {
    name: 'a quoted name in a statement from which a caller gets out',
    kind: 'sql',
    at: 'db.query',
    code: `exports.count = (db, schema) => {
  if (schema.length > 63) throw new RangeError('too long')
  return db.query(\`SELECT count(*) FROM "\${schema}".jobs\`)
}
`,
    fixed: ['${schema}', `\${schema.replaceAll('"', '""')}`]
  },
  {
    name: 'a quoted key in a class that extends one of another module',
    kind: 'sql',
    at: 'this.query(',
    code: `const { EventEmitter } = require('node:events')
exports.Store = class Store extends EventEmitter {
  constructor(options) {
    super()
    this.query = options.query
  }
  async get(key) {
    return await this.query(\`SELECT * FROM entries WHERE key = '\${key}'\`)
  }
}
`,
    fixed: ['${key}', '${key.replaceAll("\'", "\'\'")}']
  },
  {
    name: 'a command with a path that has to begin like one',
    kind: 'shell',
    at: 'exec(',
    code: `const { exec } = require('node:child_process')
exports.free = (path) => {
  if (!path.startsWith('/')) throw new Error('not absolute')
  exec(\`df -Pk "\${path}"\`)
}
`,
    fixed: ['exec(', 'if (!/^[\\w/]+$/.test(path)) return\n  exec(']
  },
  {
    name: 'a handler that answers and then passes the request on',
    kind: 'twice',
    at: 'res.end()',
    code: `exports.only = (req, res, next) => {
  if (req.method === 'TRACE') return next()
  if (req.method !== 'GET') {
    res.statusCode = 405
    res.end()
  }
  next()
}
`,
    fixed: ['res.end()\n', 'return res.end()\n']
  }
]
