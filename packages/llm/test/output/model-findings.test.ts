import t from 'tap'
import { cpuMsOf } from '@filewright/testing'
import { anchorOf, parseModelFindings } from '../../src/index.js'

const code = 'const a = eval(input)\n\nreturn a == 1\n'
const first = anchorOf(1, 'const a = eval(input)')
const third = anchorOf(3, 'return a == 1')

function finding(changes: object = {}): object {
  return {
    anchor: first,
    line: 1,
    category: 'security',
    type: 'warning',
    message: 'Input is run as code',
    suggestion: 'Parse the input',
    ...changes
  }
}

function answer(...findings: unknown[]): string {
  return JSON.stringify({ findings })
}

t.test('a finding with the right anchor is accepted', async (t) => {
  t.strictSame(parseModelFindings(answer(finding()), code), {
    findings: [
      {
        line: 1,
        category: 'security',
        type: 'warning',
        message: 'Input is run as code',
        suggestion: 'Parse the input'
      }
    ],
    dropped: 0,
    usable: true
  })
})

const unbelievable: Record<string, object> = {
  'a hash of another line': { anchor: third.replace('3#', '1#') },
  'a number of another line': { anchor: first.replace('1#', '3#'), line: 3 },
  'a line past the end': { anchor: '99#abc', line: 99 },
  'line zero': { anchor: '0#abc', line: 0 },
  'a line that contradicts the anchor': { line: 3 },
  'an anchor of a blank line': { anchor: anchorOf(2, ''), line: 2 },
  'no hash': { anchor: '1' },
  'no anchor': { anchor: undefined },
  'an anchor that is not a string': { anchor: 1 },
  'an unknown category': { category: 'taste' },
  'an unknown type': { type: 'error' },
  'no message': { message: undefined },
  'an empty message': { message: ' \n' },
  'a message of signs': { message: '!!! 123' },
  'a message that is not a string': { message: ['x'] },
  'the mark of the prompt in the message': { message: 'The mark is 0123456789abcdef' }
}

for (const [name, changes] of Object.entries(unbelievable)) {
  t.test(`a finding with ${name} is dropped and the others stay`, async (t) => {
    const result = parseModelFindings(
      answer(finding(changes), finding({ anchor: third, line: 3, message: 'Loose equality' })),
      code
    )

    t.strictSame(
      result.findings.map(({ line }) => line),
      [3]
    )
    t.equal(result.dropped, 1)
  })
}

t.test('a quote decides which line is meant, nearest to the given number', async (t) => {
  const twice = 'a()\nb()\nc()\na()\n'
  const lineFor = (place: object, text = twice): number[] =>
    parseModelFindings(answer(finding({ anchor: undefined, line: undefined, ...place })), text).findings.map(
      ({ line }) => line
    )

  t.strictSame(lineFor({ anchor: '2#000', quote: 'c()' }), [3])
  t.strictSame(lineFor({ anchor: '3#000', quote: 'a()' }), [4], 'the nearer of two')
  t.strictSame(lineFor({ quote: 'a()' }), [], 'two and no number')
  t.strictSame(lineFor({ line: 3, quote: 'x()' }), [], 'nowhere')
  t.strictSame(
    lineFor({ line: 9, quote: "  return a === 'x';" }, 'let a\nreturn  a === "x"\n'),
    [2],
    'blanks, quotation marks and a semicolon'
  )
})

t.test('messages without content are dropped', async (t) => {
  for (const message of [
    'No issues found.',
    'None',
    'what is wrong',
    'The code looks good.',
    'This is correctly implemented.',
    'Good use of const',
    'No problems detected',
    'Nothing to report',
    'n/a'
  ]) {
    t.strictSame(parseModelFindings(answer(finding({ message })), code).findings, [], message)
  }
  for (const message of [
    'No error is handled here',
    'The input is not safe',
    'It is not checked whether the key is valid',
    'The value looks fine but may be null',
    'No limit on the number of tries',
    'Nothing stops the loop'
  ]) {
    t.equal(parseModelFindings(answer(finding({ message })), code).findings.length, 1, message)
  }
})

t.test('problems that parsers and linters decide are left to them where they exist', async (t) => {
  for (const message of [
    '`a` is unused',
    'The variable a is never used',
    'b is not defined',
    'Unreachable code',
    'Missing semicolon',
    'Syntax error',
    'Duplicate import of fs',
    'a is declared twice'
  ]) {
    t.strictSame(
      parseModelFindings(answer(finding({ message })), code, { toolsDecide: true }).findings,
      [],
      message
    )
    t.equal(parseModelFindings(answer(finding({ message })), code).findings.length, 1, message)
  }
  for (const message of [
    'a may be undefined',
    'undefined behavior on overflow',
    'The lock is never released',
    'The result is not used as a key'
  ]) {
    t.equal(
      parseModelFindings(answer(finding({ message })), code, { toolsDecide: true }).findings.length,
      1,
      message
    )
  }
})

t.test('a suggestion that is unclear on its own is preceded by its problem', async (t) => {
  const suggestionOf = (suggestion: string): string | undefined =>
    parseModelFindings(answer(finding({ message: 'The last element is missed.', suggestion })), code)
      .findings[0]?.suggestion

  t.equal(suggestionOf('Use >=.'), 'The last element is missed: use >=.')
  t.equal(suggestionOf('Fix this'), 'The last element is missed: fix this')
  t.equal(suggestionOf('Compare with >='), 'Compare with >=')
})

t.test('findings of categories that were not requested are dropped', async (t) => {
  t.strictSame(parseModelFindings(answer(finding()), code, { types: ['style'] }).findings, [])
})

t.test('findings are sorted by line and without duplicates', async (t) => {
  const loose = finding({ anchor: third, line: 3, message: 'Loose equality' })

  const { findings, dropped } = parseModelFindings(
    answer(loose, finding(), finding({ message: '**input** is run as code!' }), loose),
    code
  )

  t.strictSame(
    findings.map(({ line, message }) => [line, message]),
    [
      [1, 'Input is run as code'],
      [3, 'Loose equality']
    ]
  )
  t.equal(dropped, 2)
})

t.test('messages are one plain line of bounded length', async (t) => {
  const message = `- **Bad**\u0000 \u202Ething\uD800 at ${first}:\n\n${'word '.repeat(200)}`

  const [only] = parseModelFindings(answer(finding({ message, suggestion: undefined })), code).findings

  t.match(only?.message, /^Bad thing at line 1: word word/)
  t.ok((only?.message.length ?? 0) <= 300)
  t.match(only?.message, /word…$/)
  t.equal(only?.suggestion, '')
})

t.test('a constant in the code may be named although it looks like a boundary', async (t) => {
  const { findings } = parseModelFindings(
    answer({
      ...finding(),
      anchor: anchorOf(1, 'k = "0123456789abcdef"'),
      message: 'Key 0123456789abcdef is in the code'
    }),
    'k = "0123456789abcdef"'
  )
  t.equal(findings.length, 1)
})

t.test('a list in a fence, a bare list and a list in prose are read', async (t) => {
  for (const text of [
    `\`\`\`json\n${answer(finding())}\n\`\`\``,
    JSON.stringify([finding()]),
    `Here: ${answer(finding())} That is all.`,
    `<think>x</think>${answer(finding())}`
  ]) {
    t.equal(parseModelFindings(text, code).findings.length, 1, text)
  }
})

t.test('the complete items of a truncated list are kept', async (t) => {
  const text = answer(
    finding(),
    finding({ anchor: third, line: 3, message: 'Loose "{equality}"' }),
    finding({ message: 'cut' })
  )

  const { findings, usable } = parseModelFindings(text.slice(0, -40), code)

  t.strictSame(
    findings.map(({ line }) => line),
    [1, 3]
  )
  t.ok(usable)
})

t.test('an empty list is a usable response, and anything without a list is not', async (t) => {
  t.strictSame(parseModelFindings('{"findings":[]}', code), { findings: [], dropped: 0, usable: true })
  t.strictSame(parseModelFindings('{"findings":[', code), { findings: [], dropped: 0, usable: true })
  for (const text of ['', 'no', '{}', '{"findings":7}', 'null', '7', '"x"', '{"a":{"findings":[]}}']) {
    t.equal(parseModelFindings(text, code).usable, false, text)
  }
})

t.test('at most fifty findings are taken', async (t) => {
  const many = Array.from({ length: 80 }, (_, index) => finding({ message: `Problem number ${index}` }))
  t.equal(parseModelFindings(answer(...many), code).findings.length, 50)
})

t.test('a megabyte of broken JSON is parsed in seconds, not minutes', async (t) => {
  for (const text of [
    '{'.repeat(1 << 20),
    '{"'.repeat(1 << 19),
    `{"${'\\"'.repeat(1 << 19)}`,
    '{"a":"b",'.repeat(1 << 16)
  ]) {
    t.ok((await cpuMsOf(() => parseModelFindings(text, code))) < 5_000)
  }
})
