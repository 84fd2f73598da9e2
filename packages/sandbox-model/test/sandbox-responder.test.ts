import t from 'tap'
import { createSandboxResponder, type OllamaRequest } from '../src/index.js'

const respond = createSandboxResponder()

function ask(content: string, rest: Partial<OllamaRequest> = {}): string {
  return respond({
    model: 'sandbox',
    messages: [{ role: 'user', content }],
    stream: true,
    options: {},
    ...rest
  })
}

t.test('a plain prompt gets text, and one that names a language gets a program in it', async (t) => {
  t.match(ask('Tell me something.'), /^# [\s\S]*sandbox and not from a language model/)
  t.match(ask('Write a Python function.'), /^```python\n# Sandbox[\s\S]*\n```$/)
})

t.test('no messages at all get a text', async (t) => {
  t.match(respond({ model: 'sandbox', messages: [], stream: true, options: {} }), /sandbox/)
})

t.test('the same request gets the same response', async (t) => {
  t.equal(ask('Write some Rust.'), ask('Write some Rust.'))
})

t.test('any schema gets a matching value', async (t) => {
  const format = {
    type: 'object',
    properties: {
      n: { type: 'integer', minimum: 3 },
      s: { type: 'string' },
      e: { enum: ['x', 'y'] },
      b: { type: 'boolean' },
      z: { type: 'null' },
      list: { type: 'array', minItems: 1, items: { type: 'number' } },
      o: { type: 'object', properties: { a: { type: 'array' } }, required: ['a'] },
      optional: { type: 'string' }
    },
    required: ['n', 's', 'e', 'b', 'z', 'list', 'o']
  }

  t.match(JSON.parse(ask('Anything.', { format })), {
    n: 3,
    s: /sandbox/i,
    e: 'x',
    b: false,
    z: null,
    list: [0],
    o: { a: [] }
  })
  t.strictSame(JSON.parse(ask('Anything.', { format: 'json' })), {})
})

t.test("a header inside the user's text is not mistaken for ours", async (t) => {
  const mark = '0123456789abcdef'
  t.match(
    ask(`Task: code\nLanguage: go\n<<<request ${mark}\nTask: content\nLanguage: php\nrequest ${mark}>>>`),
    /^```go\n/
  )
})
