import type { RewriteCase } from './wrong-rewrites.js'

/** Rewrites that do the same with less work. */
export const rightRewrites: RewriteCase[] = [
  {
    what: 'a search becomes includes',
    before:
      'export function contains (list, wanted) {\n  for (const entry of list) {\n    if (entry === wanted) {\n      return true\n    }\n  }\n  return false\n}\n',
    after: 'export function contains (list, wanted) {\n  return list.indexOf(wanted) !== -1\n}\n'
  },
  {
    what: 'waiting in a row becomes Promise.all',
    before:
      'export async function load (ids, fetchOne) {\n  const all = []\n  for (const id of ids) {\n    all.push(await fetchOne(id))\n  }\n  return all\n}\n',
    after:
      'export async function load (ids, fetchOne) {\n  return await Promise.all(ids.map((id) => fetchOne(id)))\n}\n'
  },
  {
    what: 'two independent waits become one',
    before:
      'export async function profile (db, id) {\n  const user = await db.user(id)\n  const posts = await db.posts(id)\n  return { user, posts }\n}\n',
    after:
      'export async function profile (db, id) {\n  const [user, posts] = await Promise.all([db.user(id), db.posts(id)])\n  return { user, posts }\n}\n'
  },
  {
    what: 'a loop becomes reduce',
    before:
      'export function total (items) {\n  let sum = 0\n  for (let i = 0; i < items.length; i++) {\n    sum = sum + items[i].price * items[i].count\n  }\n  return sum\n}\n',
    after:
      'export function total (items) {\n  return items.reduce((sum, item) => sum + item.price * item.count, 0)\n}\n'
  },
  {
    what: 'a lookup in a loop becomes a set',
    before:
      'export function common (a, b) {\n  const result = []\n  for (const x of a) {\n    if (b.includes(x)) {\n      result.push(x)\n    }\n  }\n  return result\n}\n',
    after:
      'export function common (a, b) {\n  const known = new Set(b)\n  return a.filter((x) => known.has(x))\n}\n'
  },
  {
    what: 'a list of unique names becomes a set',
    before:
      'export function uniqueNames (users) {\n  const names = []\n  for (let i = 0; i < users.length; i++) {\n    if (names.indexOf(users[i].name) === -1) {\n      names.push(users[i].name)\n    }\n  }\n  return names\n}\n',
    after: 'export function uniqueNames (users) {\n  return [...new Set(users.map((user) => user.name))]\n}\n'
  },
  {
    what: 'nested conditions become early returns',
    before:
      "export function label (user) {\n  if (user) {\n    if (user.active) {\n      if (user.name) {\n        return user.name\n      } else {\n        return 'Anonymous'\n      }\n    } else {\n      return 'Inactive'\n    }\n  } else {\n    return 'Nobody'\n  }\n}\n",
    after:
      "export function label (user) {\n  if (!user) return 'Nobody'\n  if (!user.active) return 'Inactive'\n  return user.name || 'Anonymous'\n}\n"
  },
  {
    what: 'else after return',
    before:
      "export function grade (score) {\n  if (score >= 90) {\n    return 'A'\n  } else if (score >= 75) {\n    return 'B'\n  } else if (score >= 50) {\n    return 'C'\n  } else {\n    return 'F'\n  }\n}\n",
    after:
      "export function grade (score) {\n  if (score >= 90) return 'A'\n  if (score >= 75) return 'B'\n  return score >= 50 ? 'C' : 'F'\n}\n"
  },
  {
    what: 'a comparison instead of true and false',
    before:
      'export function isAdult (age) {\n  if (age >= 18) {\n    return true\n  } else {\n    return false\n  }\n}\n',
    after: 'export function isAdult (age) {\n  return age >= 18\n}\n'
  },
  {
    what: 'optional chaining',
    before:
      "export function cityOf (user) {\n  if (user && user.address && user.address.city) {\n    return user.address.city\n  }\n  return 'unknown'\n}\n",
    after: "export function cityOf (user) {\n  return user?.address?.city || 'unknown'\n}\n"
  },
  {
    what: 'a table instead of a switch',
    before:
      "export function color (status) {\n  switch (status) {\n    case 'ok': return 'green'\n    case 'late': return 'yellow'\n    case 'failed': return 'red'\n    default: return 'grey'\n  }\n}\n",
    after:
      "const colors = new Map([['ok', 'green'], ['late', 'yellow'], ['failed', 'red']])\n\nexport function color (status) {\n  return colors.get(status) ?? 'grey'\n}\n"
  },
  {
    what: 'grouping without copies',
    before:
      'export function group (names) {\n  const groups = {}\n  for (const name of names) {\n    const key = name.slice(0, 1)\n    groups[key] = [...(groups[key] || []), name]\n  }\n  return groups\n}\n',
    after:
      'export function group (names) {\n  const groups = {}\n  for (const name of names) {\n    const key = name.slice(0, 1)\n    if (!groups[key]) groups[key] = []\n    groups[key].push(name)\n  }\n  return groups\n}\n'
  },
  {
    what: 'a text that is joined',
    before:
      "export function toCsv (rows) {\n  let text = ''\n  for (let i = 0; i < rows.length; i++) {\n    text += rows[i].id + ',' + rows[i].name + '\\n'\n  }\n  return text\n}\n",
    after:
      "export function toCsv (rows) {\n  return rows.map((row) => `${row.id},${row.name}\\n`).join('')\n}\n"
  },
  {
    what: 'every instead of a flag',
    before:
      "export function allPaid (orders) {\n  let paid = true\n  orders.forEach((order) => {\n    if (order.status !== 'paid') {\n      paid = false\n    }\n  })\n  return paid\n}\n",
    after:
      "export function allPaid (orders) {\n  return orders.every((order) => order.status === 'paid')\n}\n"
  },
  {
    what: 'find instead of filter',
    before:
      'export function byId (users, id) {\n  const found = users.filter((user) => user.id === id)\n  if (found.length > 0) {\n    return found[0]\n  }\n  return undefined\n}\n',
    after: 'export function byId (users, id) {\n  return users.find((user) => user.id === id)\n}\n'
  },
  {
    what: 'a promise chain becomes async calls',
    before:
      'export async function first (api) {\n  return api.list().then((list) => {\n    if (list.length === 0) {\n      return null\n    }\n    return api.get(list[0])\n  })\n}\n',
    after:
      'export async function first (api) {\n  const list = await api.list()\n  return list.length === 0 ? null : await api.get(list[0])\n}\n'
  },
  {
    what: 'a guard first',
    before:
      "export async function notify (user, mailer) {\n  if (user.email) {\n    if (user.subscribed) {\n      await mailer.send(user.email, 'News')\n      return true\n    }\n  }\n  return false\n}\n",
    after:
      "export async function notify (user, mailer) {\n  if (!user.email || !user.subscribed) return false\n  await mailer.send(user.email, 'News')\n  return true\n}\n"
  },
  {
    what: 'a handler with early returns',
    before:
      "app.get('/items/:id', async (req, res) => {\n  const item = await items.find(req.params.id)\n  if (item) {\n    if (item.owner === req.user.id) {\n      res.json(item)\n    } else {\n      res.status(403).json({ error: 'Forbidden' })\n    }\n  } else {\n    res.status(404).json({ error: 'Not found' })\n  }\n})\n",
    after:
      "app.get('/items/:id', async (req, res) => {\n  const item = await items.find(req.params.id)\n  if (!item) {\n    res.status(404).json({ error: 'Not found' })\n    return\n  }\n  if (item.owner !== req.user.id) {\n    res.status(403).json({ error: 'Forbidden' })\n    return\n  }\n  res.json(item)\n})\n"
  },
  {
    what: 'repeated code in a helper',
    before:
      'export function price (order) {\n  let sum = 0\n  for (const item of order.items) {\n    sum += item.price * item.count\n  }\n  for (const item of order.extras) {\n    sum += item.price * item.count\n  }\n  if (sum > 100) {\n    sum = sum * 0.9\n  }\n  return sum\n}\n',
    after:
      'const sumOf = (items) => items.reduce((sum, item) => sum + item.price * item.count, 0)\n\nexport function price (order) {\n  const sum = sumOf([...order.items, ...order.extras])\n  return sum > 100 ? sum * 0.9 : sum\n}\n'
  },
  {
    what: 'a count in a map',
    before:
      'export function mostFrequent (words) {\n  let best = null\n  let bestCount = 0\n  for (const word of words) {\n    const count = words.filter((other) => other === word).length\n    if (count > bestCount) {\n      best = word\n      bestCount = count\n    }\n  }\n  return best\n}\n',
    after:
      'export function mostFrequent (words) {\n  const counts = new Map()\n  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)\n  let best = null\n  let bestCount = 0\n  for (const [word, count] of counts) {\n    if (count > bestCount) {\n      best = word\n      bestCount = count\n    }\n  }\n  return best\n}\n'
  },
  {
    what: 'the errors of a parser, flat',
    before:
      "export function parseAge (text) {\n  const value = Number(text)\n  if (Number.isNaN(value)) {\n    throw new TypeError('Not a number: ' + text)\n  } else {\n    if (value < 0 || value > 150) {\n      throw new RangeError('Out of range: ' + value)\n    } else {\n      return value\n    }\n  }\n}\n",
    after:
      "export function parseAge (text) {\n  const value = Number(text)\n  if (Number.isNaN(value)) throw new TypeError('Not a number: ' + text)\n  if (value < 0 || value > 150) throw new RangeError('Out of range: ' + value)\n  return value\n}\n"
  },
  {
    what: 'one pass instead of three',
    before:
      "export function activeEmails (users) {\n  const active = users.filter((user) => user.active)\n  const withEmail = active.filter((user) => user.email !== '')\n  const emails = withEmail.map((user) => user.email.toLowerCase())\n  return emails\n}\n",
    after:
      "export function activeEmails (users) {\n  return users.filter((user) => user.active && user.email !== '').map((user) => user.email.toLowerCase())\n}\n"
  },
  {
    what: 'CommonJS exports stay',
    before:
      'function isEmpty (value) {\n  if (value === null || value === undefined) {\n    return true\n  }\n  if (value.length === 0) {\n    return true\n  }\n  return false\n}\n\nmodule.exports = { isEmpty }\n',
    after:
      'function isEmpty (value) {\n  return value === null || value === undefined || value.length === 0\n}\n\nmodule.exports = { isEmpty }\n'
  },
  {
    what: 'a class with a simpler method',
    before:
      'export class Stack {\n  constructor () {\n    this.items = []\n  }\n\n  push (item) {\n    this.items = [...this.items, item]\n    return this.items.length\n  }\n\n  peek () {\n    if (this.items.length === 0) {\n      return undefined\n    } else {\n      return this.items[this.items.length - 1]\n    }\n  }\n}\n',
    after:
      'export class Stack {\n  constructor () {\n    this.items = []\n  }\n\n  push (item) {\n    return this.items.push(item)\n  }\n\n  peek () {\n    return this.items.at(-1)\n  }\n}\n'
  },
  {
    what: 'a typed sum',
    language: 'typescript',
    before:
      'interface Line { price: number, count: number }\n\nexport function total (lines: Line[]): number {\n  let sum = 0\n  for (let i = 0; i < lines.length; i++) {\n    sum += lines[i]!.price * lines[i]!.count\n  }\n  return sum\n}\n',
    after:
      'interface Line { price: number, count: number }\n\nexport function total (lines: Line[]): number {\n  return lines.reduce((sum, { price, count }) => sum + price * count, 0)\n}\n'
  },
  {
    what: 'typed guards',
    language: 'typescript',
    before:
      "interface Account { id: number, balance: number, locked: boolean }\n\nexport function withdraw (account: Account, amount: number): Account {\n  if (account.locked) {\n    throw new Error('The account is locked')\n  }\n  if (amount <= 0) {\n    throw new Error('The amount must be positive')\n  }\n  if (account.balance >= amount) {\n    return { ...account, balance: account.balance - amount }\n  } else {\n    throw new Error('Not enough money')\n  }\n}\n",
    after:
      "interface Account { id: number, balance: number, locked: boolean }\n\nexport function withdraw (account: Account, amount: number): Account {\n  if (account.locked) throw new Error('The account is locked')\n  if (amount <= 0) throw new Error('The amount must be positive')\n  if (!(account.balance >= amount)) throw new Error('Not enough money')\n  return { ...account, balance: account.balance - amount }\n}\n"
  },
  {
    what: 'a typed index',
    language: 'typescript',
    before:
      'export interface User { id: string, name: string }\n\nexport function namesOf (users: User[], ids: string[]): string[] {\n  const names: string[] = []\n  for (const id of ids) {\n    const user = users.find((each) => each.id === id)\n    if (user !== undefined) {\n      names.push(user.name)\n    }\n  }\n  return names\n}\n',
    after:
      'export interface User { id: string, name: string }\n\nexport function namesOf (users: User[], ids: string[]): string[] {\n  const byId = new Map<string, User>()\n  for (const user of users) if (!byId.has(user.id)) byId.set(user.id, user)\n  return ids.flatMap((id) => byId.get(id)?.name ?? [])\n}\n'
  },
  {
    what: 'a typed queue',
    language: 'typescript',
    before:
      'export class Queue<T> {\n  private items: T[] = []\n\n  constructor (private readonly limit: number) {}\n\n  add (item: T): boolean {\n    if (this.items.length >= this.limit) {\n      return false\n    } else {\n      this.items.push(item)\n      return true\n    }\n  }\n\n  next (): T | undefined {\n    return this.items.shift()\n  }\n}\n',
    after:
      'export class Queue<T> {\n  private items: T[] = []\n\n  constructor (private readonly limit: number) {}\n\n  add (item: T): boolean {\n    if (this.items.length >= this.limit) return false\n    this.items.push(item)\n    return true\n  }\n\n  next (): T | undefined {\n    return this.items.shift()\n  }\n}\n'
  },
  {
    what: 'typed waits at once',
    language: 'typescript',
    before:
      'export async function sizes (paths: string[], stat: (path: string) => Promise<{ size: number }>): Promise<number[]> {\n  const result: number[] = []\n  for (const path of paths) {\n    const { size } = await stat(path)\n    result.push(size)\n  }\n  return result\n}\n',
    after:
      'export async function sizes (paths: string[], stat: (path: string) => Promise<{ size: number }>): Promise<number[]> {\n  return await Promise.all(paths.map(async (path) => (await stat(path)).size))\n}\n'
  },
  {
    what: 'a comprehension',
    language: 'python',
    before:
      'def squares(numbers):\n    result = []\n    for number in numbers:\n        result.append(number * number)\n    return result\n',
    after: 'def squares(numbers):\n    return [number * number for number in numbers]\n'
  },
  {
    what: 'a comprehension with a condition',
    language: 'python',
    before:
      'def active_names(users):\n    names = []\n    for user in users:\n        if user["active"]:\n            names.append(user["name"].strip())\n    return names\n',
    after: 'def active_names(users):\n    return [user["name"].strip() for user in users if user["active"]]\n'
  },
  {
    what: 'early returns in Python',
    language: 'python',
    before:
      'def discount(price, customer):\n    if customer is not None:\n        if customer.vip:\n            return price * 0.8\n        else:\n            return price\n    else:\n        raise ValueError("customer is missing")\n',
    after:
      'def discount(price, customer):\n    if customer is None:\n        raise ValueError("customer is missing")\n    if not customer.vip:\n        return price\n    return price * 0.8\n'
  },
  {
    what: 'the loop over indexes in Python',
    language: 'python',
    before:
      'def show(items):\n    for i in range(len(items)):\n        if items[i] != "":\n            print(i, items[i])\n',
    after:
      'def show(items):\n    for i, item in enumerate(items):\n        if item != "":\n            print(i, item)\n'
  },
  {
    what: 'a text that is joined in Python',
    language: 'python',
    before:
      'def to_line(parts):\n    line = ""\n    for part in parts:\n        line += str(part) + ";"\n    return line\n',
    after: 'def to_line(parts):\n    return "".join(f"{part};" for part in parts)\n'
  },
  {
    what: 'gather in Python',
    language: 'python',
    before:
      'import asyncio\n\n\nasync def load_all(client, ids):\n    results = []\n    for id in ids:\n        results.append(await client.get(id))\n    return results\n',
    after:
      'import asyncio\n\n\nasync def load_all(client, ids):\n    return list(await asyncio.gather(*(client.get(id) for id in ids)))\n'
  },
  {
    what: 'any in Python',
    language: 'python',
    before:
      'def has_admin(users):\n    for user in users:\n        if user.role == "admin":\n            return True\n    return False\n',
    after: 'def has_admin(users):\n    return any(user.role == "admin" for user in users)\n'
  },
  {
    what: 'a range in Go',
    language: 'go',
    before:
      'package list\n\nfunc Sum(values []int) int {\n\ttotal := 0\n\tfor i := 0; i < len(values); i++ {\n\t\ttotal = total + values[i]\n\t}\n\treturn total\n}\n',
    after:
      'package list\n\nfunc Sum(values []int) int {\n\ttotal := 0\n\tfor _, value := range values {\n\t\ttotal += value\n\t}\n\treturn total\n}\n'
  },
  {
    what: 'less nesting in Go',
    language: 'go',
    before:
      'package store\n\nfunc (s *Store) Price(key string) (int, error) {\n\titem, err := s.load(key)\n\tif err == nil {\n\t\tif item.price > 0 {\n\t\t\treturn item.price * 2, nil\n\t\t} else {\n\t\t\treturn 0, nil\n\t\t}\n\t} else {\n\t\treturn 0, err\n\t}\n}\n',
    after:
      'package store\n\nfunc (s *Store) Price(key string) (int, error) {\n\titem, err := s.load(key)\n\tif err != nil {\n\t\treturn 0, err\n\t}\n\tif item.price > 0 {\n\t\treturn item.price * 2, nil\n\t}\n\treturn 0, nil\n}\n'
  },
  {
    what: 'a StringBuilder in Java',
    language: 'java',
    before:
      'class Names {\n  String join(String[] names) {\n    String result = "";\n    for (String name : names) {\n      result += name + ", ";\n    }\n    return result;\n  }\n}\n',
    after:
      'class Names {\n  String join(String[] names) {\n    StringBuilder result = new StringBuilder();\n    for (String name : names) {\n      result.append(name).append(", ");\n    }\n    return result.toString();\n  }\n}\n'
  },
  {
    what: 'an iterator in Rust',
    language: 'rust',
    before:
      'pub fn count_long(words: &[String], limit: usize) -> usize {\n    let mut count = 0;\n    for word in words.iter() {\n        if word.len() > limit {\n            count += 1;\n        }\n    }\n    return count;\n}\n',
    after:
      'pub fn count_long(words: &[String], limit: usize) -> usize {\n    words.iter().filter(|word| word.len() > limit).count()\n}\n'
  }
]
