import { diffLines } from 'diff'
import t from 'tap'
import { describeDiff, fix } from '../src/index.js'
import { readClean, readFlawed } from './corpus.js'

// Generous: slow machines and busy ones must pass too.
t.setTimeout(600_000)

t.test('a statement that a fix removes leaves the blank lines between functions', async (t) => {
  const before = `class Counter:
    def start(self):
        self.count = 0
        return

    def add(self):
        self.count += 1

        return


def stop():
    print("stop")
    return


def go():
    print("go")
`
  const after = `class Counter:
    def start(self):
        self.count = 0

    def add(self):
        self.count += 1


def stop():
    print("stop")


def go():
    print("go")
`
  t.equal((await fix({ code: before, language: 'python' })).code, after)
  const script = 'export function f(a) {\n  a()\n  return\n}\n\nexport function g() {}\n'
  t.equal(
    (await fix({ code: script, language: 'javascript' })).code,
    'export function f(a) {\n  a()\n}\n\nexport function g() {}\n'
  )
})

t.test('** has the spaces that the arguments of Math.pow had', async (t) => {
  for (const [before, after] of [
    ['Math.pow(a, b)', 'a ** b'],
    ['Math.pow(a,b)', 'a**b'],
    ['Math.pow(a + 1, b - 2) * 3', '(a + 1) ** (b - 2) * 3'],
    ['Math.pow(a ** b, 2)', '(a ** b) ** 2'],
    ["Math.pow('**'.length, 2)", "'**'.length ** 2"]
  ]) {
    const { code } = await fix({ code: `export const f = (a, b) => ${before}\n`, language: 'javascript' })
    t.equal(code, `export const f = (a, b) => ${after}\n`)
  }
})

/** Hunks of a difference, as the first and the last line of the code before. */
function hunksOf(before: string, after: string): Array<[first: number, last: number]> {
  const hunks: Array<[number, number]> = []
  let line = 1
  let isOpen = false
  for (const { value, added, removed } of diffLines(before, after)) {
    const count = value.split('\n').length - 1
    if (!added && !removed) isOpen = false
    // What is inserted belongs to the lines on both sides.
    else if (!isOpen) hunks.push(removed ? [line, line + count - 1] : [line - 1, line])
    if (added || removed) isOpen = true
    if (!added) line += count
  }
  return hunks
}

t.test('every hunk that fixes change has an entry', async (t) => {
  const nested = `def place(key, low, high):
    if key is None:
        at = 0
    else:
        if low:
            at = 1

            if high:
                at = 2

            at += 1
        else:
            at = 3

            at += 2

    return at
`
  let count = 0
  const snippets = [
    { title: 'nested', code: nested, language: 'python' as const },
    ...readFlawed(),
    ...readClean()
  ]
  for (const { title, code, language } of snippets) {
    const result = await fix({ code, language })
    for (const [first, last] of hunksOf(code, result.code)) {
      count++
      const has = ({ line }: { line: number }): boolean => line >= first && line <= last
      if (!result.fixes.some(has)) t.fail(`${title}: lines ${first} to ${last} have no entry`)
      const described = describeDiff(code, result.code, { hasEveryHunk: true })
      if (!described.some(has)) t.fail(`${title}: lines ${first} to ${last} are not described`)
    }
  }
  t.ok(count > 20, `${count} hunks`)
})

t.test('fixes of code with CRLF give what they give of the same code with LF, with CRLF', async (t) => {
  const asWindows = (text: string): string => text.replace(/\n/g, '\r\n')
  let count = 0
  for (const { title, code, language } of readFlawed()) {
    const plain = await fix({ code, language })
    const windows = await fix({ code: asWindows(code), language })
    t.equal(windows.code, asWindows(plain.code), `${language}: ${title}`)
    if (plain.code !== code) count++
  }
  t.ok(count > 10, `${count} snippets changed`)
})
