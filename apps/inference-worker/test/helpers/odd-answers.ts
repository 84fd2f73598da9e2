/** A response of a model, and the code in it; null where it must be refused. */
export interface OddAnswer {
  name: string
  text: string
  code: string | null
  language?: string
  framework?: string
  type?: 'component'
  prompt?: string
}

const F = '```'
const add = 'export function add (a, b) {\n  return a + b\n}'
const py = 'def add(a, b):\n    return a + b'
const helper = 'function check (n) {\n  if (!Number.isFinite(n)) throw new TypeError(`not a number: ${n}`)\n}'
const main = 'export function add (a, b) {\n  check(a)\n  check(b)\n  return a + b\n}'
const js = 'javascript'
export const oddAnswers: OddAnswer[] = [
  {
    name: 'helper and main in two fences',
    language: js,
    text: `First a helper:\n\n${F}js\n${helper}\n${F}\n\nThen the function:\n\n${F}js\n${main}\n${F}`,
    code: `${helper}\n\n${main}`
  },
  {
    name: 'install, code, usage',
    language: 'python',
    text: `Install it:\n\n${F}bash\npip install requests\n${F}\n\n${F}python\nimport requests\n\n\ndef get(url):\n    return requests.get(url, timeout=10).json()\n${F}\n\nUsage:\n\n${F}python\nprint(get('https://example.com'))\n${F}`,
    code: `import requests\n\n\ndef get(url):\n    return requests.get(url, timeout=10).json()`
  },
  {
    name: 'tests appended',
    language: js,
    text: `${F}js\n${add}\n${F}\n\n**Tests**\n\n${F}js\nimport test from 'node:test'\nimport assert from 'node:assert'\nimport { add } from './add.js'\n\ntest('adds', () => assert.equal(add(1, 2), 3))\n${F}`,
    code: add
  },
  {
    name: 'pytest appended',
    language: 'python',
    text: `${F}python\n${py}\n${F}\n\nAnd a test:\n\n${F}python\nimport pytest\nfrom add import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n${F}`,
    code: py
  },
  {
    name: 'two options',
    language: js,
    text: `**Option 1: plain**\n\n${F}js\n${add}\n${F}\n\n**Option 2: arrow**\n\n${F}js\nexport const add = (a, b) => a + b\n${F}`,
    code: add
  },
  {
    name: 'two alternatives in Python',
    language: 'python',
    text: `### Approach 1 (iterative)\n\n${F}python\ndef fact(n):\n    result = 1\n    for i in range(2, n + 1):\n        result *= i\n    return result\n${F}\n\n### Approach 2 (recursive)\n\n${F}python\ndef fact(n):\n    return 1 if n < 2 else n * fact(n - 1)\n${F}\n\nI recommend the first.`,
    code: 'def fact(n):\n    result = 1\n    for i in range(2, n + 1):\n        result *= i\n    return result'
  },
  {
    name: 'think tags',
    language: js,
    text: `<think>\nThe user wants add. Let me write:\n${F}js\nfunction add() {}\n${F}\nNo, with parameters.\n</think>\n\n${F}js\n${add}\n${F}`,
    code: add
  },
  {
    name: 'closing think only',
    language: js,
    text: `Let me think about it.\n${F}js\nfunction add() {}\n${F}\n</think>\n\n${F}js\n${add}\n${F}`,
    code: add
  },
  {
    name: 'BOM and CRLF',
    language: 'python',
    text: '\uFEFF' + `Here you go:\r\n\r\n${F}python\r\n${py.replace(/\n/g, '\r\n')}\r\n${F}\r\n`,
    code: py
  },
  {
    name: 'here is the file',
    language: 'python',
    text: `Here is the file \`add.py\`:\n\n${F}python\n# add.py\n${py}\n${F}`,
    code: `# add.py\n${py}`
  },
  {
    name: 'no fence, prose around',
    language: js,
    text: `Sure, here is the function:\n\n${add}\n\nIt adds both numbers and returns the sum.`,
    code: add
  },
  {
    name: 'JSON with code',
    language: js,
    text: JSON.stringify({ code: add, explanation: 'adds' }),
    code: add
  },
  {
    name: 'tool call',
    language: js,
    text: `<tool_call>\n${JSON.stringify({ name: 'write_file', arguments: { path: 'add.js', content: add } })}\n</tool_call>`,
    code: add
  },
  {
    name: 'OpenAI function call',
    language: 'python',
    text: JSON.stringify({
      tool_calls: [
        {
          type: 'function',
          function: {
            name: 'create_file',
            arguments: JSON.stringify({ filename: 'add.py', content: py + '\n' })
          }
        }
      ]
    }),
    code: py
  },
  {
    name: 'XML artifact',
    language: js,
    text: `I made it.\n\n<antArtifact identifier="add" type="application/vnd.ant.code" language="javascript" title="Add">\n${add}\n</antArtifact>\n\nLet me know!`,
    code: add
  },
  {
    name: 'bolt action',
    language: js,
    text: `<boltArtifact id="add" title="Add">\n<boltAction type="file" filePath="add.js">\n${add}\n</boltAction>\n<boltAction type="shell">\nnpm test\n</boltAction>\n</boltArtifact>`,
    code: add
  },
  {
    name: 'numbered lines',
    language: js,
    text: `${F}js\n${add
      .split('\n')
      .map((l, i) => `${i + 1} | ${l}`)
      .join('\n')}\n${F}`,
    code: add
  },
  {
    name: 'numbered lines with colon',
    language: 'python',
    text: `${F}python\n${'def total(values):\n    result = 0\n    for value in values:\n        result += value\n    return result'
      .split('\n')
      .map((l, i) => `${i + 1}: ${l}`)
      .join('\n')}\n${F}`,
    code: 'def total(values):\n    result = 0\n    for value in values:\n        result += value\n    return result'
  },
  {
    name: 'diff of a new file',
    language: js,
    text: `${F}diff\n--- /dev/null\n+++ b/add.js\n@@ -0,0 +1,3 @@\n${add
      .split('\n')
      .map((l) => `+${l}`)
      .join('\n')}\n${F}`,
    code: add
  },
  {
    name: 'diff of a part',
    language: js,
    text: `${F}diff\n@@ -1,3 +1,3 @@\n export function add (a, b) {\n-  return a - b\n+  return a + b\n }\n${F}`,
    code: null
  },
  {
    name: 'wrong language',
    language: 'python',
    text: `${F}java\npublic class Add {\n  public static int add(int a, int b) {\n    return a + b;\n  }\n}\n${F}`,
    code: null
  },
  {
    name: 'HTML for React',
    language: js,
    framework: 'react',
    type: 'component',
    prompt: 'Write a React counter component.',
    text: `${F}html\n<!doctype html>\n<html><body><button id="b">0</button>\n<script>\nlet n = 0\ndocument.getElementById('b').onclick = (e) => { e.target.textContent = ++n }\n</script></body></html>\n${F}`,
    code: null
  },
  {
    name: 'HTML for React without a language',
    framework: 'react',
    type: 'component',
    prompt: 'Write a React counter component.',
    text: `${F}html\n<div id="app"></div>\n<script>\ndocument.getElementById('app').innerHTML = '<button>0</button>'\n</script>\n${F}`,
    code: null
  },
  {
    name: 'Vue for React',
    language: js,
    framework: 'react',
    type: 'component',
    prompt: 'Write a React counter component.',
    text: `${F}vue\n<script setup>\nimport { ref } from 'vue'\nconst n = ref(0)\n</script>\n<template><button @click="n++">{{ n }}</button></template>\n${F}`,
    code: null
  },
  {
    name: 'several files, one imports the other',
    language: js,
    text: `**src/check.js**\n\n${F}js\nexport ${helper}\n${F}\n\n**src/add.js**\n\n${F}js\nimport { check } from './check.js'\n\n${main}\n${F}`,
    code: `export ${helper}\n\n${main}`
  },
  {
    name: 'one file imports a missing one',
    language: js,
    text: `${F}js\nimport { check } from './check.js'\n\n${main}\n${F}`,
    code: null
  },
  { name: 'refusal', language: js, text: "I'm sorry, but I can't help with that request.", code: null },
  {
    name: 'placeholder',
    language: js,
    text: `${F}js\nexport function add (a, b) {\n  // ... rest of the implementation\n}\n${F}`,
    code: null
  },
  { name: 'unclosed fence', language: 'python', text: `Sure:\n\n${F}python\n${py}`, code: py },
  {
    name: 'nested fences in a README',
    language: 'markdown',
    prompt: 'Write a README for add.',
    text: `${F}${'`'}markdown\n# add\n\n${F}js\nadd(1, 2)\n${F}\n${F}${'`'}`,
    code: `# add\n\n${F}js\nadd(1, 2)\n${F}`
  },
  {
    name: 'README with same fences',
    language: 'markdown',
    prompt: 'Write a README for add.',
    text: `${F}markdown\n# add\n\n${F}bash\nnpm i add\n${F}\n\nMore.\n${F}`,
    code: `# add\n\n${F}bash\nnpm i add\n${F}\n\nMore.`
  },
  {
    name: 'code in a blockquote',
    language: 'python',
    text: `> Here:\n>\n> ${F}python\n${py
      .split('\n')
      .map((l) => `> ${l}`)
      .join('\n')}\n> ${F}`,
    code: py
  },
  {
    name: 'fence in a list',
    language: 'python',
    text: `1. Create \`add.py\`:\n\n    ${F}python\n${py
      .split('\n')
      .map((l) => `    ${l}`)
      .join('\n')}\n    ${F}\n\n2. Run it.`,
    code: py
  },
  {
    name: 'HTML entities',
    language: js,
    text: `<pre><code class="language-js">export const less = (a, b) =&gt; a &lt; b &amp;&amp; b &gt; 0</code></pre>`,
    code: 'export const less = (a, b) => a < b && b > 0'
  },
  {
    name: 'REPL',
    language: 'python',
    text: `${F}python\n>>> def add(a, b):\n...     return a + b\n...\n>>> add(1, 2)\n3\n${F}`,
    code: null
  },
  {
    name: 'output in a second fence',
    language: 'python',
    prompt: 'Write a script that prints three numbers.',
    text: `${F}python\nfor i in range(3):\n    print(i)\n${F}\n\nOutput:\n\n${F}\n0\n1\n2\n${F}`,
    code: 'for i in range(3):\n    print(i)'
  },
  {
    name: 'bug then correction',
    language: js,
    text: `${F}js\nexport function add (a, b) {\n  return a - b\n}\n${F}\n\nWait, that subtracts. Here is the corrected version:\n\n${F}js\n${add}\n${F}`,
    code: add
  },
  {
    name: 'the bad and the good example',
    language: js,
    text: `Avoid this:\n\n${F}js\n// Bad\nexport function add (a, b) {\n  return eval(a + '+' + b)\n}\n${F}\n\nInstead:\n\n${F}js\n${add}\n${F}`,
    code: add
  },
  {
    name: 'TypeScript for JavaScript',
    language: js,
    text: `${F}ts\nexport function add (a: number, b: number): number {\n  return a + b\n}\n${F}`,
    code: null
  },
  {
    name: 'JS then a TS version',
    language: js,
    text: `${F}js\n${add}\n${F}\n\nWith types:\n\n${F}ts\nexport function add (a: number, b: number): number {\n  return a + b\n}\n${F}`,
    code: add
  },
  {
    name: 'harmony channels',
    language: 'python',
    text: `<|channel|>analysis<|message|>The user wants add.<|end|><|start|>assistant<|channel|>final<|message|>${F}python\n${py}\n${F}<|return|>`,
    code: py
  },
  {
    name: 'chat template tokens at the end',
    language: 'python',
    text: `${F}python\n${py}\n${F}<|im_end|>`,
    code: py
  },
  { name: 'file markers', language: 'python', text: `--- add.py ---\n${py}\n--- end ---`, code: null },
  {
    name: 'truncated in a function',
    language: js,
    text: `${F}js\nexport function add (a, b) {\n  if (a`,
    code: null
  },
  {
    name: 'Go with package and main apart',
    language: 'go',
    text: `${F}go\npackage main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println(add(1, 2))\n}\n${F}\n\n${F}go\nfunc add(a, b int) int {\n\treturn a + b\n}\n${F}`,
    code: 'package main\n\nimport "fmt"\n\nfunc add(a, b int) int {\n\treturn a + b\n}\n\nfunc main() {\n\tfmt.Println(add(1, 2))\n}'
  }
]
