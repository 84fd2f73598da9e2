import t from 'tap'
import type { Language } from '@filewright/contracts'
import { fix } from '../src/index.js'

// Generous: slow machines and busy ones must pass too.
t.setTimeout(240_000)

/** Code that looks like something the tools fix, where the fix would do something else. */
const traps: [Language, string, string][] = [
  [
    'python',
    'keys() of a row, whose `in` looks at values',
    'import sqlite3\n\n\ndef has(row: sqlite3.Row):\n    return "a" in row.keys()\n'
  ],
  [
    'python',
    'keys() of a class of the author',
    'class Box:\n    def keys(self):\n        return ["a"]\n\n\nbox = Box()\nprint("a" in box.keys())\n'
  ],
  [
    'python',
    'a dictionary that becomes something else',
    'def has(box):\n    found = {}\n    found = box.merge(found)\n    return "a" in found.keys()\n'
  ],
  [
    'python',
    'a name that a loop gives another value',
    'def has(boxes):\n    box = {}\n    for box in boxes:\n        print("a" in box.keys())\n    return box\n'
  ],
  [
    'python',
    'a function named dict',
    'def dict(text):\n    return Box(text)\n\n\ndef has(text):\n    box = dict(text)\n    return "a" in box.keys()\n'
  ],
  ['python', 'values that format drops, but calls', 'def show(a):\n    return "{}".format(a, log(a))\n'],
  [
    'python',
    'values that format takes in another order',
    'def show():\n    return "{1} {0}".format(first(), second())\n'
  ],
  [
    'python',
    'a value that the next one changes',
    'def show(rest):\n    return "{} {}".format(rest, rest.pop())\n'
  ],
  [
    'python',
    'the order of equals, which reversed turns',
    'def rank(users):\n    return sorted(reversed(users), key=len)\n'
  ],
  ['python', 'a comment inside', 'def flag(a):\n    return not (not  # why\n                a)\n'],
  [
    'python',
    'a comment inside a call',
    'def copy(a):\n    return list(\n        # why\n        x for x in a\n    )\n'
  ],

  [
    'rust',
    'len of a type of the author',
    'pub struct Queue {\n    size: usize,\n}\n\nimpl Queue {\n    pub fn len(&self) -> usize {\n        self.size\n    }\n}\n\npub fn idle(v: &Queue) -> bool {\n    v.len() == 0\n}\n'
  ],
  [
    'rust',
    'len of a type from elsewhere',
    'use crate::queue::Queue;\n\npub fn idle(v: &Queue) -> bool {\n    v.len() == 0\n}\n'
  ],
  [
    'rust',
    'a name that is bound again',
    'pub fn idle(v: Vec<u8>) -> bool {\n    let v = crate::wrap(v);\n    v.len() == 0\n}\n'
  ],
  [
    'rust',
    'a Vec of another crate',
    'use heapless::Vec;\n\npub fn idle(v: &Vec<u8, 4>) -> bool {\n    v.len() == 0\n}\n'
  ],
  [
    'rust',
    'a lock that would outlive what it locks',
    'pub fn size() -> usize {\n    let cell = std::sync::Mutex::new(vec![1]);\n    return cell.lock().unwrap().len();\n}\n'
  ],
  [
    'rust',
    'a block that would end the expression',
    'pub fn size(a: bool) -> u64 {\n    return if a { 1u32 } else { 2u32 } as u64;\n}\n'
  ],
  [
    'rust',
    'one return for each configuration',
    'pub fn size() -> u8 {\n    #[cfg(unix)]\n    return 1;\n    #[cfg(not(unix))]\n    return 2;\n}\n'
  ],

  [
    'java',
    'the identity of two new objects',
    'class A {\n    boolean same() {\n        return new Integer(3) == new Integer(3);\n    }\n}\n'
  ],
  [
    'java',
    'the identity of a new object, by way of a name',
    'class A {\n    boolean same(Integer other) {\n        Integer own = new Integer(3);\n        return own == other;\n    }\n}\n'
  ],
  [
    'java',
    'a new object as a lock',
    'class A {\n    private final Object lock = new Integer(3);\n\n    void run() {\n        synchronized (lock) {\n            System.out.println(lock);\n        }\n    }\n}\n'
  ],
  [
    'java',
    'size of a type of the author',
    'class Box {\n    int size() {\n        return 1;\n    }\n}\n\nclass A {\n    boolean none(Box box) {\n        return box.size() == 0;\n    }\n}\n'
  ],
  [
    'java',
    'a List of another library',
    'import org.other.List;\n\nclass A {\n    boolean none(List<String> list) {\n        return list.size() == 0;\n    }\n}\n'
  ],

  [
    'go',
    'an interface that is compared with true',
    'package a\n\nfunc F(v any) bool {\n\treturn v == true\n}\n'
  ],
  [
    'go',
    'a type of the author that is a bool',
    'package a\n\ntype Flag bool\n\nfunc F(v Flag) bool {\n\treturn v == true\n}\n'
  ],
  [
    'go',
    'an import that would be left unused',
    'package a\n\nimport (\n\t"errors"\n\t"fmt"\n)\n\nfunc F(n int) error {\n\treturn errors.New(fmt.Sprintf("bad %d", n))\n}\n'
  ],
  [
    'go',
    'errors of another package, which keep the stack',
    'package a\n\nimport (\n\t"fmt"\n\n\t"github.com/pkg/errors"\n)\n\nvar errFirst = errors.New("first")\n\nfunc F(n int) error {\n\treturn errors.New(fmt.Sprintf("bad %d", n))\n}\n'
  ],
  [
    'go',
    'a text of which the formatted one is a part',
    'package a\n\nimport (\n\t"errors"\n\t"fmt"\n)\n\nvar errFirst = errors.New("first")\n\nfunc F(n int) error {\n\treturn errors.New(fmt.Sprintf("bad %d", n) + fmt.Sprint(n))\n}\n'
  ],
  [
    'go',
    'a format that would wrap',
    'package a\n\nimport (\n\t"errors"\n\t"fmt"\n)\n\nvar errFirst = errors.New("first")\n\nfunc F(err error) error {\n\treturn errors.New(fmt.Sprintf("bad %w", err))\n}\n'
  ],

  ['shell', 'which, where a function has the name', 'deploy() { echo; }\nwhich deploy\n'],
  ['shell', 'a subshell, which would become arithmetic', 'list=`(cd a; ls)`\necho "$list"\n'],
  ['shell', 'a comment, which would swallow the bracket', 'list=`ls # all`\necho "$list"\n'],
  ['shell', 'a function named egrep', 'egrep() { echo "$@"; }\negrep a b\n'],

  ['javascript', 'filter of jQuery', 'export const first = () => $("li").filter((i, li) => li.ok)[0]\n'],
  [
    'javascript',
    'filter of something unknown',
    'export const first = (rows) => rows.filter((row) => row.ok)[0]\n'
  ],
  [
    'javascript',
    'a callback that does something',
    'export const first = (seen) => [1, 2].filter((n) => seen.add(n))[0]\n'
  ],
  [
    'javascript',
    'a place that is written to',
    'export function f (a) {\n  [a].filter((n) => n.ok)[0] = 1\n}\n'
  ],
  ['javascript', 'a filter in a text', 'export const help = "[1].filter((n) => n)[0]"\n'],
  ['javascript', 'a var of a classic script inside a block', 'if (window.a) {\n  var shared = 1\n}\n'],
  [
    'javascript',
    'a name that other scripts are meant to set',
    'let currentUser = null\nfunction show () {\n  return currentUser\n}\n'
  ],
  ['javascript', 'the prototype', 'export const make = (__proto__) => ({ __proto__: __proto__ })\n'],
  [
    'javascript',
    'a function named Boolean',
    'import { Boolean } from "./types.js"\n\nexport const f = (a) => Boolean(a) ? 1 : 2\n'
  ],
  [
    'javascript',
    'Object of the author',
    'import { Object } from "./types.js"\n\nexport const f = (a) => Object.assign({}, a)\n'
  ],
  ['javascript', 'a comment inside', 'export const f = (a) => a /* first */ ? true /* why */ : false\n'],
  [
    'typescript',
    'the type of a copy of an instance',
    'export const copy = (a: Account): Account => Object.assign({}, a)\n'
  ],

  [
    'css',
    'a zero that a type is declared for',
    '@property --a {\n  syntax: "<length>";\n  inherits: true;\n  initial-value: 0px;\n}\n'
  ]
]

for (const [language, what, code] of traps) {
  t.test(`${language}: ${what} is left alone`, async (t) => {
    t.strictSame(await fix({ code, language }), { code, fixes: [] })
  })
}
