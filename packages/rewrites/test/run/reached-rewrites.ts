/** Rewrites that do the same, each with branches that only particular inputs reach. */
export const reachedRewrites: ReadonlyArray<{
  what: string
  before: string
  after: string
  language?: 'typescript'
}> = [
  {
    what: 'deep equality',
    before: `export function deepEqual (a, b) {
  if (a === b) return true
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') {
    return false
  }
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keysA = Object.keys(a)
  const keysB = Object.keys(b)
  if (keysA.length !== keysB.length) return false
  for (let i = 0; i < keysA.length; i++) {
    const key = keysA[i]
    if (!Object.prototype.hasOwnProperty.call(b, key)) return false
    if (!deepEqual(a[key], b[key])) return false
  }
  return true
}`,
    after: `export function deepEqual (a, b) {
  if (a === b) return true
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => Object.hasOwn(b, key) && deepEqual(a[key], b[key]))
}`
  },
  {
    what: 'the difference of two objects',
    before: `export function diff (before, after) {
  const result = { added: [], removed: [], changed: [] }
  for (const key of Object.keys(after)) {
    if (!(key in before)) {
      result.added.push(key)
    } else {
      if (before[key] !== after[key]) {
        result.changed.push(key)
      }
    }
  }
  for (const key of Object.keys(before)) {
    if (!(key in after)) {
      result.removed.push(key)
    }
  }
  return result
}`,
    after: `export function diff (before, after) {
  const added = []
  const changed = []
  for (const key of Object.keys(after)) {
    if (!(key in before)) added.push(key)
    else if (before[key] !== after[key]) changed.push(key)
  }
  return { added, removed: Object.keys(before).filter((key) => !(key in after)), changed }
}`
  },
  {
    what: 'a CSV reader',
    before: `export function parseCsv (text) {
  const rows = []
  let row = []
  let field = ''
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const ch = text[i]
    if (quoted) {
      if (ch === '"') {
        if (text[i + 1] === '"') {
          field += '"'
          i++
        } else {
          quoted = false
        }
      } else {
        field += ch
      }
    } else if (ch === '"') {
      quoted = true
    } else if (ch === ',') {
      row.push(field)
      field = ''
    } else if (ch === '\\n') {
      row.push(field)
      rows.push(row)
      row = []
      field = ''
    } else {
      field += ch
    }
  }
  if (field !== '' || row.length > 0) {
    row.push(field)
    rows.push(row)
  }
  return rows
}`,
    after: `export function parseCsv (text) {
  const rows = []
  let row = []
  let field = ''
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const ch = text[i]
    if (quoted) {
      if (ch !== '"') field += ch
      else if (text[i + 1] === '"') field += text[++i]
      else quoted = false
    } else if (ch === '"') {
      quoted = true
    } else if (ch === ',') {
      row.push(field)
      field = ''
    } else if (ch === '\\n') {
      row.push(field)
      rows.push(row)
      row = []
      field = ''
    } else {
      field += ch
    }
  }
  if (field !== '' || row.length > 0) {
    row.push(field)
    rows.push(row)
  }
  return rows
}`
  },
  {
    what: 'a cache of the last used',
    before: `export class LruCache {
  constructor (capacity) {
    this.capacity = capacity
    this.items = new Map()
  }

  get (key) {
    if (!this.items.has(key)) {
      return undefined
    }
    const value = this.items.get(key)
    this.items.delete(key)
    this.items.set(key, value)
    return value
  }

  set (key, value) {
    if (this.items.has(key)) {
      this.items.delete(key)
    } else {
      if (this.items.size >= this.capacity) {
        const oldest = this.items.keys().next().value
        this.items.delete(oldest)
      }
    }
    this.items.set(key, value)
  }
}`,
    after: `export class LruCache {
  constructor (capacity) {
    this.capacity = capacity
    this.items = new Map()
  }

  get (key) {
    if (!this.items.has(key)) return undefined
    const value = this.items.get(key)
    this.items.delete(key)
    this.items.set(key, value)
    return value
  }

  set (key, value) {
    if (this.items.has(key)) this.items.delete(key)
    else if (this.items.size >= this.capacity) this.items.delete(this.items.keys().next().value)
    this.items.set(key, value)
  }
}`
  },
  {
    what: 'an event emitter',
    before: `export class Emitter {
  constructor () {
    this.listeners = {}
  }

  on (event, listener) {
    if (!this.listeners[event]) {
      this.listeners[event] = []
    }
    this.listeners[event].push(listener)
    return this
  }

  off (event, listener) {
    const list = this.listeners[event]
    if (!list) {
      return this
    }
    const index = list.indexOf(listener)
    if (index !== -1) {
      list.splice(index, 1)
    }
    return this
  }

  emit (event, payload) {
    const list = this.listeners[event]
    if (!list || list.length === 0) {
      return false
    }
    list.slice().forEach(function (listener) {
      listener(payload)
    })
    return true
  }
}`,
    after: `export class Emitter {
  constructor () {
    this.listeners = {}
  }

  on (event, listener) {
    if (!this.listeners[event]) this.listeners[event] = []
    this.listeners[event].push(listener)
    return this
  }

  off (event, listener) {
    const list = this.listeners[event]
    if (!list) return this
    const index = list.indexOf(listener)
    if (index !== -1) list.splice(index, 1)
    return this
  }

  emit (event, payload) {
    const list = this.listeners[event]
    if (!list || list.length === 0) return false
    for (const listener of list.slice()) listener(payload)
    return true
  }
}`
  },
  {
    what: 'memoize with clear',
    before: `export function memoize (fn) {
  const cache = new Map()
  const memoized = function (key) {
    if (cache.has(key)) {
      return cache.get(key)
    } else {
      const value = fn(key)
      cache.set(key, value)
      return value
    }
  }
  memoized.clear = function () {
    if (cache.size > 0) {
      cache.clear()
    }
  }
  return memoized
}`,
    after: `export function memoize (fn) {
  const cache = new Map()
  const memoized = (key) => {
    if (!cache.has(key)) cache.set(key, fn(key))
    return cache.get(key)
  }
  memoized.clear = () => {
    if (cache.size > 0) cache.clear()
  }
  return memoized
}`
  },
  {
    what: 'a path normalizer',
    before: `export function normalize (path) {
  const parts = path.split('/')
  const out = []
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]
    if (part === '' || part === '.') {
      continue
    }
    if (part === '..') {
      if (out.length > 0 && out[out.length - 1] !== '..') {
        out.pop()
      } else {
        out.push('..')
      }
    } else {
      out.push(part)
    }
  }
  return (path.startsWith('/') ? '/' : '') + out.join('/')
}`,
    after: `export function normalize (path) {
  const out = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..' && out.length > 0 && out[out.length - 1] !== '..') out.pop()
    else out.push(part)
  }
  return (path.startsWith('/') ? '/' : '') + out.join('/')
}`
  },
  {
    what: 'matching brackets',
    before: `export function isBalanced (text) {
  const stack = []
  const pairs = { ')': '(', ']': '[', '}': '{' }
  for (let i = 0; i < text.length; i++) {
    const ch = text[i]
    if (ch === '(' || ch === '[' || ch === '{') {
      stack.push(ch)
    } else if (ch === ')' || ch === ']' || ch === '}') {
      if (stack.length === 0) {
        return false
      }
      const open = stack.pop()
      if (open !== pairs[ch]) {
        return false
      }
    }
  }
  return stack.length === 0
}`,
    after: `export function isBalanced (text) {
  const stack = []
  const pairs = { ')': '(', ']': '[', '}': '{' }
  for (let i = 0; i < text.length; i++) {
    const ch = text[i]
    if (ch === '(' || ch === '[' || ch === '{') stack.push(ch)
    else if (ch === ')' || ch === ']' || ch === '}') {
      if (stack.pop() !== pairs[ch]) return false
    }
  }
  return stack.length === 0
}`
  },
  {
    what: 'a tokenizer',
    before: `export function tokenize (source) {
  const tokens = []
  let i = 0
  while (i < source.length) {
    const ch = source[i]
    if (/\\s/.test(ch)) {
      i++
      continue
    }
    if (/[0-9]/.test(ch)) {
      let digits = ''
      while (i < source.length && /[0-9.]/.test(source[i])) {
        digits += source[i]
        i++
      }
      tokens.push({ type: 'number', value: Number(digits) })
      continue
    }
    if ('+-*/()'.includes(ch)) {
      tokens.push({ type: 'operator', value: ch })
      i++
      continue
    }
    throw new SyntaxError('unexpected ' + ch)
  }
  return tokens
}`,
    after: `export function tokenize (source) {
  const tokens = []
  let i = 0
  while (i < source.length) {
    const ch = source[i]
    if (/\\s/.test(ch)) {
      i++
    } else if (/[0-9]/.test(ch)) {
      const start = i
      while (i < source.length && /[0-9.]/.test(source[i])) i++
      tokens.push({ type: 'number', value: Number(source.slice(start, i)) })
    } else if ('+-*/()'.includes(ch)) {
      tokens.push({ type: 'operator', value: ch })
      i++
    } else {
      throw new SyntaxError('unexpected ' + ch)
    }
  }
  return tokens
}`
  },
  {
    what: 'once',
    before: `export function once (fn) {
  let called = false
  let result
  return function (...args) {
    if (called) {
      return result
    } else {
      called = true
      result = fn(...args)
      return result
    }
  }
}`,
    after: `export function once (fn) {
  let called = false
  let result
  return (...args) => {
    if (!called) {
      called = true
      result = fn(...args)
    }
    return result
  }
}`
  },
  {
    what: 'a store that a factory makes',
    before: `export function createStore (reducer, initial) {
  let state = initial
  const listeners = []
  return {
    getState: function () {
      return state
    },
    subscribe: function (listener) {
      listeners.push(listener)
      return function () {
        const index = listeners.indexOf(listener)
        if (index !== -1) {
          listeners.splice(index, 1)
        }
      }
    },
    dispatch: function (action) {
      state = reducer(state, action)
      for (let i = 0; i < listeners.length; i++) {
        listeners[i](state)
      }
      return action
    }
  }
}`,
    after: `export function createStore (reducer, initial) {
  let state = initial
  const listeners = []
  return {
    getState: () => state,
    subscribe: (listener) => {
      listeners.push(listener)
      return () => {
        const index = listeners.indexOf(listener)
        if (index !== -1) listeners.splice(index, 1)
      }
    },
    dispatch: (action) => {
      state = reducer(state, action)
      for (const listener of listeners) listener(state)
      return action
    }
  }
}`
  },
  {
    what: 'a time zone offset of which a comment has an example',
    before: `/** Minutes of an offset such as '+05:30'. */
export function offsetMinutes (offset) {
  const sign = offset.charAt(0)
  if (sign !== '+' && sign !== '-') {
    return null
  }
  const parts = offset.slice(1).split(':')
  if (parts.length !== 2) {
    return null
  }
  const hours = Number(parts[0])
  const minutes = Number(parts[1])
  if (Number.isNaN(hours) || Number.isNaN(minutes)) {
    return null
  }
  if (hours > 14 || minutes > 59) {
    return null
  }
  const total = hours * 60 + minutes
  return sign === '-' ? -total : total
}`,
    after: `/** Minutes of an offset such as '+05:30'. */
export function offsetMinutes (offset) {
  const sign = offset.charAt(0)
  if (sign !== '+' && sign !== '-') return null
  const parts = offset.slice(1).split(':')
  if (parts.length !== 2) return null
  const [hours, minutes] = parts.map(Number)
  if (Number.isNaN(hours) || Number.isNaN(minutes)) return null
  if (hours > 14 || minutes > 59) return null
  const total = hours * 60 + minutes
  return sign === '-' ? -total : total
}`
  },
  {
    what: 'a query string of which a comment has an example',
    before: `/** Reads a query, e.g. \`a=1&b=2&a=3\`: what comes twice becomes a list. */
export function parseQuery (query) {
  const result = {}
  const pairs = query.split('&')
  for (let i = 0; i < pairs.length; i++) {
    if (pairs[i] === '') {
      continue
    }
    const at = pairs[i].indexOf('=')
    const key = at === -1 ? pairs[i] : pairs[i].slice(0, at)
    const value = at === -1 ? '' : pairs[i].slice(at + 1)
    if (Object.hasOwn(result, key)) {
      if (Array.isArray(result[key])) {
        result[key].push(value)
      } else {
        result[key] = [result[key], value]
      }
    } else {
      result[key] = value
    }
  }
  return result
}`,
    after: `/** Reads a query, e.g. \`a=1&b=2&a=3\`: what comes twice becomes a list. */
export function parseQuery (query) {
  const result = {}
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const key = at === -1 ? pair : pair.slice(0, at)
    const value = at === -1 ? '' : pair.slice(at + 1)
    if (!Object.hasOwn(result, key)) result[key] = value
    else if (Array.isArray(result[key])) result[key].push(value)
    else result[key] = [result[key], value]
  }
  return result
}`
  },
  {
    what: 'tags whatever their case',
    before: `export function addTag (tags, tag) {
  const wanted = tag.trim().toLowerCase()
  if (wanted === '') {
    return tags
  }
  for (let i = 0; i < tags.length; i++) {
    if (tags[i].toLowerCase() === wanted) {
      return tags
    }
  }
  return tags.concat([wanted])
}`,
    after: `export function addTag (tags, tag) {
  const wanted = tag.trim().toLowerCase()
  if (wanted === '') return tags
  for (const each of tags) {
    if (each.toLowerCase() === wanted) return tags
  }
  return [...tags, wanted]
}`
  },
  {
    what: 'a ring buffer',
    language: 'typescript',
    before: `export class Ring<T> {
  private items: T[] = []
  private start = 0
  constructor (private readonly size: number) {
    if (size < 1) throw new RangeError('size')
  }

  push (item: T): boolean {
    if (this.items.length < this.size) {
      this.items.push(item)
      return false
    } else {
      this.items[this.start] = item
      this.start = this.start + 1
      if (this.start >= this.size) {
        this.start = 0
      }
      return true
    }
  }

  toArray (): T[] {
    return this.items.slice(this.start).concat(this.items.slice(0, this.start))
  }
}`,
    after: `export class Ring<T> {
  private items: T[] = []
  private start = 0
  constructor (private readonly size: number) {
    if (size < 1) throw new RangeError('size')
  }

  push (item: T): boolean {
    if (this.items.length < this.size) {
      this.items.push(item)
      return false
    }
    this.items[this.start++] = item
    if (this.start >= this.size) this.start = 0
    return true
  }

  toArray (): T[] {
    return [...this.items.slice(this.start), ...this.items.slice(0, this.start)]
  }
}`
  },
  {
    what: 'a deep merge',
    before: `function isPlain (value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
export function merge (target, source) {
  const result = Object.assign({}, target)
  for (const key of Object.keys(source)) {
    if (isPlain(source[key]) && isPlain(result[key])) {
      result[key] = merge(result[key], source[key])
    } else {
      result[key] = source[key]
    }
  }
  return result
}`,
    after: `function isPlain (value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
export function merge (target, source) {
  const result = Object.assign({}, target)
  for (const key of Object.keys(source)) {
    const value = source[key]
    result[key] = isPlain(value) && isPlain(result[key]) ? merge(result[key], value) : value
  }
  return result
}`
  },
  {
    what: 'a rate limiter',
    before: `export class Limiter {
  constructor (limit) {
    this.limit = limit
    this.counts = new Map()
  }

  hit (key) {
    const count = this.counts.get(key)
    if (count === undefined) {
      this.counts.set(key, 1)
      return true
    }
    if (count >= this.limit) {
      return false
    }
    this.counts.set(key, count + 1)
    return true
  }

  reset (key) {
    if (key === undefined) {
      this.counts.clear()
    } else {
      this.counts.delete(key)
    }
  }
}`,
    after: `export class Limiter {
  constructor (limit) {
    this.limit = limit
    this.counts = new Map()
  }

  hit (key) {
    const count = this.counts.get(key)
    if (count !== undefined && count >= this.limit) return false
    this.counts.set(key, (count ?? 0) + 1)
    return true
  }

  reset (key) {
    if (key === undefined) this.counts.clear()
    else this.counts.delete(key)
  }
}`
  },
  {
    what: 'a default in place of a test',
    before: `export function pad (text, width, fill) {
  if (fill === undefined) {
    fill = ' '
  }
  let out = String(text)
  while (out.length < width && fill !== '' && out.length < 50) {
    out = fill + out
  }
  return out
}`,
    after: `export function pad (text, width, fill = ' ') {
  let out = String(text)
  while (out.length < width && fill !== '' && out.length < 50) out = fill + out
  return out
}`
  },
  {
    what: 'a rest parameter in place of arguments',
    before: `export function total () {
  let sum = 0
  for (let i = 0; i < arguments.length; i++) {
    const n = Number(arguments[i])
    if (!Number.isNaN(n)) {
      sum += n
    }
  }
  return sum
}`,
    after: `export function total (...values) {
  let sum = 0
  for (const value of values) {
    const n = Number(value)
    if (!Number.isNaN(n)) sum += n
  }
  return sum
}`
  },
  {
    what: 'a trie',
    before: `export class Trie {
  constructor () {
    this.root = {}
  }

  insert (word) {
    let node = this.root
    for (let i = 0; i < word.length; i++) {
      const ch = word[i]
      if (!node[ch]) {
        node[ch] = {}
      }
      node = node[ch]
    }
    node.end = true
  }

  has (word) {
    let node = this.root
    for (let i = 0; i < word.length; i++) {
      node = node[word[i]]
      if (!node) {
        return false
      }
    }
    return node.end === true
  }
}`,
    after: `export class Trie {
  constructor () {
    this.root = {}
  }

  insert (word) {
    let node = this.root
    for (let i = 0; i < word.length; i++) {
      node[word[i]] ||= {}
      node = node[word[i]]
    }
    node.end = true
  }

  has (word) {
    let node = this.root
    for (let i = 0; i < word.length; i++) {
      node = node[word[i]]
      if (!node) return false
    }
    return node.end === true
  }
}`
  },
  {
    what: 'curry',
    before: `export function curry (fn, arity) {
  return function curried (...args) {
    if (args.length >= arity) {
      return fn(...args)
    } else {
      return function (...more) {
        return curried(...args.concat(more))
      }
    }
  }
}`,
    after: `export function curry (fn, arity) {
  return function curried (...args) {
    if (args.length >= arity) return fn(...args)
    return (...more) => curried(...args, ...more)
  }
}`
  },
  {
    what: 'a template',
    before: `export function render (template, values) {
  let out = ''
  let i = 0
  while (i < template.length) {
    if (template[i] === '{' && template[i + 1] === '{') {
      const end = template.indexOf('}}', i)
      if (end === -1) {
        out += template.slice(i)
        break
      }
      const key = template.slice(i + 2, end).trim()
      if (Object.hasOwn(values, key)) {
        out += String(values[key])
      } else {
        out += ''
      }
      i = end + 2
    } else {
      out += template[i]
      i++
    }
  }
  return out
}`,
    after: `export function render (template, values) {
  let out = ''
  let i = 0
  while (i < template.length) {
    if (!template.startsWith('{{', i)) {
      out += template[i++]
      continue
    }
    const end = template.indexOf('}}', i)
    if (end === -1) return out + template.slice(i)
    const key = template.slice(i + 2, end).trim()
    if (Object.hasOwn(values, key)) out += String(values[key])
    i = end + 2
  }
  return out
}`
  },
  {
    what: 'versions',
    before: `/** Compares versions: "1.2.10" is later than "1.2.9". */
export function compareVersions (a, b) {
  const left = String(a).split('.')
  const right = String(b).split('.')
  const length = Math.max(left.length, right.length)
  for (let i = 0; i < length; i++) {
    const x = Number(left[i] === undefined ? 0 : left[i])
    const y = Number(right[i] === undefined ? 0 : right[i])
    if (x > y) {
      return 1
    } else if (x < y) {
      return -1
    }
  }
  return 0
}`,
    after: `/** Compares versions: "1.2.10" is later than "1.2.9". */
export function compareVersions (a, b) {
  const left = String(a).split('.')
  const right = String(b).split('.')
  const length = Math.max(left.length, right.length)
  for (let i = 0; i < length; i++) {
    const x = Number(left[i] ?? 0)
    const y = Number(right[i] ?? 0)
    if (x > y) return 1
    if (x < y) return -1
  }
  return 0
}`
  },
  {
    what: 'a semaphore of callbacks',
    before: `export class Pool {
  constructor (max) {
    this.max = max
    this.active = 0
    this.waiting = []
  }

  acquire (task) {
    if (this.active < this.max) {
      this.active++
      task()
    } else {
      this.waiting.push(task)
    }
  }

  release () {
    if (this.waiting.length > 0) {
      const next = this.waiting.shift()
      next()
    } else {
      if (this.active > 0) {
        this.active--
      }
    }
  }
}`,
    after: `export class Pool {
  constructor (max) {
    this.max = max
    this.active = 0
    this.waiting = []
  }

  acquire (task) {
    if (this.active < this.max) {
      this.active++
      task()
    } else this.waiting.push(task)
  }

  release () {
    if (this.waiting.length > 0) this.waiting.shift()()
    else if (this.active > 0) this.active--
  }
}`
  }
]
