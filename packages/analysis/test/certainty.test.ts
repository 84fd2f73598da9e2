import t from 'tap'
import type { Language } from '@filewright/contracts'
import { analyze } from '../src/index.js'

// Generous: slow machines and busy ones must pass too.
t.setTimeout(240_000)

type Example = readonly [language: Language, code: string]

async function errorsOf([language, code]: Example): Promise<string[]> {
  return (await analyze({ code, language }))
    .filter(({ severity }) => severity === 'error')
    .map(({ line, ruleId }) => `${line} ${ruleId}`)
}

/** Codes that prove nothing, and twins that do: only those are findings of severity `error`. */
function certainty(
  name: string,
  ruleId: string,
  unproven: readonly Example[],
  proven: readonly Example[]
): void {
  t.test(name, async (t) => {
    for (const example of unproven) t.strictSame(await errorsOf(example), [], example[1])
    for (const example of proven) {
      const errors = await errorsOf(example)
      t.ok(
        errors.some((error) => error.endsWith(` ${ruleId}`)),
        `${ruleId} in ${example[1]}`
      )
    }
  })
}

const route = (body: string): Example => [
  'javascript',
  `app.get('/x/:id', async (req, res) => {\n  ${body}\n})\n`
]

certainty(
  'a program that is called without a shell is no shell injection',
  'py/shell-injection',
  [
    [
      'python',
      'import subprocess\n\n\ndef page(command, options):\n    return subprocess.Popen([command] + options, shell=False)\n'
    ]
  ],
  [
    [
      'python',
      'import subprocess\nfrom flask import request\n\n\ndef page():\n    return subprocess.run("less " + request.args["file"], shell=True)\n'
    ]
  ]
)

certainty(
  'who starts a program may choose what it runs, a client may not',
  'js/shell-injection',
  [
    [
      'javascript',
      "import { execSync } from 'node:child_process'\n\nexecSync('git tag ' + process.argv[2])\n"
    ],
    [
      'javascript',
      "import { execSync } from 'node:child_process'\n\nexport const tag = (version) => execSync(`git tag ${version}`)\n"
    ]
  ],
  [
    [
      'javascript',
      "import { execSync } from 'node:child_process'\n\napp.get('/tag', (req, res) => {\n  res.json(execSync('git tag ' + req.query.name))\n})\n"
    ]
  ]
)

certainty(
  'a redirect back to where the client came from, or within this site, is no open redirect',
  'js/open-redirect',
  [
    route("res.redirect(req.get('Referrer') || '/')"),
    route('res.redirect(req.headers.referer)'),
    [
      'typescript',
      "export const slash = async (c: Context) => {\n  const url = new URL(c.req.url)\n  url.pathname += '/'\n  return c.redirect(url.toString(), 301)\n}\n"
    ],
    ['javascript', 'export const toLanguage = (c, lang) => c.redirect(`/${lang}${c.req.path}`)\n']
  ],
  [route('res.redirect(req.query.next)')]
)

certainty(
  'what a server sends is a page only when it says so or holds markup',
  'js/unescaped-markup',
  [
    route('res.end(JSON.stringify(req.headers))'),
    route('res.end(req.params.id)'),
    route('res.send(req.query)'),
    route('res.send(Object.keys(req.params).map((key) => [key, req.params[key]]))'),
    route('res.send(`Hello ${req.hostname}`)'),
    route("res.send(names.slice(req.params.from, req.params.to).join(', '))"),
    ['tsx', "app.get('/post/:post', (c) => c.html(<h1>{c.req.param('post')}</h1>))\n"]
  ],
  [
    route('res.send(`Hello ${req.query.name}`)'),
    route('res.end(`<p>${req.params.id}</p>`)'),
    route('res.send(`<p>${Object.assign({}, req.query).name}`)'),
    route("res.send([req.query.q].join(''))"),
    route('res.send(`<script>start(${JSON.stringify(req.query)})</script>`)')
  ]
)

certainty(
  'a file that is sent from a fixed root stays inside of it',
  'js/path-traversal',
  [route("res.download(req.params.id, { root: '/srv/files' }, done)")],
  [route('res.download(req.params.id, done)')]
)

certainty(
  'a value behind a whole host cannot change where a request goes',
  'js/request-from-input',
  [
    route('fetch(`http://${server.host}:${server.port}/${req.params.id}`)'),
    route('fetch(`${base}/files/${req.params.id}`)')
  ],
  [route('fetch(`http://${req.query.host}/files`)'), route('fetch(req.query.url)')]
)

certainty(
  'a value that a condition has asked about may have been checked',
  'js/request-from-input',
  [
    route(
      'const { url } = req.query\n  if (!(await mayFetch(url))) return res.sendStatus(403)\n  fetch(url)'
    ),
    route('if (denied(req.query.url)) return res.sendStatus(403)\n  fetch(req.query.url)')
  ],
  [route('const { url } = req.query\n  if (!url) return res.sendStatus(400)\n  fetch(url)')]
)

certainty(
  'a statement is proven to be open when it runs with a value that a caller chose',
  'js/sql-injection',
  [
    [
      'javascript',
      "const prefix = load()\nexport const statement = `SELECT id FROM users WHERE name = '${prefix}'`\n"
    ]
  ],
  [
    [
      'javascript',
      "export const find = (db, name) => db.query(`SELECT id FROM users WHERE name = '${name}'`)\n"
    ],
    route("db.query('SELECT id FROM users WHERE name = ' + req.query.name)")
  ]
)

const tests: readonly Example[] = [
  [
    'typescript',
    "import { expect, test } from 'vitest'\n\ntest('signs', () => {\n  expect(jwt.sign({}, 's3cret-key-0042')).toBe('x')\n})\n"
  ],
  [
    'javascript',
    "const request = require('supertest')\n\ndescribe('app', () => {\n  app.get('/', (req, res) => res.send('Hello ' + req.query.name))\n})\n"
  ],
  [
    'go',
    'package a\n\nimport (\n\t"crypto/tls"\n\t"testing"\n)\n\nfunc TestServer(t *testing.T) {\n\tcall(&tls.Config{InsecureSkipVerify: true})\n}\n'
  ],
  [
    'python',
    'import pytest\nimport requests\n\n\ndef test_server():\n    assert requests.get("https://localhost", verify=False).ok\n'
  ],
  [
    'rust',
    'fn main() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn trusts() {\n        let client = Client::builder().danger_accept_invalid_certs(true).build();\n        drop(client);\n    }\n}\n'
  ]
]

t.test('what a test does with its own server and keys is no certain hole', async (t) => {
  for (const example of tests) {
    t.strictSame(await errorsOf(example), [], example[1])
    const [language, code] = example
    const findings = await analyze({ code, language })
    t.ok(
      findings.some(({ severity, analysisType }) => severity === 'warning' && analysisType === 'security'),
      'it is a warning'
    )
  }
  t.match(
    await errorsOf([
      'go',
      'package a\n\nimport "crypto/tls"\n\nfunc dial() {\n\tcall(&tls.Config{InsecureSkipVerify: true})\n}\n'
    ]),
    [/go\/tls-check-disabled$/]
  )
  t.match(
    await errorsOf([
      'rust',
      'fn trusts() {\n    let client = Client::builder().danger_accept_invalid_certs(true).build();\n    drop(client);\n}\n\n#[cfg(test)]\nmod tests {}\n'
    ]),
    [/rust\/tls-check-disabled$/],
    'the tests at the end of a file say nothing of the code before them'
  )
})

certainty(
  'a key of words may be a sample, one with digits is a key',
  'js/setting-secret',
  [
    ['javascript', "app.use(session({ secret: 'keyboard cat' }))\n"],
    ['javascript', "app.use(cookieParser('my secret here'))\n"],
    ['javascript', "hash({ password: 'foobar' }, done)\n"],
    ['python', 'app.secret_key = "development key"\n'],
    ['go', 'package a\n\nvar store = sessions.NewCookieStore([]byte("something very secret"))\n']
  ],
  [['javascript', "app.use(session({ secret: 'k3yb0ard-0c4t-99' }))\n"]]
)

certainty(
  'text that a caller hands in is run as code; text that the code makes may be meant to run',
  'js/no-eval',
  [
    ['javascript', "export const read = (options) => eval('(' + options + ')')\n"],
    ['javascript', 'const source = compile(tree)\nexport const run = (0, eval)(source)\n'],
    ['javascript', 'export const make = (names, body) => new Function(...names, body)\n']
  ],
  [
    ['javascript', 'export function f (x) {\n  return eval(x)\n}\n'],
    ['javascript', "export const parse = (request) => eval('(' + request.body + ')')\n"]
  ]
)

certainty(
  'Python runs what a caller hands in, or a configuration file',
  'py/suspicious-eval-usage',
  [
    [
      'python',
      'def load(path):\n    with open(path, "rb") as file:\n        exec(compile(file.read(), path, "exec"), {})\n'
    ]
  ],
  [['python', 'def calculate(formula):\n    return eval(formula)\n']]
)

certainty(
  'a hook of a library of hooks is its own affair, one of React is not',
  'js/conditional-hook',
  [
    [
      'typescript',
      "import { useContext } from '../context'\n\nexport const Title = (props: Props) => {\n  if (props.space) {\n    useContext(props.space)\n  }\n  return null\n}\n"
    ],
    [
      'typescript',
      'export const useState = <T>(initial: T) => make(initial)\n\nexport const useTransition = () => {\n  if (isServer()) return []\n  const [error] = useState(null)\n  return [error]\n}\n'
    ]
  ],
  [
    [
      'typescript',
      "import { useState } from 'react'\n\nexport const Title = (props: Props) => {\n  if (props.open) {\n    useState(0)\n  }\n  return null\n}\n"
    ],
    ['jsx', 'function Title ({ open }) {\n  if (open) useEffect(() => {})\n  return <p />\n}\n']
  ]
)

certainty(
  'a map whose result nobody wants is a loop',
  'js/array-callback-return',
  [['javascript', 'handlers.map((handler) => {\n  add(handler)\n})\n']],
  [['javascript', 'export const names = handlers.map((handler) => {\n  add(handler)\n})\n']]
)

certainty(
  'an address that is written down is no link',
  'js/unescaped-markup',
  [['javascript', "export const attack = 'javascript:alert(1)'\n"]],
  [['jsx', 'export const Link = () => <a href={location.hash.slice(1)}>next</a>\n']]
)

certainty(
  'what a class reads of itself may be safe, what a request brings is not',
  'java/deserialize-input',
  [
    [
      'java',
      'class Copy {\n  private void readObject(ObjectInputStream in) throws Exception {\n    this.value = (String) in.readObject();\n  }\n}\n'
    ]
  ],
  [
    [
      'java',
      'class Load extends HttpServlet {\n  protected void doPost(HttpServletRequest request, HttpServletResponse response) throws Exception {\n    ObjectInputStream in = new ObjectInputStream(request.getInputStream());\n    use(in.readObject());\n  }\n}\n'
    ]
  ]
)

certainty(
  'a default that nothing changes is shared without harm',
  'py/mutable-argument-default',
  [['python', 'def total(values=[]):\n    return sum(values)\n']],
  [['python', 'def keep(value, values=[]):\n    values.append(value)\n    return values\n']]
)

certainty(
  'names of Python 2, names in quotes and a comparison for NaN prove nothing',
  'py/undefined-name',
  [
    ['python', 'import sys\n\nif sys.version_info[0] == 2:\n    text = unicode\nelse:\n    text = str\n'],
    ['python', 'import sys\n\n\ndef load(path: "Path") -> None:\n    sys.exit(path)\n'],
    ['python', 'def is_nan(value):\n    return value != value\n']
  ],
  [['python', 'import sys\n\n\ndef load(path):\n    sys.exit(Path(path))\n']]
)

certainty(
  'a fraction is as near as it can be, a whole number is lost',
  'js/no-loss-of-precision',
  [['javascript', 'export const pi = 3.14159265358979323846264\n']],
  [['javascript', 'export const id = 9007199254740993\n']]
)

certainty(
  'identity of texts is no slip where characters are compared, or where equals follows',
  'java/string-identity',
  [
    [
      'java',
      'class Fold {\n  static boolean same(final int one, final int two) {\n    return Character.toLowerCase(one) == Character.toLowerCase(two);\n  }\n}\n'
    ],
    [
      'java',
      'class Order {\n  static int compare(String one, String two) {\n    if (one == two) {\n      return 0;\n    }\n    return one.compareTo(two);\n  }\n}\n'
    ]
  ],
  [
    [
      'java',
      'class Same {\n  static boolean same(String one, String two) {\n    return one == two;\n  }\n}\n'
    ]
  ]
)

certainty(
  'what another database, a template or a browser reads is no certain syntax error',
  'all/syntax-error',
  [
    ['sql', 'DROP TABLE IF EXISTS user;\n'],
    ['html', '</body>\n</html>\n'],
    [
      'html',
      '<!doctype html>\n<html>\n<body>\n<form action="{{ url("add") }}">\n</form>\n</body>\n</html>\n'
    ],
    ['css', '.a { *zoom: 1 }\n'],
    ['python', 'from {{ name }} import app\n']
  ],
  [
    ['python', 'def f(:\n    pass\n'],
    ['javascript', 'function (\n'],
    ['css', '.a { color: red\n']
  ]
)

certainty(
  'what the author has marked as known proves nothing',
  'py/undefined-name',
  [['python', 'import sys\n\nsys.exit(tags)  # noqa: F821\n']],
  [['python', 'import sys\n\nsys.exit(tags)  # noqa: E501\n']]
)

certainty(
  'code that runs with names of its own choice is run on purpose',
  'py/exec-builtin',
  [['python', 'def run(code, names):\n    exec(code, names)\n']],
  [['python', 'def run(code):\n    exec(code)\n']]
)

certainty(
  'a redirect to the address of the request leads to the same host',
  'go/open-redirect',
  [
    [
      'go',
      'package a\n\nimport "net/http"\n\nfunc clean(w http.ResponseWriter, r *http.Request) {\n\thttp.Redirect(w, r, r.URL.String()+"/", http.StatusMovedPermanently)\n}\n'
    ]
  ],
  [
    [
      'go',
      'package a\n\nimport "net/http"\n\nfunc next(w http.ResponseWriter, r *http.Request) {\n\thttp.Redirect(w, r, r.FormValue("next"), http.StatusFound)\n}\n'
    ]
  ]
)

certainty(
  'leaving a finally block under a condition may be meant',
  'js/no-unsafe-finally',
  [
    [
      'javascript',
      'export function close (it) {\n  try {\n    run(it)\n  } finally {\n    if (it.done) return\n  }\n}\n'
    ]
  ],
  [
    [
      'javascript',
      'export function close (it) {\n  try {\n    return run(it)\n  } finally {\n    return null\n  }\n}\n'
    ]
  ]
)

certainty(
  'a password in an address of an example is a sample',
  'all/hard-coded-secret',
  [
    ['python', 'url = "https://jo%40email.com:a%20secret@www.example.org/"\n'],
    ['javascript', "export const auth = { username: 'janedoe', password: 's00pers3cret' }\n"]
  ],
  [['javascript', "export const apiKey = 'q8Zr41xTmb0VwKc93LdP'\n"]]
)

certainty(
  'a callback that returns on one path may mean undefined on the others',
  'js/array-callback-return',
  [
    [
      'javascript',
      'export const values = sources.map((source) => {\n  if (isRef(source)) {\n    return source.value\n  } else {\n    warn(source)\n  }\n})\n'
    ]
  ],
  [['javascript', 'export const values = sources.map((source) => {\n  source.value\n})\n']]
)

certainty(
  'what differs from itself is NaN',
  'js/no-self-compare',
  [
    ['javascript', 'if (node.key !== node.key) warn(node)\n'],
    ['javascript', 'export const isReflexive = (value) => value === value\n'],
    ['python', 'def is_number(value):\n    return value == value\n'],
    ['go', 'package a\n\nfunc isNaN(f float64) bool {\n\treturn f != f\n}\n'],
    ['java', 'class N {\n  static boolean isNaN(double value) {\n    return value != value;\n  }\n}\n']
  ],
  [['javascript', 'if (node.key < node.key) warn(node)\n']]
)

t.test('what is closed, kept apart or only imported gets no finding', async (t) => {
  for (const [ruleId, sound, flawed] of [
    [
      'py/open-file-with-context-handler',
      'def read(path):\n    file = open(path)\n    try:\n        return file.read()\n    finally:\n        file.close()\n',
      'def read(path):\n    file = open(path)\n    return file.read()\n'
    ],
    [
      'py/non-unique-enums',
      'import enum\n\n\nclass Mark(enum.Enum):\n    UNSET = object()\n    NEEDS = object()\n',
      'import enum\n\n\nclass Mark(enum.Enum):\n    UNSET = 1\n    NEEDS = 1\n'
    ],
    [
      'py/debugger',
      'import pdb\n\n\ndef patched(debugger):\n    debugger.patch(pdb.Pdb)\n',
      'import pdb\n\n\ndef run():\n    pdb.set_trace()\n'
    ],
    [
      'go/resource-leak',
      'package a\n\nfunc value(c *Context) any {\n\tvalue, ok := c.Get("key")\n\tif !ok {\n\t\treturn nil\n\t}\n\treturn value\n}\n',
      'package a\n\nimport "net/http"\n\nfunc value(c *http.Client) int {\n\tresponse, err := c.Get("https://example.org")\n\tif err != nil {\n\t\treturn 0\n\t}\n\treturn response.StatusCode\n}\n'
    ]
  ] as const) {
    const language = ruleId.startsWith('go') ? 'go' : 'python'
    const has = async (code: string): Promise<boolean> =>
      (await analyze({ code, language })).some((finding) => finding.ruleId === ruleId)
    t.notOk(await has(sound), sound)
    t.ok(await has(flawed), flawed)
  }
})

certainty(
  'a list whose address is handed on may have grown',
  'go/index-out-of-range',
  [
    [
      'go',
      'package a\n\nfunc first(c Context) int {\n\tusers := []int{}\n\terr := c.Bind(&users)\n\tcheck(err)\n\treturn users[0]\n}\n'
    ]
  ],
  [['go', 'package a\n\nfunc first() int {\n\tusers := []int{}\n\treturn users[0]\n}\n']]
)

certainty(
  'a component of another library than React may set its state in the constructor',
  'js/set-state-in-constructor',
  [
    [
      'jsx',
      "import { Component } from 'preact'\n\nexport class Title extends Component {\n  constructor (props) {\n    super(props)\n    this.setState({ open: true })\n  }\n}\n"
    ]
  ],
  [
    [
      'jsx',
      "import { Component } from 'react'\n\nexport class Title extends Component {\n  constructor (props) {\n    super(props)\n    this.setState({ open: true })\n  }\n}\n"
    ]
  ]
)

certainty(
  'a regular expression between slashes loses no backslash',
  'js/lost-escape',
  [['javascript', 'export const pattern = new RegExp(/^\\s+\\w/)\n']],
  [['javascript', "export const pattern = new RegExp('^\\s+')\n"]]
)

certainty(
  'text that a condition has looked at may be safe to run',
  'js/no-eval',
  [['javascript', 'export function parse (text) {\n  if (isJson.test(text)) return eval(text)\n}\n']],
  [['javascript', 'export function parse (text) {\n  if (isOld) return eval(text)\n}\n']]
)

certainty(
  'a program need not check the certificate of its own machine, or checks it itself',
  'js/tls-check-disabled',
  [
    ['javascript', "connect({ host: 'localhost', rejectUnauthorized: false })\n"],
    [
      'javascript',
      'const connector = build({ rejectUnauthorized: false })\nconnector(options, (error, socket) => check(socket.getPeerCertificate()))\n'
    ]
  ],
  [['javascript', "connect({ host: 'api.example.org', rejectUnauthorized: false })\n"]]
)

certainty(
  'a new search of this page and a list for the loader of a browser bring nobody elsewhere',
  'js/open-redirect',
  [
    [
      'javascript',
      "const search = location.search.slice(1)\nlocation.href = location.href.split('?')[0] + '?' + (search ? search + '&' : '') + 'build=' + build\n"
    ],
    ['javascript', "require({ paths: location.search }, ['lodash'], start)\n"],
    [
      'javascript',
      "const url = new URL(location.href)\nurl.searchParams.set('page', page)\nlocation.href = url.toString()\n"
    ],
    ['javascript', 'const go = (to) => location.assign(to)\ngo(document.URL)\n']
  ],
  [['javascript', "location.href = new URLSearchParams(location.search).get('next')\n"]]
)

certainty(
  'an identifier may be a key, and may be the number of anything',
  'all/hard-coded-secret',
  [['typescript', "export enum Manager {\n  NordPass = 'b84e4048-15dc-4dd0-8640-f4f60813c8af'\n}\n"]],
  [['typescript', "export const apiKey = 'b84e404815dc4dd08640f4f60813c8af'\n"]]
)

certainty(
  'a server that asks for certificates does not use the check of servers',
  'go/tls-check-disabled',
  [
    [
      'go',
      'package a\n\nimport "crypto/tls"\n\nvar c = &tls.Config{\n\tClientAuth: tls.RequestClientCert,\n\tInsecureSkipVerify: true,\n}\n'
    ]
  ],
  [['go', 'package a\n\nimport "crypto/tls"\n\nvar c = &tls.Config{InsecureSkipVerify: true}\n']]
)

certainty(
  'a getter that notes that it was read needs no value',
  'js/getter-return',
  [
    [
      'javascript',
      "let isSupported = false\nconst options = Object.defineProperty({}, 'passive', {\n  get() {\n    isSupported = true\n  }\n})\n"
    ]
  ],
  [['javascript', 'export class A {\n  get size() {\n    this.list.length\n  }\n}\n']]
)

certainty(
  'text that is turned back, or written from right to left, hides nothing',
  'all/bidi-characters',
  [
    ['javascript', "export const year = '\u202B\u0633\u0646\u0629'\n"],
    ['javascript', "export const name = '\u2068A\u2069'\n"]
  ],
  [['javascript', "if (level !== 'user\u202E \u2066// admin') allow()\n"]]
)

certainty(
  'a key in a comment, a page that a template fills in and a debug mode by hand prove nothing',
  'py/flask-debug-true',
  [
    ['javascript', "export const search = {\n  // apiKey: '98e886dfbcde7f7e8ec8d7ff1c2c34c8'\n}\n"],
    [
      'html',
      '<!doctype html>\n<html lang="en">\n<body>\n{% if a %}\n<p id="x">1</p>\n{% else %}\n<p id="x">2</p>\n{% endif %}\n</body>\n</html>\n'
    ],
    ['html', '<form id="login"><input type="password" name="password"></form>\n'],
    [
      'python',
      'from flask import Flask\n\napp = Flask(__name__)\n\nif __name__ == "__main__":\n    app.run(debug=True)\n'
    ],
    ['python', 'import gettext\n\ngettext.install("app")\nprint(_("Hello"))\n']
  ],
  [['python', 'from flask import Flask\n\napp = Flask(__name__)\napp.run(debug=True)\n']]
)

certainty(
  'code in which many names are missing is a piece of something',
  'py/undefined-name',
  [['python', 'import sys\n\nsys.exit(first + second + third + fourth + fifth)\n']],
  [['python', 'import sys\n\nsys.exit(first + second)\n']]
)

certainty(
  'a client that fetches is no database, and a record that is written is no page',
  'py/sql-injection',
  [
    [
      'python',
      'class Proxy(RequestHandler):\n    async def get(self):\n        return await self.client.fetch(self.request.body)\n'
    ],
    [
      'python',
      'class Chat(RequestHandler):\n    def post(self):\n        message = {"body": self.get_argument("body")}\n        message["html"] = self.render_string("message.html", message=message)\n        self.write(message)\n'
    ]
  ],
  [
    [
      'python',
      'class Users(RequestHandler):\n    def get(self):\n        self.db.execute("SELECT id FROM users WHERE name = \'" + self.get_argument("name") + "\'")\n'
    ]
  ]
)

const flask = (path: string): Example => [
  'python',
  `from flask import Flask\n\napp = Flask(__name__)\n\n\n@app.route("${path}")\ndef read(name):\n    with open("/srv/notes/" + name, encoding="utf-8") as file:\n        return {"text": file.read()}\n`
]
const fastapi = (path: string): Example => [
  'python',
  `from fastapi import FastAPI\n\napp = FastAPI()\n\n\n@app.get("${path}")\nasync def read(name: str):\n    with open(f"/srv/notes/{name}", encoding="utf-8") as file:\n        return {"text": file.read()}\n`
]

certainty(
  'one segment of a path holds no slash in Flask and FastAPI, a path or a query does',
  'py/path-traversal',
  [flask('/notes/<name>'), flask('/notes/<string:name>'), fastapi('/notes/{name}')],
  [flask('/notes/<path:name>'), fastapi('/notes/{name:path}'), fastapi('/notes')]
)

certainty(
  // Express matches the path as it was sent and decodes the segment afterwards: `..%2F..%2Fetc` is one segment.
  'a segment of a path holds a slash in Express; nothing but words is left of it after a replacement',
  'js/path-traversal',
  [
    route("fs.readFileSync(`/srv/page-${req.params.id.replace(/[^a-z0-9]/gi, '')}.html`)"),
    route("fs.readFileSync('/srv/' + req.query.id.replace(/[^\\w-]+/g, '-'))")
  ],
  [
    route("fs.readFileSync('/srv/' + req.params.id)"),
    route("fs.readFileSync('/srv/' + req.query.id.replace(/[^a-z0-9]/, ''))"),
    route("fs.readFileSync('/srv/' + req.query.id.replace(/[^+-z]/g, ''))"),
    route("fs.readFileSync('/srv/' + req.query.id.replace(/[^a-z./]/g, ''))")
  ]
)

certainty(
  'a router may refuse a slash in a segment of the path, it takes one in a query',
  'go/path-traversal',
  [
    [
      'go',
      'package a\n\nfunc read(c *gin.Context) {\n\tdata, err := os.ReadFile("/srv/" + c.Param("name"))\n\tuse(data, err)\n}\n'
    ]
  ],
  [
    [
      'go',
      'package a\n\nfunc read(c *gin.Context) {\n\tdata, err := os.ReadFile("/srv/" + c.Query("name"))\n\tuse(data, err)\n}\n'
    ]
  ]
)

const kept = 'if (option.selected = list.indexOf(option) > -1) {\n  found()\n}\n'

certainty(
  'a comparison is kept on purpose where a comment for ESLint says so',
  'js/kept-comparison',
  [
    ['javascript', `/* eslint-disable no-cond-assign */\n${kept}/* eslint-enable no-cond-assign */\n`],
    ['javascript', `// eslint-disable-next-line no-cond-assign\n${kept}`]
  ],
  [
    ['javascript', kept],
    ['javascript', `// eslint-disable-next-line no-alert\n${kept}`]
  ]
)

const page = (script: string): Example => [
  'html',
  `<!doctype html>\n<html lang="en">\n<head><title>a</title></head>\n<body>\n<script>${script}</script>\n</body>\n</html>\n`
]

certainty(
  'a script with a placeholder parses once it is filled in',
  'all/syntax-error',
  [page('@SCRIPT'), page('\nconst data = %DATA%;\n'), page('\nconst data = @DATA@;\n')],
  [page('\nconst data = ;\n'), page('\nmail(me@example)\n')]
)

const goCode = (body: string): Example => ['go', `package a\n\nfunc f(c *Config) {\n${body}\n}\n`]

certainty(
  'a setting that switches the certificate check off is the choice of who runs the program',
  'go/tls-check-disabled',
  [
    goCode('\tif !c.Verify {\n\t\tlog.Print("[WARN] not verified")\n\t\tc.TLS.InsecureSkipVerify = true\n\t}')
  ],
  [
    goCode('\tc.TLS.InsecureSkipVerify = true'),
    goCode('\tif err := load(c); err != nil {\n\t\tc.TLS.InsecureSkipVerify = true\n\t}')
  ]
)

certainty(
  'a precision may have no digits',
  'go/printf-arguments',
  [goCode('\tlog.Printf("%+0.f%%", c.Part)')],
  [goCode('\tlog.Printf("%+0.f%% %s", c.Part)')]
)

certainty(
  'zero is zero in every unit',
  'go/sleep-without-unit',
  [goCode('\t<-time.After(0)')],
  [goCode('\t<-time.After(100)')]
)

const javaMethod = (body: string): Example => [
  'java',
  `class A {\n  private String lastKey;\n  Object find(String key, Pool pool) {\n${body}\n  }\n}\n`
]

certainty(
  'identity of texts is no slip where the last one is remembered',
  'java/string-identity',
  [javaMethod('    if (lastKey == key) return last;\n    lastKey = key;\n    return last = load(key);')],
  [javaMethod('    if (lastKey == key) return last;\n    return load(key);')]
)

certainty(
  'a collection that is counted from 1 has a last element of that number',
  'java/off-by-one',
  [javaMethod('    for (int i = 1; i <= pool.size(); i++) use(pool.get(i));\n    return null;')],
  [javaMethod('    for (int i = 0; i <= pool.size(); i++) use(pool.get(i));\n    return null;')]
)

certainty(
  'a key for searching is given to every visitor',
  'all/hard-coded-secret',
  [['typescript', "const ALGOLIA_SEARCH_API_KEY = '6be0576ff61c053d5f9a3225e2a90f76'\n"]],
  [['typescript', "const ALGOLIA_ADMIN_API_KEY = '6be0576ff61c053d5f9a3225e2a90f76'\n"]]
)

certainty(
  'the debug mode of Flask runs code, the one of Quart does not',
  'py/flask-debug-true',
  [['python', 'from quart import Quart\n\napp = Quart(__name__)\n\n\ndef run():\n    app.run(debug=True)\n']],
  [['python', 'from flask import Flask\n\napp = Flask(__name__)\n\n\ndef run():\n    app.run(debug=True)\n']]
)

certainty(
  'an address that a check has seen under its name may have been checked',
  'py/open-redirect',
  [
    [
      'python',
      'def go(request):\n    url = request.POST.get("next")\n    if (url or request.accepts("text/html")) and not url_has_allowed_host_and_scheme(\n        url=url, allowed_hosts={request.get_host()}\n    ):\n        url = "/"\n    return HttpResponseRedirect(url)\n'
    ]
  ],
  [['python', 'def go(request):\n    url = request.POST.get("next")\n    return HttpResponseRedirect(url)\n']]
)

certainty(
  'a package has a path',
  'py/undefined-name',
  [['python', 'import pkgutil\n\nmodules = list(pkgutil.iter_modules(__path__))\n']],
  [['python', 'import pkgutil\n\nmodules = list(pkgutil.iter_modules(__paths__))\n']]
)

certainty(
  'a type of the program may verify elsewhere, tls.Config does not',
  'go/tls-check-disabled',
  [
    [
      'go',
      'package a\n\nfunc transport(ids []string) *dynamic.Transport {\n\treturn &dynamic.Transport{\n\t\tInsecureSkipVerify: true,\n\t\tPeerIDs: ids,\n\t}\n}\n'
    ]
  ],
  [
    [
      'go',
      'package a\n\nimport "crypto/tls"\n\nfunc config() *tls.Config {\n\treturn &tls.Config{InsecureSkipVerify: true}\n}\n'
    ]
  ]
)

certainty(
  'a comment may say that a client secret is public',
  'all/hard-coded-secret',
  [
    [
      'go',
      'package a\n\nvar (\n\t// This value is safe to be embedded in version control\n\tclientSecret = "34ddeff2b558a23d38fba8a6de74f086ede1cc0b"\n)\n'
    ]
  ],
  [
    [
      'go',
      'package a\n\nvar (\n\t// The secret of the app\n\tclientSecret = "34ddeff2b558a23d38fba8a6de74f086ede1cc0b"\n)\n'
    ]
  ]
)

certainty(
  '`!list.length > 0` is true of an empty list, other comparisons of a negation are not what they say',
  'js/negated-comparison',
  [['javascript', 'export function f(list) {\n  if (!list.length > 0) return null\n  return list[0]\n}\n']],
  [['javascript', 'export function f(list) {\n  if (!list.length > 3) return null\n  return list[0]\n}\n']]
)

certainty(
  'an attribute that stands twice with one value changes nothing',
  'html/attr-no-duplication',
  [['html', '<my-input class="wide"\n  title="a > b"\n  class="wide"></my-input>\n']],
  [['html', '<p class="wide"\n  title="a"\n  class="narrow">a</p>\n']]
)

certainty(
  'a setting may turn the check of certificates off',
  'js/tls-check-disabled',
  [
    [
      'javascript',
      "import https from 'node:https'\n\nexport function agentFor(target) {\n  if (target.unsafeTls) return new https.Agent({ rejectUnauthorized: false })\n  return https.globalAgent\n}\n"
    ]
  ],
  [
    [
      'javascript',
      "import https from 'node:https'\n\nexport function agentFor(target) {\n  if (target.url.startsWith('https')) return new https.Agent({ rejectUnauthorized: false })\n  return https.globalAgent\n}\n"
    ]
  ]
)

certainty(
  'a page may have placeholders with the delimiters of its own',
  'all/syntax-error',
  [['html', '<script>\n  window.settings = [{[ .Json ]}]\n</script>\n']],
  [['html', '<script>\n  window.settings = [{ .Json }]\n</script>\n']]
)

certainty(
  'comments for ty, Pyright and Ruff say that the author knows',
  'py/undefined-name',
  [
    [
      'python',
      'import os\n\nprint(os.getcwd()[: -len(__BIN_NAME__) - 1])  # ty: ignore[unresolved-reference]\n'
    ]
  ],
  [['python', 'import os\n\nprint(os.getcwd()[: -len(__BIN_NAME__) - 1])\n']]
)

certainty(
  'what is called a request is one where the code serves requests',
  'js/path-traversal',
  [
    [
      'javascript',
      "import fs from 'node:fs'\n\nexport function load(request) {\n  return fs.readFileSync('/srv/' + request.query.name)\n}\n"
    ],
    [
      'python',
      'def load(request):\n    with open("/srv/" + request.params["name"], encoding="utf-8") as file:\n        return file.read()\n'
    ]
  ],
  [
    [
      'javascript',
      "import fs from 'node:fs'\n\nexport function load(req, res) {\n  res.send(fs.readFileSync('/srv/' + req.query.name))\n}\n"
    ]
  ]
)

certainty(
  'of an object of which one field came from a client, the other fields may be safe',
  'js/regexp-from-input',
  [
    [
      'javascript',
      'const limit = (req) => new RegExp(req.limits.path)\n\nexport function handle(req, res, next) {\n  req.body = JSON.parse(req.body)\n  limit(req)\n  next()\n}\n'
    ]
  ],
  [route('const settings = {}\n  settings.path = req.query.path\n  use(new RegExp(settings.path))')]
)

certainty(
  'what stands behind a path of this site leads nowhere else',
  'js/open-redirect',
  [
    route('res.redirect(303, `./callback?${new URLSearchParams(req.body)}`)'),
    route('res.redirect(`users/${req.query.id}`)')
  ],
  [route('res.redirect(`${req.query.id}/users`)'), route('res.redirect(`//${req.query.host}/users`)')]
)

certainty(
  'the decimal 420 is a mode, 644 is none',
  'py/decimal-mode',
  [['python', 'import os\n\nos.chmod("pid", 420)\nos.chmod("pid", 511)\n']],
  [['python', 'import os\n\nos.chmod("pid", 644)\n']]
)

certainty(
  'a pattern for a token is no token',
  'all/hard-coded-secret',
  [['javascript', "export const timeToken = '\\\\b\\\\d{1,2}[:.]\\\\d{2}\\\\b'\n"]],
  [['javascript', "export const timeToken = '9f86d081884c7d659a2feaa0c55ad015'\n"]]
)

certainty(
  'types in a file of JavaScript are of another dialect',
  'all/syntax-error',
  [
    ['javascript', "import type { Config } from './config'\n\nexport const a = 1\n"],
    ['javascript', 'export function load(name: string) {\n  return name\n}\n'],
    ['javascript', 'export class A {\n  emitter: any;\n}\n'],
    ['shell', '#!/bin/bash\nTEXT=$(cat << EOF\none\nEOF)\necho "$TEXT"\n']
  ],
  [
    ['javascript', 'export function load(name {\n  return name\n}\n'],
    ['shell', '#!/bin/bash\nif true; then\n  echo "a"\n']
  ]
)

certainty(
  'what the compiler of TypeScript refuses is most likely a type',
  'js/no-import-assign',
  [
    [
      'tsx',
      "import { CreateLocale } from './contracts'\n\nexport const CreateLocale = ({ name }: CreateLocale.Props) => <p>{name}</p>\n"
    ]
  ],
  [['javascript', "import { locale } from './contracts'\n\nlocale = 'en'\n"]]
)

certainty(
  'a weak cipher may be what a protocol asks for, and jQuery takes what begins with # for a name',
  'js/unescaped-markup',
  [
    [
      'javascript',
      "import crypto from 'node:crypto'\n\nexport const des = crypto.createCipheriv('des-ecb', key, '')\n"
    ],
    [
      'javascript',
      'const found = window.location.hash.match(/^#diff-.+$/)\nif (found) $(found[0]).addClass("active")\n'
    ]
  ],
  [['javascript', "$('<p>' + decodeURIComponent(location.hash) + '</p>').appendTo('body')\n"]]
)
