import t from 'tap'
import { fix } from '../src/index.js'

// Generous: slow machines and busy ones must pass too.
t.setTimeout(240_000)

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
