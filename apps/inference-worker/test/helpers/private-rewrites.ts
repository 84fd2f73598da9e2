import type { RewriteCase } from './wrong-rewrites.js'

const trimming = `function trimEnd (str) {
  let last = str.length - 1
  while (str[last] === ' ' || str[last] === '\\t') {
    last = last - 1
  }
  return str.substring(0, last + 1)
}
module.exports = function (lines) {
  const kept = []
  for (const line of lines.split('\\n')) {
    kept.push(trimEnd(line))
  }
  return kept.join('\\n')
}
`
const trimmed = (pattern: string): string =>
  `module.exports = function (lines) {
  return lines.split('\\n').map((line) => line.replace(${pattern}, '')).join('\\n')
}
`

const limited = `function clip (text) {
  if (text.length > 5000) {
    return text.slice(0, 5000)
  } else {
    return text
  }
}
exports.label = function (text) {
  const clipped = clip(text)
  if (clipped === '') {
    return '-'
  } else {
    return clipped
  }
}
`

const routed = `function show (req, res) {
  if (req.query.id === undefined) {
    res.status(400)
  } else {
    res.send(req.query.id)
  }
}
app.get('/', show)
exports.port = function (given) {
  if (given) {
    return given
  } else {
    return 3000
  }
}
`

const unused = `function forgotten (value) {
  if (value > 10) {
    return 'large'
  } else {
    return 'small'
  }
}
exports.port = function (given) {
  if (given) {
    return given
  } else {
    return 3000
  }
}
`

const registering = `function register (name) {
  registry.add(name)
}
register('shapes')
exports.area = function (w, h) {
  let area = 0
  area = w * h
  return area
}
`

const shorthand = `function scale (by, value) {
  let result = value
  result = result / by
  return result
}
function half (value) {
  let result = scale(2, value)
  return result
}
module.exports = { scale, half }
`

const listed = `function helper (value) {
  let found = value
  if (found === '') {
    found = 'none'
  }
  return found
}
function run (values) {
  const all = []
  for (const value of values) {
    all.push(helper(value))
  }
  return all
}
export { run, helper as rename }
`

const table = `function first (list) {
  if (list.length > 0) {
    return list[0]
  } else {
    return null
  }
}
exports.commands = { first: first }
exports.second = function (list) {
  if (list.length > 1) {
    return list[1]
  } else {
    return null
  }
}
`

const stateful = `let calls = 0
function next () {
  calls = calls + 1
  return calls
}
exports.id = function (prefix) {
  const number = next()
  return prefix + '-' + number
}
`

const made = `class Stack {
  constructor () {
    this.items = []
  }

  push (item) {
    this.items.push(item)
    return this.items.length
  }

  pop () {
    if (this.items.length === 0) {
      return undefined
    } else {
      return this.items.pop()
    }
  }
}
exports.create = function () {
  const stack = new Stack()
  return stack
}
`

const late = `function pick (list) {
  let best = list[0]
  for (let i = 1; i < list.length; i++) {
    if (list[i] > best) {
      best = list[i]
    }
  }
  return best
}
exports.limit = 3
Object.defineProperty(exports, 'pick', { get: function () { return pick } })
`

/** A private function is gone or different, and the module behaves differently. */
export const wrongPrivateRewrites: readonly RewriteCase[] = [
  { what: 'a private function strips more', before: trimming, after: trimmed('/\\s+$/') },
  { what: 'and less', before: trimming, after: trimmed('/ +$/') },
  {
    what: 'a limit that no input reaches is gone with its function',
    before: limited,
    after: `exports.label = function (text) {
  return text === '' ? '-' : text
}
`
  },
  {
    what: 'a private function that a router has is different',
    before: routed,
    after: routed.replace(
      'if (req.query.id === undefined) {\n    res.status(400)\n  } else {\n    res.send(req.query.id)\n  }',
      'res.send(req.query.id)'
    )
  },
  {
    what: 'a function that no export calls is different',
    before: unused,
    after: unused.replace(/ {2}if \(value > 10[^]*?\n {2}}\n/, "  return value >= 10 ? 'large' : 'small'\n")
  },
  {
    what: 'a function with an effect on loading is gone',
    before: registering,
    after: 'exports.area = (w, h) => w * h\n'
  },
  {
    what: 'an exported function takes its arguments in another order',
    before: shorthand,
    after: `function scale (value, by) {
  return value / by
}
function half (value) {
  return scale(value, 2)
}
module.exports = { scale, half }
`
  },
  {
    what: 'a helper that is exported under another name is different',
    before: listed,
    after: listed
      .replace(/function helper[^]*?\n}\n/, "function helper (value) {\n  return value || 'none'\n}\n")
      .replace(/ {2}const all[^]*?return all/, '  return values.map(helper)')
  },
  {
    what: 'a function in an exported table is different',
    before: table,
    after: table.replace(/ {2}if \(list.length > 0[^]*?\n {2}}\n/, '  return list[0] ?? null\n')
  },
  {
    what: 'a counter starts again',
    before: stateful,
    after: "exports.id = function (prefix) {\n  let calls = 0\n  calls++\n  return prefix + '-' + calls\n}\n"
  },
  {
    what: 'a method of a private class is different',
    before: made,
    after: made
      .replace(
        /class Stack[^]*?\n}\n/,
        `class List {
  constructor () {
    this.items = []
  }

  push (item) {
    return this.items.push(item)
  }

  pop () {
    return this.items.shift()
  }
}
`
      )
      .replace('new Stack()', 'new List()')
  },
  {
    what: 'a private function that a getter exports is different',
    before: late,
    after: late.replace(/ {2}let best[^]*?return best/, '  return Math.max(...list)')
  },
  {
    what: 'a private function takes its arguments in another order, and one caller does not',
    before: `function join (a, b) {
  if (a === '') {
    return b
  } else {
    return a + '/' + b
  }
}
exports.path = function (a, b) { return join(a, b) }
exports.back = function (a, b) { return join(b, a) }
`,
    after: `function join (b, a) {
  return a === '' ? b : a + '/' + b
}
exports.path = function (a, b) { return join(b, a) }
exports.back = function (a, b) { return join(b, a) }
`
  }
]

/** The module does the same, with other private functions. */
export const rightPrivateRewrites: readonly RewriteCase[] = [
  { what: 'a private function is inlined', before: trimming, after: trimmed('/[ \\t]+$/') },
  {
    what: 'a private function takes its arguments in another order',
    before: `function wrap (text, mark) {
  let result = mark
  result = result + text
  result = result + mark
  return result
}
exports.bold = function (text) { return wrap(text, '**') }
exports.code = function (text) { return wrap(text, '\`') }
`,
    after: `function wrap (mark, text) {
  return mark + text + mark
}
exports.bold = function (text) { return wrap('**', text) }
exports.code = function (text) { return wrap('\`', text) }
`
  },
  {
    what: 'constants and a function become a table',
    before: `var minute = 60
var hour = minute * 60
function plural (value, unit, name) {
  var count = Math.round(value / unit)
  return count + ' ' + name + (count === 1 ? '' : 's')
}
function format (seconds) {
  if (seconds >= hour) {
    return plural(seconds, hour, 'hour')
  }
  if (seconds >= minute) {
    return plural(seconds, minute, 'minute')
  }
  return plural(seconds, 1, 'second')
}
module.exports = format
`,
    after: `const UNITS = [[3600, 'hour'], [60, 'minute'], [1, 'second']]
function format (seconds) {
  const [unit, name] = UNITS.find(([size]) => seconds >= size) ?? UNITS[2]
  const count = Math.round(seconds / unit)
  return count + ' ' + name + (count === 1 ? '' : 's')
}
module.exports = format
`
  },
  {
    what: 'a script without exports loses a pattern that its only function used',
    before: `var digits = /[0-9]/
function hasDigit (text) {
  var match = digits.exec(text)
  if (match) {
    return true
  } else {
    return false
  }
}
`,
    after: `function hasDigit (text) {
  return /[0-9]/.test(text)
}
`
  }
]
