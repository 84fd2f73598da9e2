import type { Language } from '@filewright/contracts'

export interface RewriteCase {
  what: string
  language?: Language
  before: string
  after: string
}

const pay = `export async function checkout (cart, gateway, mailer) {
  if (cart.items.length === 0) {
    throw new Error('The cart is empty')
  }
  let total = 0
  for (const item of cart.items) {
    total = total + item.price * item.count
  }
  await gateway.charge(cart.userId, total)
  await mailer.send(cart.userId, 'Thank you')
  return total
}
`
const short = `  const total = cart.items.reduce((sum, item) => sum + item.price * item.count, 0)
`
const reduced = pay.replace(/ {2}let total[\s\S]*?\n {2}\}\n/, short)

const remove = `app.delete('/users/:id', async (req, res) => {
  if (req.user.role !== 'admin') {
    return res.status(403).json({ error: 'Forbidden' })
  }
  const user = await users.find(req.params.id)
  if (!user) {
    return res.status(404).json({ error: 'Not found' })
  }
  await users.remove(user.id)
  res.json({ ok: true })
})
`
const grade = `export function grade (score) {
  if (score >= 90) {
    return 'A'
  } else if (score >= 75) {
    return 'B'
  } else if (score >= 50) {
    return 'C'
  } else {
    return 'F'
  }
}
`
const flatGrade = `export function grade (score) {
  if (score >= 90) return 'A'
  if (score >= 75) return 'B'
  return score >= 50 ? 'C' : 'F'
}
`
const search = `export async function search (term, page) {
  let url = '/api/search?q=' + encodeURIComponent(term)
  if (page) {
    url = url + '&page=' + page
  }
  const response = await fetch(url, { timeout: 5000 })
  if (!response.ok) {
    throw new Error('Search failed: ' + response.status)
  } else {
    const body = await response.json()
    return body
  }
}
`
const flatSearch = `export async function search (term, page) {
  const url = '/api/search?q=' + encodeURIComponent(term) + (page ? '&page=' + page : '')
  const response = await fetch(url, { timeout: 5000 })
  if (!response.ok) throw new Error('Search failed: ' + response.status)
  return await response.json()
}
`
const parse = `export function parseAge (text) {
  const value = Number(text)
  if (Number.isNaN(value)) {
    throw new TypeError('Not a number: ' + text)
  } else {
    if (value < 0 || value > 150) {
      throw new RangeError('Out of range: ' + value)
    } else {
      return value
    }
  }
}
`
const flatParse = `export function parseAge (text) {
  const value = Number(text)
  if (Number.isNaN(value)) throw new TypeError('Not a number: ' + text)
  if (value < 0 || value > 150) throw new RangeError('Out of range: ' + value)
  return value
}
`
const window = `export function lastOf (list, count) {
  const result = []
  for (let i = list.length - count; i < list.length; i++) {
    if (i >= 0) {
      result.push(list[i])
    }
  }
  return result
}
`
const retry = `export async function retry (work, times) {
  let lastError = null
  for (let attempt = 1; attempt <= times; attempt++) {
    try {
      return await work(attempt)
    } catch (error) {
      lastError = error
      await sleep(attempt * 200)
    }
  }
  throw lastError
}
`
const merge = `export function mergeSettings (defaults, own) {
  const result = {}
  for (const key of Object.keys(defaults)) {
    result[key] = defaults[key]
  }
  for (const key of Object.keys(own)) {
    result[key] = own[key]
  }
  return result
}
`
const median = `export function median (numbers) {
  if (numbers.length === 0) {
    return null
  }
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  if (sorted.length % 2 === 0) {
    return (sorted[middle - 1] + sorted[middle]) / 2
  } else {
    return sorted[middle]
  }
}
`
const unique = `export function uniqueNames (users) {
  const names = []
  for (let i = 0; i < users.length; i++) {
    if (names.indexOf(users[i].name) === -1) {
      names.push(users[i].name)
    }
  }
  return names
}
`
const save = `async function saveAll (repository, records, log) {
  for (const record of records) {
    try {
      await repository.save(record)
    } catch (error) {
      log.error('Could not save', record.id, error.message)
      throw error
    }
  }
}
module.exports = { saveAll }
`
const typed = `interface Account { id: number, balance: number, locked: boolean }

export function withdraw (account: Account, amount: number): Account {
  if (account.locked) {
    throw new Error('The account is locked')
  }
  if (amount <= 0) {
    throw new Error('The amount must be positive')
  }
  if (account.balance >= amount) {
    return { ...account, balance: account.balance - amount }
  } else {
    throw new Error('Not enough money')
  }
}
`
const typedRight = `interface Account { id: number, balance: number, locked: boolean }

export function withdraw (account: Account, amount: number): Account {
  if (account.locked) throw new Error('The account is locked')
  if (amount <= 0) throw new Error('The amount must be positive')
  if (account.balance < amount) throw new Error('Not enough money')
  return { ...account, balance: account.balance - amount }
}
`
const queue = `export class Queue<T> {
  private items: T[] = []
  private limit: number

  constructor (limit: number) {
    this.limit = limit
  }

  add (item: T): boolean {
    if (this.items.length < this.limit) {
      this.items.push(item)
      return true
    } else {
      return false
    }
  }

  next (): T | undefined {
    return this.items.shift()
  }

  get size (): number {
    return this.items.length
  }
}
`
const discount = `def discount(price, customer):
    if customer is None:
        raise ValueError("customer is missing")
    else:
        if customer["vip"]:
            if price >= 100:
                return price * 0.8
            else:
                return price * 0.9
        else:
            return price
`
const flatDiscount = `def discount(price, customer):
    if customer is None:
        raise ValueError("customer is missing")
    if not customer["vip"]:
        return price
    return price * (0.8 if price >= 100 else 0.9)
`
const load = `async def load_all(client, ids):
    results = []
    for id in ids:
        response = await client.get("/items/" + str(id), timeout=30)
        if response.status_code == 404:
            continue
        results.append(response.json())
    return results
`
const read = `def read_config(path):
    try:
        with open(path) as file:
            return json.load(file)
    except FileNotFoundError:
        raise ConfigError("no such file: " + path)
    except ValueError as error:
        raise ConfigError("not JSON: " + str(error))
`
const sql =
  'SELECT id, name FROM users WHERE active = true AND deleted_at IS NULL AND age >= 18 ORDER BY name LIMIT 50;\n'
const goCode = `package shop

func Total(prices []int, limit int) int {
	total := 0
	for i := 0; i < len(prices); i++ {
		if prices[i] <= limit {
			total = total + prices[i]
		}
	}
	return total
}
`
const javaCode = `class Names {
  String join(List<String> names, int limit) {
    if (names == null) {
      throw new IllegalArgumentException("names");
    }
    String result = "";
    for (String name : names) {
      if (name.length() <= limit) {
        result += name + ", ";
      }
    }
    return result;
  }
}
`
const rustCode = `pub fn count_long(words: &[String], limit: usize) -> usize {
    let mut count = 0;
    for word in words.iter() {
        if word.len() > limit {
            count += 1;
        }
    }
    return count;
}
`

const change = (code: string, from: string | RegExp, to: string): string => {
  const changed = code.replace(from, to)
  if (changed === code) throw new Error(`nothing to change: ${String(from)}`)
  return changed
}

/** Rewrites that look better but behave differently. */
export const wrongRewrites: RewriteCase[] = [
  {
    what: 'a swapped operand',
    before:
      'export function remaining (limit, used) {\n  let rest\n  rest = limit - used\n  return rest\n}\n',
    after: 'export function remaining (limit, used) {\n  return used - limit\n}\n'
  },
  { what: 'a dropped await of the charge', before: pay, after: change(reduced, 'await gateway', 'gateway') },
  { what: 'a dropped await of the mail', before: pay, after: change(reduced, 'await mailer', 'mailer') },
  {
    what: 'charge and mail at once',
    before: pay,
    after: change(
      reduced,
      /await gateway[^\n]*\n[^\n]*\n/,
      "await Promise.all([mailer.send(cart.userId, 'Thank you'), gateway.charge(cart.userId, total)])\n"
    )
  },
  { what: 'a removed guard', before: pay, after: change(reduced, / {2}if \(cart[\s\S]*?\n {2}\}\n/, '') },
  { what: 'a removed factor', before: pay, after: change(reduced, ' * item.count', '') },
  { what: 'another start value', before: pay, after: change(reduced, 'count, 0)', 'count, 1)') },
  { what: 'another message', before: pay, after: change(reduced, 'The cart is empty', 'Empty cart') },
  {
    what: 'a removed authorization check',
    before: remove,
    after: change(remove, / {2}if \(req\.user[\s\S]*?\n {2}\}\n/, '')
  },
  {
    what: 'another role',
    before: remove,
    after: change(change(remove, "'admin'", "'user'"), /if \(!user\) \{\s+([^\n]*)\n {2}\}/, 'if (!user) $1')
  },
  {
    what: 'a turned authorization check',
    before: remove,
    after: change(
      change(remove, "!== 'admin'", "=== 'admin'"),
      /if \(!user\) \{\s+([^\n]*)\n {2}\}/,
      'if (!user) $1'
    )
  },
  {
    what: 'another status',
    before: remove,
    after: change(change(remove, '403', '401'), /if \(!user\) \{\s+([^\n]*)\n {2}\}/, 'if (!user) $1')
  },
  { what: '>= becomes >', before: grade, after: change(flatGrade, '>= 90', '> 90') },
  { what: 'another boundary', before: grade, after: change(flatGrade, '75', '70') },
  { what: 'two results changed places', before: grade, after: change(flatGrade, "'C' : 'F'", "'F' : 'C'") },
  {
    what: 'a lost encodeURIComponent',
    before: search,
    after: change(flatSearch, 'encodeURIComponent(term)', 'term')
  },
  { what: 'a timeout of 500', before: search, after: change(flatSearch, '5000', '500') },
  {
    what: 'throw becomes null',
    before: search,
    after: change(flatSearch, /throw new Error\([^\n]*\)/, 'return null')
  },
  {
    what: 'a removed check of the answer',
    before: search,
    after: change(flatSearch, / {2}if \(!response[^\n]*\n/, '')
  },
  {
    what: 'async becomes sync',
    before: search,
    after: change(change(flatSearch, 'async ', ''), /await /g, '')
  },
  {
    what: 'a missing parameter',
    before: search,
    after: change(change(flatSearch, ', page)', ')'), / \+ \(page[^\n]*/, '')
  },
  { what: 'another exception class', before: parse, after: change(flatParse, 'new RangeError', 'new Error') },
  {
    what: 'another exception class for both',
    before: parse,
    after: change(flatParse, 'new TypeError', 'new RangeError')
  },
  { what: 'a lost boundary', before: parse, after: change(flatParse, 'value < 0 || ', '') },
  { what: '> becomes >=', before: parse, after: change(flatParse, 'value > 150', 'value >= 150') },
  { what: 'or becomes and', before: parse, after: change(flatParse, '||', '&&') },
  {
    what: 'a check for falsy instead of NaN',
    before: parse,
    after: change(flatParse, 'Number.isNaN(value)', '!value')
  },
  {
    what: 'an off-by-one in a slice',
    before: window,
    after:
      'export function lastOf (list, count) {\n  return list.slice(Math.max(0, list.length - count - 1))\n}\n'
  },
  {
    what: 'slice with a negative zero',
    before: window,
    after: 'export function lastOf (list, count) {\n  return list.slice(-count)\n}\n'
  },
  { what: 'a lost delay', before: retry, after: change(retry, /\n\s+await sleep[^\n]*/, '') },
  {
    what: 'a delay that grows otherwise',
    before: retry,
    after: change(change(retry, 'attempt * 200', '200'), /let lastError = null/, 'let lastError')
  },
  {
    what: 'one attempt fewer',
    before: retry,
    after: change(
      change(retry, 'attempt <= times', 'attempt < times'),
      'let lastError = null',
      'let lastError'
    )
  },
  { what: 'a swallowed last error', before: retry, after: change(retry, '  throw lastError\n', '') },
  {
    what: 'the order of merging',
    before: merge,
    after: 'export function mergeSettings (defaults, own) {\n  return { ...own, ...defaults }\n}\n'
  },
  {
    what: 'a changed argument',
    before: merge,
    after: 'export function mergeSettings (defaults, own) {\n  return Object.assign(defaults, own)\n}\n'
  },
  { what: 'sorting in place', before: median, after: change(median, '[...numbers].sort', 'numbers.sort') },
  { what: 'sorting as text', before: median, after: change(median, '.sort((a, b) => a - b)', '.sort()') },
  {
    what: 'null becomes 0',
    before: median,
    after: change(
      change(median, 'return null', 'return 0'),
      /else \{\s+return sorted\[middle\]\s+\}/,
      'else return sorted[middle]'
    )
  },
  {
    what: 'an off-by-one in the middle',
    before: median,
    after: change(
      median,
      /if \(sorted\.length % 2[\s\S]*\n {2}\}\n/,
      'return sorted.length % 2 === 0 ? (sorted[middle] + sorted[middle + 1]) / 2 : sorted[middle]\n'
    )
  },
  {
    what: 'names in another order',
    before: unique,
    after:
      'export function uniqueNames (users) {\n  return [...new Set(users.map((user) => user.name))].sort()\n}\n'
  },
  {
    what: 'users instead of names',
    before: unique,
    after: 'export function uniqueNames (users) {\n  return [...new Set(users)]\n}\n'
  },
  {
    what: 'an undefined helper',
    before: unique,
    after: 'export function uniqueNames (users) {\n  return uniq(users.map((user) => user.name))\n}\n'
  },
  {
    what: 'a new import',
    before: unique,
    after:
      "import uniq from 'lodash.uniq'\n\nexport function uniqueNames (users) {\n  return uniq(users.map((user) => user.name))\n}\n"
  },
  { what: 'a swallowed error', before: save, after: change(save, '      throw error\n', '') },
  {
    what: 'no handling of errors',
    before: save,
    after: change(save, /try \{\s+(await[^\n]*)[\s\S]*?throw error\s+\}/, '$1')
  },
  {
    what: 'a forgotten wait in forEach',
    before: save,
    after: change(
      save,
      / {2}for \(const[\s\S]*\n {2}\}\n\}/,
      "  records.forEach(async (record) => {\n    try {\n      await repository.save(record)\n    } catch (error) {\n      log.error('Could not save', record.id, error.message)\n      throw error\n    }\n  })\n}"
    )
  },
  {
    what: 'a removed check in TypeScript',
    language: 'typescript',
    before: typed,
    after: change(typedRight, / {2}if \(account\.locked[^\n]*\n/, '')
  },
  {
    what: '<= becomes < in TypeScript',
    language: 'typescript',
    before: typed,
    after: change(typedRight, 'amount <= 0', 'amount < 0')
  },
  {
    what: '< becomes <= in TypeScript',
    language: 'typescript',
    before: typed,
    after: change(typedRight, 'balance < amount', 'balance <= amount')
  },
  {
    what: 'money added instead of taken',
    language: 'typescript',
    before: typed,
    after: change(typedRight, 'balance - amount', 'balance + amount')
  },
  {
    what: 'the account changed in place',
    language: 'typescript',
    before: typed,
    after: change(
      typedRight,
      'return { ...account, balance: account.balance - amount }',
      'account.balance -= amount\n  return account'
    )
  },
  {
    what: 'a method that takes from the other end',
    language: 'typescript',
    before: queue,
    after: change(queue, 'shift()', 'pop()')
  },
  {
    what: 'a limit that is reached too late',
    language: 'typescript',
    before: queue,
    after: change(
      queue,
      /if \(this\.items\.length < [\s\S]*?return false\s+\}/,
      'if (this.items.length > this.limit) return false\n    this.items.push(item)\n    return true'
    )
  },
  {
    what: 'another exception in Python',
    language: 'python',
    before: discount,
    after: change(flatDiscount, 'ValueError', 'KeyError')
  },
  {
    what: '>= becomes > in Python',
    language: 'python',
    before: discount,
    after: change(flatDiscount, '>= 100', '> 100')
  },
  {
    what: 'None instead of an exception in Python',
    language: 'python',
    before: discount,
    after: change(flatDiscount, 'raise ValueError("customer is missing")', 'return None')
  },
  {
    what: 'a dropped await in Python',
    language: 'python',
    before: load,
    after: change(load, 'await client', 'client')
  },
  {
    what: 'a shorter timeout in Python',
    language: 'python',
    before: load,
    after: change(
      change(load, 'timeout=30', 'timeout=3'),
      / {8}if response[\s\S]*?json\(\)\)\n/,
      '        if response.status_code != 404:\n            results.append(response.json())\n'
    )
  },
  {
    what: 'a bare except in Python',
    language: 'python',
    before: read,
    after: change(read, /except FileNotFoundError[\s\S]*/, 'except Exception:\n        return {}\n')
  },
  {
    what: 'a dropped predicate',
    language: 'sql',
    before: sql,
    after: change(sql, ' AND deleted_at IS NULL', '')
  },
  {
    what: 'a reversed predicate',
    language: 'sql',
    before: sql,
    after: change(sql, 'deleted_at IS NULL', 'deleted_at IS NOT NULL')
  },
  {
    what: 'DELETE of everything',
    language: 'sql',
    before: 'DELETE FROM sessions WHERE user_id = 7 AND expires_at < now();\n',
    after: 'DELETE FROM sessions WHERE true;\n'
  },
  { what: 'another limit', language: 'sql', before: sql, after: change(sql, 'LIMIT 50', 'LIMIT 5') },
  {
    what: '<= becomes < in Go',
    language: 'go',
    before: goCode,
    after: change(
      goCode,
      /for i := 0[\s\S]*?\n\t\}\n/,
      'for _, price := range prices {\n\t\tif price < limit {\n\t\t\ttotal += price\n\t\t}\n\t}\n'
    )
  },
  {
    what: 'a removed check in Java',
    language: 'java',
    before: javaCode,
    after: change(
      change(javaCode, / {4}if \(names == null\)[\s\S]*?\n {4}\}\n/, ''),
      'String result = "";',
      'StringBuilder result = new StringBuilder();'
    )
  },
  {
    what: '> becomes >= in Rust',
    language: 'rust',
    before: rustCode,
    after: change(
      rustCode,
      /let mut count[\s\S]*return count;/,
      'words.iter().filter(|word| word.len() >= limit).count()'
    )
  },
  ...[
    { what: 'beside top-level await', first: 'export const config = await load()\n' },
    { what: 'beside a patched language', first: 'Object.keys = () => []\n' },
    {
      what: 'beside code that cannot be loaded',
      first: 'export const cfg = process.env.HOME.length.foo.bar\n'
    }
  ].map(({ what, first }) => ({
    what: `another property ${what}`,
    before: `${first}export function total (items) {\n  let sum = 0\n  for (let i = 0; i < items.length; i++) { sum += items[i].price }\n  return sum\n}\n`,
    after: `${first}export function total (items) {\n  let sum = 0\n  for (const item of items) sum += item.cost\n  return sum\n}\n`
  })),
  {
    what: 'a look at the clock',
    before:
      'export function total (items) {\n  let sum = 0\n  for (let i = 0; i < items.length; i++) { sum += items[i].price }\n  return sum\n}\n',
    after:
      'export function total (items) {\n  let sum = 0\n  for (const item of items) sum += Date.now() > 1.75e12 ? 0 : item.price\n  return sum\n}\n'
  },
  {
    what: 'another property in Python',
    language: 'python',
    before:
      'def total(items):\n    result = 0\n    for i in range(len(items)):\n        result = result + items[i].price\n    return result\n',
    after: 'def total(items):\n    return sum(item.cost for item in items)\n'
  },
  {
    what: 'a check that always passes in Python',
    language: 'python',
    before:
      'def remove(user, post):\n    allowed = []\n    for owner in post.owners:\n        allowed.append(owner.id)\n    if user.id not in allowed:\n        raise PermissionError("no")\n    post.delete()\n',
    after:
      'def remove(user, post):\n    allowed = [user.id]\n    if user.id not in allowed:\n        raise PermissionError("no")\n    post.delete()\n'
  },
  {
    what: 'recursion where a loop stood, in JavaScript',
    before:
      'export function length (node) {\n  let count = 0\n  while (node !== null) {\n    count = count + 1\n    node = node.next\n  }\n  return count\n}\n',
    after: 'export function length (node) {\n  return node === null ? 0 : 1 + length(node.next)\n}\n'
  },
  {
    what: 'recursion in a spread',
    before:
      'export function toArray (node) {\n  const values = []\n  while (node !== null) {\n    values.push(node.value)\n    node = node.next\n  }\n  return values\n}\n',
    after:
      'export function toArray (node) {\n  return node === null ? [] : [node.value, ...toArray(node.next)]\n}\n'
  },
  {
    what: 'recursion where a loop stood, in Python',
    language: 'python',
    before:
      'def total(numbers):\n    result = 0\n    while len(numbers) > 0:\n        result = result + numbers[0]\n        numbers = numbers[1:]\n    return result\n',
    after: 'def total(numbers):\n    return numbers[0] + total(numbers[1:]) if numbers else 0\n'
  }
]
