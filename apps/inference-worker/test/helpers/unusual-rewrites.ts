import type { RewriteCase } from './wrong-rewrites.js'

const python = 'python' as const

const largest = `export function largest (values, valueOf) {
  let max
  let index = -1
  for (const value of values) {
    const own = valueOf(value, ++index)
    if (own != null) {
      if (max === undefined) {
        if (own >= own) {
          max = own
        }
      } else {
        if (own > max) {
          max = own
        }
      }
    }
  }
  return max
}
`
const largestBy = (isKept: string): string => `export function largest (values, valueOf) {
  let max
  for (const [index, value] of values.entries()) {
    const own = valueOf(value, index)
    if (${isKept}) max = own
  }
  return max
}
`

const print = `export function print (data) {
  var seen = []
  return (function show (node) {
    if (node === null || typeof node !== 'object') {
      return String(node)
    }
    if (seen.indexOf(node) !== -1) {
      return '<cycle>'
    }
    seen.push(node)
    var parts = []
    var keys = Object.keys(node)
    for (var i = 0; i < keys.length; i++) {
      parts.push(keys[i] + '=' + show(node[keys[i]]))
    }
    seen.pop()
    return '{' + parts.join(',') + '}'
  })(data)
}
`
const printed = (after: string, cycle = "'<cycle>'"): string => `export function print (data) {
  const seen = new Set()
  const show = (node) => {
    if (node === null || typeof node !== 'object') return String(node)
    if (seen.has(node)) return ${cycle}
    seen.add(node)
    const parts = Object.keys(node).map((key) => key + '=' + show(node[key]))
    ${after}
    return '{' + parts.join(',') + '}'
  }
  return show(data)
}
`

const clock = `def clock(hours, minutes, style='short'):
    styles = {
        'short': '{:d}h',
        'long': '{:02d} h {:02d} min',
        'digital': '{:02d}:{:02d}',
        'decimal': '{:d}.{:02d}',
    }
    try:
        form = styles[style]
    except KeyError:
        raise ValueError('Unknown style')
    else:
        return form.format(hours, minutes)
`
const clocked = (digital: string): string => `_STYLES = {
    'short': '{0:d}h',
    'long': '{0:02d} h {1:02d} min',
    'digital': '${digital}',
    'decimal': '{0:d}.{1:02d}',
}


def clock(hours, minutes, style='short'):
    try:
        form = _STYLES[style]
    except KeyError:
        raise ValueError('Unknown style') from None
    return form.format(hours, minutes)
`

const joined = `def header(groups):
    found = []
    for pairs in groups:
        parts = []
        for key, value in pairs:
            if value is not None:
                value = value.strip()
                key = key + '=' + value
            parts.append(key)
        if parts:
            found.append('; '.join(parts))
    return ', '.join(found)
`
const joinedBy = (isPlain: string): string => `def _part(key, value):
    if ${isPlain}:
        return key
    return key + '=' + value.strip()


def header(groups):
    found = ['; '.join([_part(key, value) for key, value in pairs]) for pairs in groups if pairs]
    return ', '.join(found)
`

const nearest = `from fractions import Fraction


def nearest(self, step):
    n, d = self._numerator, self._denominator
    if d <= step:
        return Fraction(self)
    low = n * step // d
    below = Fraction(low, step)
    above = Fraction(low + 1, step)
    if abs(below - self) <= abs(above - self):
        return below
    else:
        return above
`

const extension = `def _split(path, sep, dot):
    at = path.rfind(sep)
    place = path.rfind(dot)
    if place > at:
        start = at + 1
        while start < place:
            if path[start:start + 1] != dot:
                return path[:place], path[place:]
            start += 1
    return path, path[:0]
`
const extensionBy = (stem: string): string => `def _split(path, sep, dot):
    name = path[path.rfind(sep) + 1:]
    stem = ${stem}
    place = stem.rfind(dot)
    if place < 0:
        return path, path[:0]
    cut = len(path) - len(stem) + place
    return path[:cut], path[cut:]
`

const shared = `def shared(paths):
    if not paths:
        return ''
    low = min(paths)
    high = max(paths)
    for i, each in enumerate(low):
        if each != high[i]:
            return low[:i]
    return low
`

const unescape = `import re

_octal = re.compile(r'\\\\[0-3][0-7][0-7]')


def unescape(text):
    found = []
    at = 0
    while True:
        match = _octal.search(text, at)
        if not match:
            found.append(text[at:])
            break
        found.append(text[at:match.start(0)])
        found.append(chr(int(text[match.start(0) + 1:match.end(0)], 8)))
        at = match.end(0)
    return ''.join(found)
`
const unescaped = (pattern: string): string => `import re

_octal = re.compile(r'${pattern}')


def unescape(text):
    return _octal.sub(lambda match: chr(int(match[1], 8)), text)
`

const paths = `def together(first, second):
    result = first
    if not result.endswith('/'):
        result = result + '/'
    result = result + second
    return result
`

const handled = (handlers: string): string => `def number(text):
    try:
        value = int(text)
        result = value * 2
        return result
${handlers}
`

/** They differ on inputs that few programs see: NaN from a callback, cycles, rare keys, None in a pair. */
export const wrongUnusualRewrites: readonly RewriteCase[] = [
  {
    what: 'a callback returns NaN first',
    before: largest,
    after: largestBy('own != null && (max === undefined || own > max)')
  },
  {
    what: 'a callback returns null',
    before: largest,
    after: largestBy('max === undefined ? own >= own : own > max')
  },
  { what: 'an object is in two places and in no cycle', before: print, after: printed('') },
  {
    what: 'only what is marked at the end is in a cycle',
    before: print,
    after: printed('seen.delete(node)', "'<cycle >'")
  },
  { what: 'a key that few callers pass', language: python, before: clock, after: clocked('{0:d}:{1:02d}') },
  {
    what: 'a key that few callers pass, with its values in another order',
    language: python,
    before: clock,
    after: clocked('{1:02d}:{0:02d}')
  },
  { what: 'an empty value counts as none', language: python, before: joined, after: joinedBy('not value') },
  {
    what: 'a tie between two fractions',
    language: python,
    before: nearest,
    after: nearest.replace(
      / {4}if abs[^]*/,
      '    return min(above, below, key=lambda each: abs(each - self))\n'
    )
  },
  {
    what: 'one dot more at the beginning of a name',
    language: python,
    before: extension,
    after: extensionBy('name.removeprefix(dot)')
  },
  {
    what: 'strings that begin alike, compared by the first and the last',
    language: python,
    before: shared,
    after: `def shared(paths):
    if not paths:
        return ''
    low, high = paths[0], paths[-1]
    for i, each in enumerate(low):
        if i >= len(high) or each != high[i]:
            return low[:i]
    return low
`
  },
  {
    what: 'an octal number beyond the pattern',
    language: python,
    before: unescape,
    after: unescaped('\\\\([0-7][0-7][0-7])')
  },
  {
    what: 'paths are put together as this system does it',
    language: python,
    before: paths,
    after: `import os


def together(first, second):
    return os.path.join(first, second)
`
  },
  {
    what: 'a module that asks the system',
    language: python,
    before: paths,
    after: `import os


def together(first, second):
    return os.path.realpath(first) and first + ('' if first.endswith('/') else '/') + second
`
  },
  {
    what: 'an error that passes a handler reaches the next one',
    language: python,
    before: handled('    except ValueError:\n        raise\n    except Exception:\n        return None'),
    after:
      'def number(text):\n    try:\n        return int(text) * 2\n    except Exception:\n        return None\n'
  },
  {
    what: 'a new function has a branch that no input reaches',
    before: `export function initials (name) {
  let result = ''
  for (const word of name.split(' ')) {
    if (word !== '') {
      result = result + word[0]
    }
  }
  return result
}
`,
    after: `function first (word) {
  if (word.length * 31 === 217_000) return ''
  return word[0]
}
export function initials (name) {
  return name.split(' ').filter(Boolean).map(first).join('')
}
`
  },
  {
    what: 'a new function of Python has a branch that no input reaches',
    language: python,
    before: `def initials(name: str):
    result = ''
    for word in name.split(' '):
        if word != '':
            result = result + word[0]
    return result
`,
    after: `def _first(word):
    if len(word) * 31 == 217_000:
        return ''
    return word[0]


def initials(name: str):
    return ''.join([_first(word) for word in name.split(' ') if word])
`
  },
  {
    what: 'the limits of a private function that is gone',
    language: python,
    before: `def _clip(text):
    if len(text) > 9000:
        return text[:9000]
    else:
        return text


def label(text):
    clipped = _clip(text)
    if clipped == '':
        return '-'
    else:
        return clipped
`,
    after: "def label(text):\n    return '-' if text == '' else text\n"
  }
]

export const rightUnusualRewrites: readonly RewriteCase[] = [
  {
    what: 'a callback that returns NaN or nothing',
    before: largest,
    after: largestBy('own != null && (max === undefined ? own >= own : own > max)')
  },
  { what: 'cycles', before: print, after: printed('seen.delete(node)') },
  { what: 'keys of a dictionary', language: python, before: clock, after: clocked('{0:02d}:{1:02d}') },
  { what: 'None in a pair', language: python, before: joined, after: joinedBy('value is None') },
  {
    what: 'fractions',
    language: python,
    before: nearest,
    after: nearest.replace(
      / {4}if abs[^]*/,
      '    return min(below, above, key=lambda each: abs(each - self))\n'
    )
  },
  {
    what: 'separators',
    language: python,
    before: extension,
    after: extensionBy('name.lstrip(dot)')
  },
  {
    what: 'strings that match a pattern',
    language: python,
    before: unescape,
    after: unescaped('\\\\([0-3][0-7][0-7])')
  },
  {
    what: 'the common beginning of strings',
    language: python,
    before: shared,
    after: 'import os\n\n\ndef shared(paths):\n    return os.path.commonprefix(paths)\n'
  },
  {
    what: 'a handler that only passes its error on',
    language: python,
    before: handled('    except ValueError:\n        raise'),
    after: 'def number(text):\n    return int(text) * 2\n'
  },
  {
    what: 'a private function that is gone',
    language: python,
    before: `def _half(value):
    if value % 2 == 0:
        return value // 2
    else:
        return value


def halves(values: list[int]):
    found = []
    for value in values:
        found.append(_half(value))
    return found
`,
    after: `def halves(values: list[int]):
    return [value // 2 if value % 2 == 0 else value for value in values]
`
  }
]
