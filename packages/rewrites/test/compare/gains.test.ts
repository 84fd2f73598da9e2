import t from 'tap'
import { compareRewrite } from '../../src/index.js'

const compared = async (before: string, after: string): ReturnType<typeof compareRewrite> =>
  await compareRewrite({ before, after, language: 'python' })

t.test('a set instead of a list that is searched repeatedly is a gain', async (t) => {
  const before =
    'def walk(graph):\n    seen = []\n    def visit(node):\n        if node in seen:\n            return\n' +
    '        seen.append(node)\n        for each in graph[node]:\n            visit(each)\n' +
    '    for node in graph:\n        visit(node)\n    return len(seen)\n'
  const after = before.replace('seen = []', 'seen = set()').replace('seen.append', 'seen.add')

  t.match(await compared(before, after), [{ refusal: null, gains: ['work in loops'] }])
})

t.test('a loop instead of recursion is a gain', async (t) => {
  const before =
    'def power(base, n):\n    if n < 1:\n        return 1\n    return base * power(base, n - 1)\n'
  const after =
    'def power(base, n):\n    result = 1\n    for _ in range(n if n > 0 else 0):\n        result = base * result\n    return result\n'
  const changes = await compared(before, after)

  t.ok(changes?.[0]?.gains.includes('recursion'))
})

t.test('bytes that no longer grow in a loop are a gain, with a built-in type', async (t) => {
  const before =
    "def reverse(data):\n    found = b''\n    for each in data:\n        found = data[each:each + 1] + found\n    return found\n"
  const after =
    'def reverse(data):\n    found = bytearray()\n    for each in data:\n        found[:0] = data[each:each + 1]\n    return bytes(found)\n'

  t.match(await compared(before, after), [{ refusal: null, gains: ['work in loops'] }])
})

t.test('a rewrite may add a suggestion, and no warning', async (t) => {
  const before =
    'def rises(items, down):\n    for i in range(len(items) - 1):\n        a = items[i]\n        b = items[i + 1]\n' +
    '        if down:\n            a, b = b, a\n        if b < a:\n            return False\n    return True\n'
  const suggested = before.replace(
    /for i in[^]*?items\[i \+ 1\]/,
    'for a, b in zip(items, items[1:])'.concat(':\n        pass')
  )
  const warned = before.replace('return True', 'return eval("True")')

  t.match(await compared(before, suggested), [{ refusal: null }])
  t.match(await compared(before, warned), [{ refusal: /adds a finding|uses eval/ }])
})
