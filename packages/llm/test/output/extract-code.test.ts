import t from 'tap'
import { cpuMsOf } from '@filewright/testing'
import { extractCode, extractCodeBlock, extractContent } from '../../src/index.js'

const F = '```'

interface Case {
  name: string
  text: string
  code: string
  language?: string
}

const cases: Case[] = [
  { name: 'a plain fence is stripped', text: `${F}\nconst a = 1\n${F}`, code: 'const a = 1' },
  { name: 'a fence with a language is stripped', text: `${F}js\nconst a = 1\n${F}`, code: 'const a = 1' },
  {
    name: 'a fence with a blank before its language is stripped',
    text: `${F} js\nconst a = 1\n${F}`,
    code: 'const a = 1'
  },
  {
    name: 'a fence with more after its language is stripped',
    text: `${F}js title="a.js"\nconst a = 1\n${F}`,
    code: 'const a = 1'
  },
  { name: 'a language with signs is stripped', text: `${F}c++\nint a;\n${F}`, code: 'int a;' },
  { name: 'a tilde fence is stripped', text: '~~~py\na = 1\n~~~', code: 'a = 1' },
  {
    name: 'prose around a fence is removed',
    text: `Sure! Here it is:\n\n${F}js\nf()\n${F}\n\nThis calls f.`,
    code: 'f()'
  },
  {
    name: 'prose right against a fence is removed',
    text: `Here it is:\n${F}js\nf()\n${F}\nThis calls f.`,
    code: 'f()'
  },
  {
    name: 'a fence at the end of a sentence counts',
    text: `Here is the code: ${F}js\nf()\n${F}`,
    code: 'f()'
  },
  { name: 'an unclosed fence runs to the end', text: `${F}js\nf()\ng()`, code: 'f()\ng()' },
  { name: 'an unclosed fence after prose runs to the end', text: `Here:\n${F}js\nf()\ng(`, code: 'f()\ng(' },
  {
    name: 'a closing fence on the last line of code is cut off',
    text: `${F}js\nf()\ng()${F}`,
    code: 'f()\ng()'
  },
  { name: 'a fence on one line is stripped', text: `${F}js f() ${F}`, code: 'f()' },
  { name: 'a fence on one line without language is stripped', text: `${F}f()${F}`, code: 'f()' },
  { name: 'inline code alone is stripped', text: '`f()`', code: 'f()' },
  {
    name: 'code without a fence stays as it is',
    text: 'const a = 1\n\nconst b = 2',
    code: 'const a = 1\n\nconst b = 2'
  },
  {
    name: 'prose before code without a fence is removed',
    text: 'Here is the function you asked for:\n\nfunction f () {}',
    code: 'function f () {}'
  },
  {
    name: 'prose after code without a fence is removed',
    text: 'function f () {}\n\nThis function does nothing at all.',
    code: 'function f () {}'
  },
  {
    name: 'an explanation in bullets after code without a fence is removed',
    text: 'function f () {}\n\nExplanation:\n- It does nothing.\n- It is short.',
    code: 'function f () {}'
  },
  {
    name: 'bullets that no sentence introduces stay',
    text: 'steps:\n- one.\n- two.',
    code: 'steps:\n- one.\n- two.'
  },
  { name: 'an interjection is removed', text: 'Certainly!\nf()', code: 'f()' },
  {
    name: 'Python that ends in a colon is not prose',
    text: 'if not done:\n    go()\nelse:\n    stop()',
    code: 'if not done:\n    go()\nelse:\n    stop()'
  },
  { name: 'a comment is not prose', text: '# This adds one.\na += 1', code: '# This adds one.\na += 1' },
  {
    name: 'SQL in capitals is not prose',
    text: "SELECT a FROM b WHERE c LIKE '%.';",
    code: "SELECT a FROM b WHERE c LIKE '%.';"
  },
  {
    name: 'text that is all prose is kept rather than lost',
    text: 'I cannot write that for you.',
    code: 'I cannot write that for you.'
  },
  {
    name: 'of several fences the one in the language wins',
    text: `${F}html\n<div id="a-long-one-indeed"></div>\n${F}\n${F}js\nf()\n${F}`,
    language: 'javascript',
    code: 'f()'
  },
  {
    name: 'an alias of the language is enough',
    text: `${F}html\n<div id="a-long-one-indeed"></div>\n${F}\n${F}py\nf()\n${F}`,
    language: 'Python',
    code: 'f()'
  },
  {
    name: 'of several fences in the language the longest wins',
    text: `${F}js\nf()\n${F}\nUse it:\n${F}js\nfunction f () {}\n${F}`,
    language: 'js',
    code: 'function f () {}'
  },
  {
    name: 'of two equally long fences the first wins',
    text: `${F}js\nf()\n${F}\n${F}js\ng()\n${F}`,
    code: 'f()'
  },
  {
    name: 'a command to install something does not win',
    text: `${F}bash\nnpm install something-with-a-long-name\n${F}\n${F}js\nf()\n${F}`,
    code: 'f()'
  },
  {
    name: 'a command wins when shell was asked for',
    text: `${F}bash\nls -l\n${F}\n${F}text\ntotal 0 and a lot more\n${F}`,
    language: 'sh',
    code: 'ls -l'
  },
  {
    name: 'a lone shell fence is taken whatever was asked for',
    text: `${F}bash\nls\n${F}`,
    language: 'go',
    code: 'ls'
  },
  {
    name: 'a fence without a language is taken when no other is in the language',
    text: `${F}\nfunction f () {}\n${F}\n${F}bash\nls\n${F}`,
    language: 'js',
    code: 'function f () {}'
  },
  { name: 'empty fences are passed over', text: `${F}js\n${F}\n${F}js\nf()\n${F}`, code: 'f()' },
  {
    name: 'a fence opened before the last was closed begins a new one',
    text: `${F}js\nf()\n${F}js\nfunction g () {}\n${F}`,
    code: 'function g () {}'
  },
  {
    name: 'a longer fence holds a shorter one',
    text: `${F}${'`'}js\nconst a = \`\n${F}\nx\n${F}\n\`\n${F}${'`'}`,
    code: `const a = \`\n${F}\nx\n${F}\n\``
  },
  {
    name: 'a Markdown document keeps its own fences',
    text: `${F}markdown\n# A\n${F}js\nf()\n${F}\nEnd\n${F}`,
    language: 'markdown',
    code: `# A\n${F}js\nf()\n${F}\nEnd`
  },
  {
    name: 'a tilde fence holds a backtick fence',
    text: `~~~md\n${F}js\nf()\n${F}\n~~~`,
    language: 'md',
    code: `${F}js\nf()\n${F}`
  },
  {
    name: 'an indented fence is outdented',
    text: `1. Do this:\n   ${F}py\n   def f():\n       pass\n   ${F}`,
    code: 'def f():\n    pass'
  },
  {
    name: 'a doc comment with a fence stays whole',
    text: `${F}rust\n/// ${F}\n/// f();\n/// ${F}\nfn f() {}\n${F}`,
    code: `/// ${F}\n/// f();\n/// ${F}\nfn f() {}`
  },
  {
    name: 'a JSDoc example with a fence stays whole',
    text: `${F}js\n/**\n * ${F}js\n * f()\n * ${F}\n */\nfunction f () {}\n${F}`,
    code: `/**\n * ${F}js\n * f()\n * ${F}\n */\nfunction f () {}`
  },
  { name: 'indentation of the first line stays', text: `${F}py\n    return 1\n${F}`, code: '    return 1' },
  { name: 'blank lines at both ends go', text: `${F}js\n\n\nf()\n\n${F}\n\n`, code: 'f()' },
  { name: 'Windows line ends become plain ones', text: `${F}js\r\nf()\r\ng()\r\n${F}\r\n`, code: 'f()\ng()' },
  { name: 'a byte order mark goes', text: `\uFEFF${F}js\nf()\n${F}`, code: 'f()' },
  {
    name: 'reasoning before the answer goes',
    text: `<think>\n${F}js\nwrong()\n${F}\n</think>\n${F}js\nf()\n${F}`,
    code: 'f()'
  },
  { name: 'reasoning without an end leaves nothing', text: `<think>\nI wonder\n${F}js\nf()`, code: '' },
  {
    name: 'copied boundaries go',
    text: `${F}js\n<<<code 0123456789abcdef\nf()\ncode 0123456789abcdef>>>\n${F}`,
    code: 'f()'
  },
  {
    name: 'copied boundaries around a fence go',
    text: `<<<code 0123456789abcdef\n${F}js\nf()\n${F}\ncode 0123456789abcdef>>>`,
    code: 'f()'
  },
  {
    name: 'a template literal with backticks at the line start stays',
    text: `${F}js\nconst a = \`\n\`\nb()\n${F}`,
    code: 'const a = `\n`\nb()'
  },
  { name: 'an empty answer is empty', text: '', code: '' },
  { name: 'blanks alone are empty', text: ' \n\t\n', code: '' },
  { name: 'an empty fence is empty', text: `${F}js\n${F}`, code: '' },
  { name: 'an opening fence alone is empty', text: `${F}js`, code: '' }
]

for (const { name, text, code, language } of cases) {
  t.test(name, async (t) => {
    t.equal(extractCode(text, language), code)
  })
}

t.test('the word of the chosen fence is returned with the code', async (t) => {
  t.strictSame(extractCodeBlock(`${F}Vue\n<template/>\n${F}`, 'javascript'), {
    code: '<template/>',
    fence: 'vue'
  })
  t.strictSame(extractCodeBlock('f()'), { code: 'f()', fence: '' })
})

t.test('a response of a megabyte of hostile marks takes linear time', async (t) => {
  const texts = [
    '`'.repeat(1 << 20),
    `${F}\n`.repeat(1 << 18),
    `${F}js\n`.repeat(1 << 17),
    'Aa b c. '.repeat(1 << 17),
    '<think>'.repeat(1 << 17),
    ' \n'.repeat(1 << 19)
  ]
  for (const text of texts) {
    const cpuMs = await cpuMsOf(() => {
      extractCode(text)
      extractContent(text)
    })
    // A tenth of a second; quadratic work on a megabyte takes many minutes.
    t.ok(cpuMs < 10_000, JSON.stringify(text.slice(0, 10)))
  }
})

t.test('content keeps its fences, except one around the whole text', async (t) => {
  const document = `# A\n\n${F}js\nf()\n${F}\n\nEnd.`
  t.equal(extractContent(document), document)
  t.equal(extractContent(`${F}markdown\n# A\n\nText.\n${F}`), '# A\n\nText.')
  t.equal(extractContent(`${F}markdown\n${document}\n${F}`), document)
  t.equal(extractContent(`${F}\nText.`), 'Text.')
  t.equal(extractContent('<think>hm</think>\nText.\n'), 'Text.')
  t.equal(extractContent(`${F}js\nf()\n${F}`), `${F}js\nf()\n${F}`, 'a program is content too')
  t.equal(extractContent(`Here is the section:\n\n${F}\`markdown\n${document}\n${F}\``), document)
  const introduced = `# Lists\n\nA list looks so:\n\n${F}markdown\n- a\n${F}`
  t.equal(extractContent(introduced), introduced, 'an example in a document stays')
})
