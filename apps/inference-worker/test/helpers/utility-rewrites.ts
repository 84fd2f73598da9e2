import type { RewriteCase } from './wrong-rewrites.js'

/** Functions as found in utility libraries, with equivalent and with wrong rewrites. */
export const utilityRewrites: Array<RewriteCase & { isRight: boolean }> = [
  {
    what: 'chunk (right)',
    isRight: true,
    before:
      'export function chunk (array, size) {\n  const result = []\n  let current = []\n  for (let i = 0; i < array.length; i++) {\n    current.push(array[i])\n    if (current.length === size) {\n      result.push(current)\n      current = []\n    }\n  }\n  if (current.length > 0) {\n    result.push(current)\n  }\n  return result\n}\n',
    after:
      'export function chunk (array, size) {\n  const result = []\n  let current = []\n  for (const item of array) {\n    current.push(item)\n    if (current.length === size) {\n      result.push(current)\n      current = []\n    }\n  }\n  if (current.length > 0) result.push(current)\n  return result\n}\n'
  },
  {
    what: 'chunk (wrong)',
    isRight: false,
    before:
      'export function chunk (array, size) {\n  const result = []\n  let current = []\n  for (let i = 0; i < array.length; i++) {\n    current.push(array[i])\n    if (current.length === size) {\n      result.push(current)\n      current = []\n    }\n  }\n  if (current.length > 0) {\n    result.push(current)\n  }\n  return result\n}\n',
    after:
      'export function chunk (array, size) {\n  const result = []\n  for (let i = 0; i < array.length; i += size) {\n    result.push(array.slice(i, i + size))\n  }\n  return result\n}\n'
  },
  {
    what: 'capitalize (right)',
    isRight: true,
    language: 'typescript',
    before:
      "export function capitalize (str: string): string {\n  if (str.length === 0) {\n    return ''\n  }\n  return str.charAt(0).toUpperCase() + str.slice(1)\n}\n",
    after:
      'export function capitalize (str: string): string {\n  return str.charAt(0).toUpperCase() + str.slice(1)\n}\n'
  },
  {
    what: 'capitalize (wrong)',
    isRight: false,
    language: 'typescript',
    before:
      "export function capitalize (str: string): string {\n  if (str.length === 0) {\n    return ''\n  }\n  return str.charAt(0).toUpperCase() + str.slice(1)\n}\n",
    after:
      'export function capitalize (str: string): string {\n  return str.charAt(0).toUpperCase() + str.slice(1).toLowerCase()\n}\n'
  },
  {
    what: 'clamp (right)',
    isRight: true,
    language: 'typescript',
    before:
      'export function clamp (value: number, low: number, high: number): number {\n  if (value < low) {\n    return low\n  } else {\n    if (value > high) {\n      return high\n    } else {\n      return value\n    }\n  }\n}\n',
    after:
      'export function clamp (value: number, low: number, high: number): number {\n  if (value < low) return low\n  return value > high ? high : value\n}\n'
  },
  {
    what: 'clamp (wrong)',
    isRight: false,
    language: 'typescript',
    before:
      'export function clamp (value: number, low: number, high: number): number {\n  if (value < low) {\n    return low\n  } else {\n    if (value > high) {\n      return high\n    } else {\n      return value\n    }\n  }\n}\n',
    after:
      'export function clamp (value: number, low: number, high: number): number {\n  return Math.max(low, Math.min(value, high))\n}\n'
  },
  {
    what: 'pick (right)',
    isRight: true,
    before:
      'export function pick (object, keys) {\n  const result = {}\n  for (let i = 0; i < keys.length; i++) {\n    const key = keys[i]\n    if (Object.prototype.hasOwnProperty.call(object, key)) {\n      result[key] = object[key]\n    }\n  }\n  return result\n}\n',
    after:
      'export function pick (object, keys) {\n  const result = {}\n  for (const key of keys) {\n    if (Object.prototype.hasOwnProperty.call(object, key)) result[key] = object[key]\n  }\n  return result\n}\n'
  },
  {
    what: 'pick (wrong)',
    isRight: false,
    before:
      'export function pick (object, keys) {\n  const result = {}\n  for (let i = 0; i < keys.length; i++) {\n    const key = keys[i]\n    if (Object.prototype.hasOwnProperty.call(object, key)) {\n      result[key] = object[key]\n    }\n  }\n  return result\n}\n',
    after:
      'export function pick (object, keys) {\n  const result = {}\n  for (const key of keys) {\n    if (object[key] !== undefined) result[key] = object[key]\n  }\n  return result\n}\n'
  },
  {
    what: 'groupBy (right)',
    isRight: true,
    before:
      'export function groupBy (items, getKey) {\n  const groups = new Map()\n  for (const item of items) {\n    const key = getKey(item)\n    if (groups.has(key)) {\n      groups.get(key).push(item)\n    } else {\n      groups.set(key, [item])\n    }\n  }\n  return groups\n}\n',
    after:
      'export function groupBy (items, getKey) {\n  const groups = new Map()\n  for (const item of items) {\n    const key = getKey(item)\n    const group = groups.get(key)\n    if (group === undefined) groups.set(key, [item])\n    else group.push(item)\n  }\n  return groups\n}\n'
  },
  {
    what: 'groupBy (wrong)',
    isRight: false,
    before:
      'export function groupBy (items, getKey) {\n  const groups = new Map()\n  for (const item of items) {\n    const key = getKey(item)\n    if (groups.has(key)) {\n      groups.get(key).push(item)\n    } else {\n      groups.set(key, [item])\n    }\n  }\n  return groups\n}\n',
    after:
      'export function groupBy (items, getKey) {\n  const groups = new Map()\n  for (const item of items) {\n    const key = getKey(item)\n    groups.set(key, [item, ...(groups.get(key) ?? [])])\n  }\n  return groups\n}\n'
  },
  {
    what: 'formatDuration (right)',
    isRight: true,
    before:
      "export function formatDuration (seconds) {\n  const hours = Math.floor(seconds / 3600)\n  const minutes = Math.floor((seconds % 3600) / 60)\n  const rest = Math.floor(seconds % 60)\n  let text = ''\n  if (hours > 0) {\n    text = text + hours + ':'\n    if (minutes < 10) {\n      text = text + '0'\n    }\n  }\n  text = text + minutes + ':'\n  if (rest < 10) {\n    text = text + '0'\n  }\n  return text + rest\n}\n",
    after:
      "export function formatDuration (seconds) {\n  const hours = Math.floor(seconds / 3600)\n  const minutes = Math.floor((seconds % 3600) / 60)\n  const rest = Math.floor(seconds % 60)\n  const start = hours > 0 ? `${hours}:${minutes < 10 ? '0' : ''}` : ''\n  return `${start}${minutes}:${rest < 10 ? '0' : ''}${rest}`\n}\n"
  },
  {
    what: 'formatDuration (wrong)',
    isRight: false,
    before:
      "export function formatDuration (seconds) {\n  const hours = Math.floor(seconds / 3600)\n  const minutes = Math.floor((seconds % 3600) / 60)\n  const rest = Math.floor(seconds % 60)\n  let text = ''\n  if (hours > 0) {\n    text = text + hours + ':'\n    if (minutes < 10) {\n      text = text + '0'\n    }\n  }\n  text = text + minutes + ':'\n  if (rest < 10) {\n    text = text + '0'\n  }\n  return text + rest\n}\n",
    after:
      "export function formatDuration (seconds) {\n  const hours = Math.floor(seconds / 3600)\n  const minutes = Math.floor((seconds % 3600) / 60)\n  const rest = Math.floor(seconds % 60)\n  const start = hours > 0 ? `${hours}:${minutes < 10 ? '0' : ''}` : ''\n  return `${start}${minutes}:${String(rest).padStart(2, '0')}`\n}\n"
  },
  {
    what: 'columnName (right)',
    isRight: true,
    language: 'typescript',
    before:
      "export function columnName (index: number): string {\n  let name = ''\n  let rest = index\n  while (rest > 0) {\n    const digit = (rest - 1) % 26\n    name = String.fromCharCode(65 + digit) + name\n    rest = Math.floor((rest - 1) / 26)\n  }\n  return name\n}\n",
    after:
      "export function columnName (index: number): string {\n  let name = ''\n  for (let rest = index; rest > 0; rest = Math.floor((rest - 1) / 26)) {\n    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name\n  }\n  return name\n}\n"
  },
  {
    what: 'columnName (wrong)',
    isRight: false,
    language: 'typescript',
    before:
      "export function columnName (index: number): string {\n  let name = ''\n  let rest = index\n  while (rest > 0) {\n    const digit = (rest - 1) % 26\n    name = String.fromCharCode(65 + digit) + name\n    rest = Math.floor((rest - 1) / 26)\n  }\n  return name\n}\n",
    after:
      "export function columnName (index: number): string {\n  let name = ''\n  for (let rest = index; rest > 0; rest = Math.floor(rest / 26)) {\n    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name\n  }\n  return name\n}\n"
  },
  {
    what: 'curried path (right)',
    isRight: true,
    before:
      "import _curry2 from './internal/_curry2.js'\n\nvar path = _curry2(function path (paths, obj) {\n  var val = obj\n  var idx = 0\n  while (idx < paths.length) {\n    if (val == null) {\n      return\n    }\n    val = val[paths[idx]]\n    idx += 1\n  }\n  return val\n})\nexport default path\n",
    after:
      "import _curry2 from './internal/_curry2.js'\n\nvar path = _curry2(function path (paths, obj) {\n  let val = obj\n  for (let idx = 0; idx < paths.length; idx++) {\n    if (val == null) return\n    val = val[paths[idx]]\n  }\n  return val\n})\nexport default path\n"
  },
  {
    what: 'curried path (wrong)',
    isRight: false,
    before:
      "import _curry2 from './internal/_curry2.js'\n\nvar path = _curry2(function path (paths, obj) {\n  var val = obj\n  var idx = 0\n  while (idx < paths.length) {\n    if (val == null) {\n      return\n    }\n    val = val[paths[idx]]\n    idx += 1\n  }\n  return val\n})\nexport default path\n",
    after:
      "import _curry2 from './internal/_curry2.js'\n\nvar path = _curry2(function path (paths, obj) {\n  let val = obj\n  for (let idx = 0; idx < paths.length; idx++) {\n    if (!val) return\n    val = val[paths[idx]]\n  }\n  return val\n})\nexport default path\n"
  },
  {
    what: 'debounced search index (right)',
    isRight: true,
    before:
      'const index = (function () {\n  const entries = []\n\n  function add (word, id) {\n    const found = entries.find((entry) => entry.word === word)\n    if (found) {\n      found.ids.push(id)\n    } else {\n      entries.push({ word: word, ids: [id] })\n    }\n    return entries.length\n  }\n\n  return { add }\n})()\nmodule.exports = index\n',
    after:
      'const index = (function () {\n  const entries = []\n\n  function add (word, id) {\n    const found = entries.find((entry) => entry.word === word)\n    if (found) found.ids.push(id)\n    else entries.push({ word, ids: [id] })\n    return entries.length\n  }\n\n  return { add }\n})()\nmodule.exports = index\n'
  },
  {
    what: 'debounced search index (wrong)',
    isRight: false,
    before:
      'const index = (function () {\n  const entries = []\n\n  function add (word, id) {\n    const found = entries.find((entry) => entry.word === word)\n    if (found) {\n      found.ids.push(id)\n    } else {\n      entries.push({ word: word, ids: [id] })\n    }\n    return entries.length\n  }\n\n  return { add }\n})()\nmodule.exports = index\n',
    after:
      'const index = (function () {\n  const entries = []\n\n  function add (word, id) {\n    const found = entries.find((entry) => entry.word.startsWith(word))\n    if (found) found.ids.push(id)\n    else entries.push({ word, ids: [id] })\n    return entries.length\n  }\n\n  return { add }\n})()\nmodule.exports = index\n'
  },
  {
    what: 'escapeHtml (right)',
    isRight: true,
    language: 'typescript',
    before:
      "export function escapeHtml (text: string): string {\n  let result = ''\n  for (let i = 0; i < text.length; i++) {\n    const ch = text[i]\n    if (ch === '&') {\n      result = result + '&amp;'\n    } else if (ch === '<') {\n      result = result + '&lt;'\n    } else if (ch === '>') {\n      result = result + '&gt;'\n    } else {\n      result = result + ch\n    }\n  }\n  return result\n}\n",
    after:
      "export function escapeHtml (text: string): string {\n  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')\n}\n"
  },
  {
    what: 'escapeHtml (wrong)',
    isRight: false,
    language: 'typescript',
    before:
      "export function escapeHtml (text: string): string {\n  let result = ''\n  for (let i = 0; i < text.length; i++) {\n    const ch = text[i]\n    if (ch === '&') {\n      result = result + '&amp;'\n    } else if (ch === '<') {\n      result = result + '&lt;'\n    } else if (ch === '>') {\n      result = result + '&gt;'\n    } else {\n      result = result + ch\n    }\n  }\n  return result\n}\n",
    after:
      "export function escapeHtml (text: string): string {\n  return text.replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/&/g, '&amp;')\n}\n"
  },
  {
    what: 'isPalindrome (right)',
    isRight: true,
    language: 'typescript',
    before:
      "export function isPalindrome (word: string): boolean {\n  const letters = word.toLowerCase().split('')\n  const reversed = word.toLowerCase().split('').reverse()\n  for (let i = 0; i < letters.length; i++) {\n    if (letters[i] !== reversed[i]) {\n      return false\n    }\n  }\n  return true\n}\n",
    after:
      'export function isPalindrome (word: string): boolean {\n  const lower = word.toLowerCase()\n  for (let i = 0, j = lower.length - 1; i < j; i++, j--) {\n    if (lower[i] !== lower[j]) return false\n  }\n  return true\n}\n'
  },
  {
    what: 'isPalindrome (wrong)',
    isRight: false,
    language: 'typescript',
    before:
      "export function isPalindrome (word: string): boolean {\n  const letters = word.toLowerCase().split('')\n  const reversed = word.toLowerCase().split('').reverse()\n  for (let i = 0; i < letters.length; i++) {\n    if (letters[i] !== reversed[i]) {\n      return false\n    }\n  }\n  return true\n}\n",
    after:
      "export function isPalindrome (word: string): boolean {\n  const lower = word.toLowerCase()\n  return lower === [...lower].reverse().join('')\n}\n"
  },
  {
    what: 'memoize (right)',
    isRight: true,
    before:
      'export function memoize (fn) {\n  const cache = {}\n  return function (key) {\n    if (Object.prototype.hasOwnProperty.call(cache, key)) {\n      return cache[key]\n    } else {\n      const value = fn(key)\n      cache[key] = value\n      return value\n    }\n  }\n}\n',
    after:
      'export function memoize (fn) {\n  const cache = {}\n  return function (key) {\n    if (!Object.prototype.hasOwnProperty.call(cache, key)) cache[key] = fn(key)\n    return cache[key]\n  }\n}\n'
  },
  {
    what: 'memoize (wrong)',
    isRight: false,
    before:
      'export function memoize (fn) {\n  const cache = {}\n  return function (key) {\n    if (Object.prototype.hasOwnProperty.call(cache, key)) {\n      return cache[key]\n    } else {\n      const value = fn(key)\n      cache[key] = value\n      return value\n    }\n  }\n}\n',
    after:
      'export function memoize (fn) {\n  const cache = {}\n  return function (key) {\n    cache[key] ||= fn(key)\n    return cache[key]\n  }\n}\n'
  },
  {
    what: 'average (right)',
    isRight: true,
    language: 'typescript',
    before:
      'export function average (numbers: number[]): number {\n  if (numbers.length === 0) {\n    return 0\n  }\n  let total = 0\n  for (let i = 0; i < numbers.length; i++) {\n    total = total + numbers[i]!\n  }\n  return total / numbers.length\n}\n',
    after:
      'export function average (numbers: number[]): number {\n  if (numbers.length === 0) return 0\n  return numbers.reduce((total, n) => total + n, 0) / numbers.length\n}\n'
  },
  {
    what: 'average (wrong)',
    isRight: false,
    language: 'typescript',
    before:
      'export function average (numbers: number[]): number {\n  if (numbers.length === 0) {\n    return 0\n  }\n  let total = 0\n  for (let i = 0; i < numbers.length; i++) {\n    total = total + numbers[i]!\n  }\n  return total / numbers.length\n}\n',
    after:
      'export function average (numbers: number[]): number {\n  return numbers.reduce((total, n) => total + n, 0) / numbers.length\n}\n'
  },
  {
    what: 'uniqBy (right)',
    isRight: true,
    language: 'typescript',
    before:
      'export function uniqueBy<T> (items: T[], keyOf: (item: T) => string): T[] {\n  const seen: string[] = []\n  const result: T[] = []\n  for (const item of items) {\n    const key = keyOf(item)\n    if (seen.indexOf(key) === -1) {\n      seen.push(key)\n      result.push(item)\n    }\n  }\n  return result\n}\n',
    after:
      'export function uniqueBy<T> (items: T[], keyOf: (item: T) => string): T[] {\n  const seen = new Set<string>()\n  const result: T[] = []\n  for (const item of items) {\n    const key = keyOf(item)\n    if (seen.has(key)) continue\n    seen.add(key)\n    result.push(item)\n  }\n  return result\n}\n'
  },
  {
    what: 'uniqBy (wrong)',
    isRight: false,
    language: 'typescript',
    before:
      'export function uniqueBy<T> (items: T[], keyOf: (item: T) => string): T[] {\n  const seen: string[] = []\n  const result: T[] = []\n  for (const item of items) {\n    const key = keyOf(item)\n    if (seen.indexOf(key) === -1) {\n      seen.push(key)\n      result.push(item)\n    }\n  }\n  return result\n}\n',
    after:
      'export function uniqueBy<T> (items: T[], keyOf: (item: T) => string): T[] {\n  return [...new Map(items.map((item) => [keyOf(item), item])).values()]\n}\n'
  },
  {
    what: 'parseQuery (right)',
    isRight: true,
    language: 'typescript',
    before:
      "export function parseQuery (query: string): Record<string, string> {\n  const result: Record<string, string> = {}\n  const pairs = query.split('&')\n  for (let i = 0; i < pairs.length; i++) {\n    const pair = pairs[i]!\n    const at = pair.indexOf('=')\n    if (at >= 0) {\n      result[pair.slice(0, at)] = pair.slice(at + 1)\n    } else {\n      result[pair] = ''\n    }\n  }\n  return result\n}\n",
    after:
      "export function parseQuery (query: string): Record<string, string> {\n  const result: Record<string, string> = {}\n  for (const pair of query.split('&')) {\n    const at = pair.indexOf('=')\n    if (at < 0) result[pair] = ''\n    else result[pair.slice(0, at)] = pair.slice(at + 1)\n  }\n  return result\n}\n"
  },
  {
    what: 'parseQuery (wrong)',
    isRight: false,
    language: 'typescript',
    before:
      "export function parseQuery (query: string): Record<string, string> {\n  const result: Record<string, string> = {}\n  const pairs = query.split('&')\n  for (let i = 0; i < pairs.length; i++) {\n    const pair = pairs[i]!\n    const at = pair.indexOf('=')\n    if (at >= 0) {\n      result[pair.slice(0, at)] = pair.slice(at + 1)\n    } else {\n      result[pair] = ''\n    }\n  }\n  return result\n}\n",
    after:
      "export function parseQuery (query: string): Record<string, string> {\n  const result: Record<string, string> = {}\n  for (const pair of query.split('&')) {\n    const [key = '', value = ''] = pair.split('=')\n    result[key] = value\n  }\n  return result\n}\n"
  },
  {
    what: 'range (right)',
    isRight: true,
    before:
      'export function range (start, end, step) {\n  if (step === undefined) {\n    step = 1\n  }\n  const result = []\n  if (step > 0) {\n    for (let i = start; i < end; i += step) {\n      result.push(i)\n    }\n  }\n  return result\n}\n',
    after:
      'export function range (start, end, step) {\n  if (step === undefined) step = 1\n  const result = []\n  if (!(step > 0)) return result\n  for (let i = start; i < end; i += step) result.push(i)\n  return result\n}\n'
  },
  {
    what: 'range (wrong)',
    isRight: false,
    before:
      'export function range (start, end, step) {\n  if (step === undefined) {\n    step = 1\n  }\n  const result = []\n  if (step > 0) {\n    for (let i = start; i < end; i += step) {\n      result.push(i)\n    }\n  }\n  return result\n}\n',
    after:
      'export function range (start, end, step) {\n  if (step === undefined) step = 1\n  if (!(step > 0)) return []\n  return Array.from({ length: Math.ceil((end - start) / step) }, (_, i) => start + i * step)\n}\n'
  },
  {
    what: 'retry (right)',
    isRight: true,
    before:
      'export async function retry (action, times) {\n  let lastError\n  for (let attempt = 0; attempt < times; attempt++) {\n    try {\n      const result = await action(attempt)\n      return result\n    } catch (error) {\n      lastError = error\n    }\n  }\n  throw lastError\n}\n',
    after:
      'export async function retry (action, times) {\n  let lastError\n  for (let attempt = 0; attempt < times; attempt++) {\n    try {\n      return await action(attempt)\n    } catch (error) {\n      lastError = error\n    }\n  }\n  throw lastError\n}\n'
  },
  {
    what: 'retry (wrong)',
    isRight: false,
    before:
      'export async function retry (action, times) {\n  let lastError\n  for (let attempt = 0; attempt < times; attempt++) {\n    try {\n      const result = await action(attempt)\n      return result\n    } catch (error) {\n      lastError = error\n    }\n  }\n  throw lastError\n}\n',
    after:
      'export async function retry (action, times) {\n  let lastError\n  for (let attempt = 0; attempt < times; attempt++) {\n    try {\n      return action(attempt)\n    } catch (error) {\n      lastError = error\n    }\n  }\n  throw lastError\n}\n'
  },
  {
    what: 'version compare (right)',
    isRight: true,
    language: 'typescript',
    before:
      "export function compareVersions (a: string, b: string): number {\n  const left = a.split('.')\n  const right = b.split('.')\n  const length = left.length > right.length ? left.length : right.length\n  for (let i = 0; i < length; i++) {\n    const x = Number(left[i] || 0)\n    const y = Number(right[i] || 0)\n    if (x > y) {\n      return 1\n    } else if (x < y) {\n      return -1\n    }\n  }\n  return 0\n}\n",
    after:
      "export function compareVersions (a: string, b: string): number {\n  const left = a.split('.')\n  const right = b.split('.')\n  const length = Math.max(left.length, right.length)\n  for (let i = 0; i < length; i++) {\n    const x = Number(left[i] || 0)\n    const y = Number(right[i] || 0)\n    if (x > y) return 1\n    if (x < y) return -1\n  }\n  return 0\n}\n"
  },
  {
    what: 'version compare (wrong)',
    isRight: false,
    language: 'typescript',
    before:
      "export function compareVersions (a: string, b: string): number {\n  const left = a.split('.')\n  const right = b.split('.')\n  const length = left.length > right.length ? left.length : right.length\n  for (let i = 0; i < length; i++) {\n    const x = Number(left[i] || 0)\n    const y = Number(right[i] || 0)\n    if (x > y) {\n      return 1\n    } else if (x < y) {\n      return -1\n    }\n  }\n  return 0\n}\n",
    after:
      'export function compareVersions (a: string, b: string): number {\n  return a.localeCompare(b, undefined, { numeric: true })\n}\n'
  },
  {
    what: 'Temperature static (right)',
    isRight: true,
    language: 'typescript',
    before:
      "export class Temperature {\n  static toFahrenheit (celsius: number): number {\n    const factor = 9 / 5\n    const scaled = celsius * factor\n    const result = scaled + 32\n    return result\n  }\n\n  static describe (celsius: number): string {\n    if (celsius < 0) {\n      return 'freezing'\n    } else if (celsius < 15) {\n      return 'cold'\n    } else if (celsius < 25) {\n      return 'mild'\n    } else {\n      return 'hot'\n    }\n  }\n}\n",
    after:
      "export class Temperature {\n  static toFahrenheit (celsius: number): number {\n    return celsius * (9 / 5) + 32\n  }\n\n  static describe (celsius: number): string {\n    if (celsius < 0) return 'freezing'\n    if (celsius < 15) return 'cold'\n    return celsius < 25 ? 'mild' : 'hot'\n  }\n}\n"
  },
  {
    what: 'Temperature static (wrong)',
    isRight: false,
    language: 'typescript',
    before:
      "export class Temperature {\n  static toFahrenheit (celsius: number): number {\n    const factor = 9 / 5\n    const scaled = celsius * factor\n    const result = scaled + 32\n    return result\n  }\n\n  static describe (celsius: number): string {\n    if (celsius < 0) {\n      return 'freezing'\n    } else if (celsius < 15) {\n      return 'cold'\n    } else if (celsius < 25) {\n      return 'mild'\n    } else {\n      return 'hot'\n    }\n  }\n}\n",
    after:
      "export class Temperature {\n  static toFahrenheit (celsius: number): number {\n    return celsius * 9 / 5 + 32\n  }\n\n  static describe (celsius: number): string {\n    if (celsius >= 25) return 'hot'\n    if (celsius >= 15) return 'mild'\n    return celsius >= 0 ? 'cold' : 'freezing'\n  }\n}\n"
  },
  {
    what: 'isEmpty (right)',
    isRight: true,
    before:
      "export function isEmpty (value) {\n  if (value === null || value === undefined) {\n    return true\n  }\n  if (typeof value === 'string' || Array.isArray(value)) {\n    return value.length === 0\n  }\n  if (typeof value === 'object') {\n    return Object.keys(value).length === 0\n  }\n  return false\n}\n",
    after:
      "export function isEmpty (value) {\n  if (value == null) return true\n  if (typeof value === 'string' || Array.isArray(value)) return value.length === 0\n  return typeof value === 'object' && Object.keys(value).length === 0\n}\n"
  },
  {
    what: 'isEmpty (wrong)',
    isRight: false,
    before:
      "export function isEmpty (value) {\n  if (value === null || value === undefined) {\n    return true\n  }\n  if (typeof value === 'string' || Array.isArray(value)) {\n    return value.length === 0\n  }\n  if (typeof value === 'object') {\n    return Object.keys(value).length === 0\n  }\n  return false\n}\n",
    after:
      "export function isEmpty (value) {\n  if (!value) return true\n  if (typeof value === 'string' || Array.isArray(value)) return value.length === 0\n  return typeof value === 'object' && Object.keys(value).length === 0\n}\n"
  },
  {
    what: '== for ===',
    isRight: false,
    before:
      'export function indexOfValue (list, value) {\n  for (let i = 0; i < list.length; i++) {\n    if (list[i] === value) {\n      return i\n    }\n  }\n  return -1\n}\n',
    after:
      'export function indexOfValue (list, value) {\n  return list.findIndex((each) => each == value)\n}\n'
  },
  {
    what: '|| for ??',
    isRight: false,
    before:
      'export function withDefaults (options) {\n  const retries = options.retries !== undefined && options.retries !== null ? options.retries : 3\n  const label = options.label !== undefined && options.label !== null ? options.label : "none"\n  return { retries: retries, label: label }\n}\n',
    after:
      'export function withDefaults (options) {\n  return { retries: options.retries || 3, label: options.label || "none" }\n}\n'
  },
  {
    what: '?? for a ternary',
    isRight: true,
    before:
      'export function withDefaults (options) {\n  const retries = options.retries !== undefined && options.retries !== null ? options.retries : 3\n  const label = options.label !== undefined && options.label !== null ? options.label : "none"\n  return { retries: retries, label: label }\n}\n',
    after:
      'export function withDefaults (options) {\n  return { retries: options.retries ?? 3, label: options.label ?? "none" }\n}\n'
  },
  {
    what: 'round for toFixed',
    isRight: false,
    language: 'typescript',
    before:
      'export function money (amount: number): string {\n  const text = amount.toFixed(2)\n  return "$" + text\n}\n',
    after:
      'export function money (amount: number): string {\n  return "$" + Math.round(amount * 100) / 100\n}\n'
  },
  {
    what: 'UTC for local',
    isRight: false,
    before:
      'export function dayOf (date) {\n  const y = date.getFullYear()\n  const m = String(date.getMonth() + 1).padStart(2, "0")\n  const d = String(date.getDate()).padStart(2, "0")\n  return y + "-" + m + "-" + d\n}\n',
    after: 'export function dayOf (date) {\n  return date.toISOString().slice(0, 10)\n}\n'
  },
  {
    what: 'sort in place',
    isRight: false,
    before:
      'export function top (scores, n) {\n  const copy = scores.slice()\n  copy.sort((a, b) => b - a)\n  return copy.slice(0, n)\n}\n',
    after: 'export function top (scores, n) {\n  return scores.sort((a, b) => b - a).slice(0, n)\n}\n'
  },
  {
    what: 'sort a copy',
    isRight: true,
    before:
      'export function top (scores, n) {\n  const copy = scores.slice()\n  copy.sort((a, b) => b - a)\n  return copy.slice(0, n)\n}\n',
    after: 'export function top (scores, n) {\n  return scores.slice().sort((a, b) => b - a).slice(0, n)\n}\n'
  },
  {
    what: 'shallow for deep',
    isRight: false,
    before:
      'export function clone (value) {\n  if (Array.isArray(value)) {\n    return value.map((each) => clone(each))\n  }\n  if (value && typeof value === "object") {\n    const copy = {}\n    for (const key of Object.keys(value)) {\n      copy[key] = clone(value[key])\n    }\n    return copy\n  }\n  return value\n}\n',
    after:
      'export function clone (value) {\n  if (Array.isArray(value)) return [...value]\n  if (value && typeof value === "object") return { ...value }\n  return value\n}\n'
  },
  {
    what: 'shared fill',
    isRight: false,
    before:
      'export function grid (width, height) {\n  const rows = []\n  for (let y = 0; y < height; y++) {\n    const row = []\n    for (let x = 0; x < width; x++) {\n      row.push(0)\n    }\n    rows.push(row)\n  }\n  return rows\n}\n',
    after:
      'export function grid (width, height) {\n  const row = []\n  for (let x = 0; x < width; x++) row.push(0)\n  const rows = []\n  for (let y = 0; y < height; y++) rows.push(row)\n  return rows\n}\n'
  },
  {
    what: 'trim of spaces only',
    isRight: false,
    language: 'typescript',
    before:
      'export function words (text: string): string[] {\n  return text.trim().split(/\\s+/).filter((word) => word.length > 0)\n}\n',
    after:
      'export function words (text: string): string[] {\n  return text.split(" ").filter((word) => word !== "")\n}\n'
  },
  {
    what: 'words without trim',
    isRight: true,
    language: 'typescript',
    before:
      'export function words (text: string): string[] {\n  return text.trim().split(/\\s+/).filter((word) => word.length > 0)\n}\n',
    after:
      'export function words (text: string): string[] {\n  return text.split(/\\s+/).filter((word) => word !== "")\n}\n'
  },
  {
    what: 'parallel that changes order',
    isRight: false,
    before:
      'export async function migrate (db, names) {\n  for (const name of names) {\n    await db.lock(name)\n    await db.apply(name)\n    await db.unlock(name)\n  }\n}\n',
    after:
      'export async function migrate (db, names) {\n  await Promise.all(names.map((name) => db.lock(name)))\n  await Promise.all(names.map((name) => db.apply(name)))\n}\n'
  },
  {
    what: 'parseInt for Number',
    isRight: false,
    language: 'typescript',
    before:
      'export function toNumber (text: string): number {\n  const value = Number(text)\n  return Number.isNaN(value) ? 0 : value\n}\n',
    after: 'export function toNumber (text: string): number {\n  return parseInt(text, 10) || 0\n}\n'
  },
  {
    what: '|| 0',
    isRight: true,
    language: 'typescript',
    before:
      'export function toNumber (text: string): number {\n  const value = Number(text)\n  return Number.isNaN(value) ? 0 : value === 0 ? 0 : value\n}\n',
    after: 'export function toNumber (text: string): number {\n  return Number(text) || 0\n}\n'
  },
  {
    what: 'lost error class',
    isRight: false,
    before:
      'export function need (value, name) {\n  if (value === undefined) {\n    throw new TypeError(name + " is missing")\n  }\n  if (typeof value !== "string") {\n    throw new TypeError(name + " must be a string")\n  }\n  return value\n}\n',
    after:
      'export function need (value, name) {\n  if (typeof value !== "string") {\n    throw new TypeError(name + (value == null ? " is missing" : " must be a string"))\n  }\n  return value\n}\n'
  },
  {
    what: 'first for last',
    isRight: false,
    before:
      'export function last (list, test) {\n  let found\n  for (const each of list) {\n    if (test(each)) {\n      found = each\n    }\n  }\n  return found\n}\n',
    after: 'export function last (list, test) {\n  return list.find((each) => test(each))\n}\n'
  },
  {
    what: 'leap years',
    isRight: false,
    language: 'typescript',
    before:
      'export function isLeap (year: number): boolean {\n  if (year % 400 === 0) {\n    return true\n  }\n  if (year % 100 === 0) {\n    return false\n  }\n  return year % 4 === 0\n}\n',
    after:
      'export function isLeap (year: number): boolean {\n  return year % 4 === 0 && year % 100 !== 0\n}\n'
  },
  {
    what: 'leap years',
    isRight: true,
    language: 'typescript',
    before:
      'export function isLeap (year: number): boolean {\n  if (year % 400 === 0) {\n    return true\n  }\n  if (year % 100 === 0) {\n    return false\n  }\n  return year % 4 === 0\n}\n',
    after:
      'export function isLeap (year: number): boolean {\n  return year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0)\n}\n'
  },
  {
    what: 'global regex state',
    isRight: false,
    language: 'typescript',
    before: 'export function hasTag (text: string): boolean {\n  return /<[a-z]+>/.test(text)\n}\n',
    after:
      'const tag = /<[a-z]+>/g\nexport function hasTag (text: string): boolean {\n  return tag.test(text)\n}\n'
  },
  {
    what: 'event once',
    isRight: false,
    before:
      'export class Emitter {\n  constructor () {\n    this.handlers = {}\n  }\n\n  on (name, handler) {\n    if (!this.handlers[name]) {\n      this.handlers[name] = []\n    }\n    this.handlers[name].push(handler)\n    return this.handlers[name].length\n  }\n}\n',
    after:
      'export class Emitter {\n  constructor () {\n    this.handlers = {}\n  }\n\n  on (name, handler) {\n    this.handlers[name] = [handler]\n    return this.handlers[name].length\n  }\n}\n'
  },
  {
    what: 'emitter',
    isRight: true,
    before:
      'export class Emitter {\n  constructor () {\n    this.handlers = new Map()\n  }\n\n  on (name, handler) {\n    if (!this.handlers.has(name)) {\n      this.handlers.set(name, [])\n    }\n    this.handlers.get(name).push(handler)\n    return this.handlers.get(name).length\n  }\n}\n',
    after:
      'export class Emitter {\n  constructor () {\n    this.handlers = new Map()\n  }\n\n  on (name, handler) {\n    let list = this.handlers.get(name)\n    if (!list) this.handlers.set(name, (list = []))\n    return list.push(handler)\n  }\n}\n'
  },
  {
    what: 'digits',
    isRight: false,
    language: 'typescript',
    before:
      'export function digitSum (n: number): number {\n  let sum = 0\n  for (const ch of String(n)) {\n    if (ch >= "0" && ch <= "9") {\n      sum = sum + Number(ch)\n    }\n  }\n  return sum\n}\n',
    after:
      'export function digitSum (n: number): number {\n  let sum = 0\n  for (let rest = Math.abs(n); rest > 0; rest = Math.floor(rest / 10)) sum += rest % 10\n  return sum\n}\n'
  },
  {
    what: 'binary search bounds',
    isRight: false,
    language: 'typescript',
    before:
      'export function search (sorted: number[], wanted: number): number {\n  let low = 0\n  let high = sorted.length - 1\n  while (low <= high) {\n    const middle = Math.floor((low + high) / 2)\n    if (sorted[middle] === wanted) {\n      return middle\n    } else if (sorted[middle]! < wanted) {\n      low = middle + 1\n    } else {\n      high = middle - 1\n    }\n  }\n  return -1\n}\n',
    after:
      'export function search (sorted: number[], wanted: number): number {\n  let low = 0\n  let high = sorted.length - 1\n  while (low < high) {\n    const middle = (low + high) >> 1\n    if (sorted[middle] === wanted) return middle\n    if (sorted[middle]! < wanted) low = middle + 1\n    else high = middle - 1\n  }\n  return -1\n}\n'
  },
  {
    what: 'binary search',
    isRight: true,
    language: 'typescript',
    before:
      'export function search (sorted: number[], wanted: number): number {\n  let low = 0\n  let high = sorted.length - 1\n  while (low <= high) {\n    const middle = Math.floor((low + high) / 2)\n    if (sorted[middle] === wanted) {\n      return middle\n    } else if (sorted[middle]! < wanted) {\n      low = middle + 1\n    } else {\n      high = middle - 1\n    }\n  }\n  return -1\n}\n',
    after:
      'export function search (sorted: number[], wanted: number): number {\n  let low = 0\n  let high = sorted.length - 1\n  while (low <= high) {\n    const middle = (low + high) >> 1\n    const found = sorted[middle]!\n    if (found === wanted) return middle\n    if (found < wanted) low = middle + 1\n    else high = middle - 1\n  }\n  return -1\n}\n'
  },
  {
    what: 'table for switch',
    isRight: false,
    before:
      "export function icon (kind) {\n  switch (kind) {\n    case 'ok':\n      return 'check'\n    case 'fail':\n      return 'cross'\n    case 'wait':\n      return 'clock'\n    default:\n      return 'dot'\n  }\n}\n",
    after:
      "const icons = { ok: 'check', fail: 'cross', wait: 'clock' }\nexport function icon (kind) {\n  return icons[kind] || 'dot'\n}\n"
  },
  {
    what: 'map for switch',
    isRight: true,
    before:
      "export function icon (kind) {\n  switch (kind) {\n    case 'ok':\n      return 'check'\n    case 'fail':\n      return 'cross'\n    case 'wait':\n      return 'clock'\n    default:\n      return 'dot'\n  }\n}\n",
    after:
      "const icons = new Map([['ok', 'check'], ['fail', 'cross'], ['wait', 'clock']])\nexport function icon (kind) {\n  return icons.get(kind) ?? 'dot'\n}\n"
  },
  {
    what: 'spread of long lists',
    isRight: false,
    before:
      'export function merge (lists) {\n  const all = []\n  for (const list of lists) {\n    for (const each of list) {\n      all.push(each)\n    }\n  }\n  return all\n}\n',
    after: 'export function merge (lists) {\n  return [].concat(...lists)\n}\n'
  },
  {
    what: 'sentinel',
    isRight: false,
    language: 'typescript',
    before:
      'export function maxOf (numbers: number[]): number | undefined {\n  let max: number | undefined\n  for (const n of numbers) {\n    if (max === undefined || n > max) {\n      max = n\n    }\n  }\n  return max\n}\n',
    after:
      'export function maxOf (numbers: number[]): number | undefined {\n  let max = 0\n  for (const n of numbers) if (n > max) max = n\n  return numbers.length > 0 ? max : undefined\n}\n'
  }
]
