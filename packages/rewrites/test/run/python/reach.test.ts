import t from 'tap'
import { runCheck } from '../../../src/index.js'

// Generous: slow machines and busy ones must pass too.
t.setTimeout(240_000)

const same = async (before: string, after: string): Promise<boolean> => {
  const run = await runCheck({ before, after, language: 'python' })
  return (
    run !== null &&
    run.functions.length > 0 &&
    run.functions.every(({ isSame }) => isSame) &&
    run.unreached?.length === 0
  )
}

t.test('strings have spaces around them', async (t) => {
  const before =
    "def kept(lines):\n    found = []\n    for line in lines:\n        line = line.strip()\n        if line.startswith('#') or line == '':\n            continue\n        found.append(line)\n    return found\n"
  const after =
    "def kept(lines):\n    return [line.strip() for line in lines if line.strip() and not line.startswith('#')]\n"

  t.notOk(await same(before, after))
})

t.test('numbers are made of strings of digits in either version', async (t) => {
  const before =
    "ENDS = {'1': 'st', '2': 'nd', '3': 'rd'}\n\n\ndef place(number):\n    text = str(number)\n    if text[-2:-1] == '1':\n        return text + 'th'\n    return text + ENDS.get(text[-1], 'th')\n"
  const after =
    "ENDS = {'1': 'st', '2': 'nd', '3': 'rd'}\n\n\ndef place(number):\n    text = str(number)\n    return text + ('th' if text in ('11', '12', '13') else ENDS.get(text[-1], 'th'))\n"

  t.notOk(await same(before, after), '111 is different')
})

t.test('sorted numbers may have a NaN among them', async (t) => {
  const before =
    'def rises(values):\n    for i in range(len(values) - 1):\n        if not values[i] < values[i + 1]:\n            return False\n    return True\n'

  t.notOk(
    await same(before, 'def rises(values):\n    return not any(a >= b for a, b in zip(values, values[1:]))\n')
  )
  t.ok(await same(before, 'def rises(values):\n    return all(a < b for a, b in zip(values, values[1:]))\n'))
})

t.test('the same NaN may be in a list and another argument', async (t) => {
  const before =
    'def place(items, value):\n    i = 0\n    while i < len(items):\n        each = items[i]\n        if each is value or each == value:\n            return i\n        i += 1\n    return -1\n'

  t.notOk(await same(before, before.replace('each is value or each == value', 'each == value')))
  t.ok(await same(before, before.replace('each is value or each == value', 'value is each or value == each')))
})

t.test('functions that a function returns are called, some with the same arguments again', async (t) => {
  const before =
    "def remember(func):\n    known = {}\n\n    def call(*args):\n        key = ''\n        for arg in args:\n            key = key + repr(arg) + ','\n        if key in known:\n            return known[key]\n        else:\n            value = func(*args)\n            known[key] = value\n            return value\n    return call\n"
  const after = (show: string): string =>
    `def remember(func):\n    known = {}\n\n    def call(*args):\n        key = ','.join([${show}(arg) for arg in args])\n        if key not in known:\n            known[key] = func(*args)\n        return known[key]\n    return call\n`

  t.ok(await same(before, after('repr')))
  t.notOk(await same(before, after('str')), '1 and "1" are two arguments')
})

t.test('a branch that Python adds to any(), all() and tuple() needs no input', async (t) => {
  const before =
    'def low(values):\n    for each in values:\n        if each < 1:\n            return True\n    return False\n'

  t.ok(await same(before, 'def low(values):\n    return any(each < 1 for each in values)\n'))
})

t.test('modules inside a package are loaded before the code', async (t) => {
  const before =
    "from urllib.parse import unquote_plus\n\n\ndef values(query):\n    found = []\n    for pair in query.split('&'):\n        parts = pair.split('=', 1)\n        if len(parts) == 2:\n            found.append(unquote_plus(parts[1]))\n    return found\n"
  const after =
    "from urllib.parse import unquote_plus\n\n\ndef values(query):\n    parts = [pair.split('=', 1) for pair in query.split('&')]\n    return [unquote_plus(each[1]) for each in parts if len(each) == 2]\n"

  t.ok(await same(before, after))
})

t.test('inputs that reached a branch are changed until they reach what is behind it', async (t) => {
  const before =
    "def pages(text):\n    found = []\n    for part in text.strip().split(','):\n        if '-' in part:\n            ends = list(map(int, part.split('-')))\n            found += list(range(min(ends), max(ends) + 1))\n        elif not part:\n            continue\n        else:\n            found.append(int(part))\n    return sorted(found)\n"
  const after = (kind: string, add: string, extend: string): string =>
    `def pages(text):\n    found = ${kind}()\n    for part in text.strip().split(','):\n        if '-' in part:\n            ends = [int(each) for each in part.split('-')]\n            found.${extend}(range(min(ends), max(ends) + 1))\n        elif part:\n            found.${add}(int(part))\n    return sorted(found)\n`

  t.ok(await same(before, after('list', 'append', 'extend')))
  t.notOk(await same(before, after('set', 'add', 'update')), 'a page may occur twice')
})
