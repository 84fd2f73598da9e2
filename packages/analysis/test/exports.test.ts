import t from 'tap'
import type { Language } from '@filewright/contracts'
import { compareExports, exportsOf } from '../src/index.js'

async function names(language: Language, code: string): Promise<string[]> {
  return ((await exportsOf(code, language)) ?? []).map(({ name, signature }) => `${name}${signature}`)
}

t.test('a module offers what it exports, with parameters', async (t) => {
  t.strictSame(
    await names(
      'javascript',
      `
    export function add (a, b = 1) {}
    export const twice = (n) => n * 2
    export class Box { #x = 1; get (key) {} _hidden () {} }
    const local = 1
    export { local as renamed }
    export default function (x) {}
  `
    ),
    ['add(a,b=1)', 'twice(n)', 'Box', 'Box.get(key)', 'renamed', 'default(x)']
  )
  t.strictSame(
    await names('javascript', 'function a (x) {}\nmodule.exports = { a, b: 2 }\nexports.c = (y) => y\n'),
    ['a(x)', 'b', 'c(y)']
  )
  t.strictSame(
    await names(
      'typescript',
      'export interface User { id: string }\nexport function find (id: string): User | null { return null }\n'
    ),
    ['User', 'find(id:string):User|null']
  )
})

t.test('code that exports nothing offers what it declares at its top', async (t) => {
  t.strictSame(await names('javascript', 'function a (x) { function inner () {} }\nconst b = 1\n'), [
    'a(x)',
    'b'
  ])
})

t.test('public declarations of other languages are found', async (t) => {
  t.strictSame(
    await names(
      'python',
      '@cached\ndef load(path, *, mode="r"):\n    pass\n\nclass Store(Base):\n    def get(self, key): ...\n    def _hidden(self): ...\n\nLIMIT = 3\n_private = 1\n'
    ),
    ['load(path,*,mode="r")', 'Store(Base)', 'Store.get(self,key)', 'LIMIT']
  )
  t.strictSame(
    await names(
      'go',
      'package a\n\nfunc Find(id int) (string, error) { return "", nil }\n\nfunc (s *Store) Get(k string) string { return k }\n\nfunc hidden() {}\n\ntype User struct{}\n'
    ),
    ['Find(idint)(string,error)', 'Store.Get(kstring)string', 'User']
  )
  t.strictSame(
    await names(
      'java',
      'public class A { private int x; public int f(final String s) { return 1; } private void g() {} }'
    ),
    ['A', 'A.f(Strings)int']
  )
  t.strictSame(
    await names(
      'rust',
      'pub fn find(id: u64) -> Option<User> { None }\nfn hidden() {}\npub struct User;\nimpl User { pub fn name(&self) -> &str { "" } }\n'
    ),
    ['find(id:u64)Option<User>', 'User', 'User.name(&self)&str']
  )
})

t.test('unknown languages and code that does not parse tell nothing', async (t) => {
  t.equal(await exportsOf('SELECT 1', 'sql'), null)
  t.equal(await exportsOf('function (', 'javascript'), null)
})

t.test(
  'a dropped name and a changed parameter are noticed, a new name and other blanks are not',
  async (t) => {
    const before = await exportsOf('export function a (x, y) {}\nexport const b = 1\n', 'javascript')

    t.strictSame(
      compareExports(
        before,
        await exportsOf('export const a = (x,   y) => {}\nexport const b = 2, c = 3\n', 'javascript')
      ),
      { kept: true, missing: [], changed: [] }
    )
    t.strictSame(compareExports(before, await exportsOf('export function a (x) {}\n', 'javascript')), {
      kept: false,
      missing: ['b'],
      changed: ['a']
    })
    t.equal(compareExports(before, null).kept, true)
  }
)
