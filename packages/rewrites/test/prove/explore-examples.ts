import type { FaultExample } from './fault-examples.js'

/** Faults that need other inputs, an order of calls, or a look at what the code expects elsewhere. */
export const exploreExamples: FaultExample[] = [
  {
    name: 'a method that does not check what another one checks',
    kind: 'missing',
    at: 'delete(fn)',
    code: `exports.Emitter = class Emitter {
  constructor () {
    this.listeners = new Map()
  }

  on (name, fn) {
    const set = this.listeners.get(name)
    if (set) set.add(fn)
    else this.listeners.set(name, new Set([fn]))
  }

  off (name, fn) {
    this.listeners.get(name).delete(fn)
  }
}
`,
    fixed: ['.get(name).delete', '.get(name)?.delete']
  },
  {
    name: 'a listener that was never added and whose removal removes another one',
    kind: 'removed',
    at: 'splice',
    code: `exports.Bus = class Bus {
  constructor () {
    this.handlers = []
  }

  add (handler) {
    this.handlers.push(handler)
  }

  remove (handler) {
    this.handlers.splice(this.handlers.indexOf(handler), 1)
  }
}
`,
    fixed: ['this.handlers.splice', 'if (this.handlers.includes(handler)) this.handlers.splice']
  },
  {
    name: 'a function that calls itself with the same list',
    kind: 'recursion',
    at: 'exports.sum',
    code: `exports.sum = function sum (list) { return list.length === 0 ? 0 : list[0] + sum(list) }
`,
    fixed: ['sum(list) }', 'sum(list.slice(1)) }']
  },
  {
    name: 'a callback that reads its result although the call has failed',
    kind: 'crash',
    at: 'toString',
    code: `const fs = require('fs')
exports.lines = (file, found) => {
  fs.readFile(file, (err, data) => {
    found(data.toString().split('\\n'))
  })
}
`,
    fixed: ['    found', '    if (err) return found([])\n    found']
  },
  {
    name: 'a promise of a callback that nobody awaits',
    kind: 'rejection',
    at: 'async (name)',
    code: `const { rm } = require('fs/promises')
exports.clear = (names) => {
  names.map(async (name) => {
    await rm(name)
  })
  return names.length
}
`,
    fixed: ['  names.map', '  return Promise.all(names.map(Boolean))\n  names.map']
  },
  {
    name: 'an object that forgets that its list may be empty',
    kind: 'missing',
    at: 'this.first.previous',
    code: `exports.Cache = class Cache {
  constructor (max) {
    this.max = max
    this.size = 0
    this.first = null
  }

  add (key) {
    const item = { key, next: null, previous: null }
    if (this.size >= this.max) this.drop()
    item.next = this.first
    this.first = item
    this.size++
  }

  drop () {
    if (this.size === 0) return
    this.first = this.first.next
    this.first.previous = null
    this.size--
  }
}
`,
    fixed: ['    this.first.previous', '    if (this.first) this.first.previous']
  },
  {
    name: 'an attribute that is not escaped beside others that are',
    kind: 'unescaped',
    at: 'escape(href)',
    code: `const escape = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;')
exports.link = (href, title) =>
  '<a href="' + escape(href) +
  '" title="' + title + '">x</a>'
`,
    fixed: ['+ title +', '+ escape(title) +']
  },
  {
    name: 'a folder that begins like the allowed one',
    kind: 'outside',
    at: 'path.resolve',
    code: `const path = require('path')
exports.inside = (root, name) => {
  const file = path.resolve(root, name)
  if (!file.startsWith(root)) throw new Error('outside')
  return file
}
`,
    fixed: ['startsWith(root)', "startsWith(root + '/')"]
  },
  {
    name: 'a header that a client need not send',
    kind: 'type',
    at: 'split',
    code: `exports.addresses = (req) => {
  const header = req.headers['x-forwarded-for']
  return header.split(',')
}
`,
    fixed: ['header.split', "(header || '').split"]
  }
]
