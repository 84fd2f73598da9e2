import t from 'tap'
import { cpuMsOf } from '@filewright/testing'
import { extractContent, readCode } from '../../src/index.js'

// Work on many long responses; each has its own limit below.
t.setTimeout(600_000)

const F = '```'
/**
 * Half of the longest response: quadratic work takes a quarter of the time there, and the limit is a quarter,
 * too.
 */
const SIZE = 128 * 1024
const MAX_CPU_MS = 5_000
const atoms = [
  '`',
  '~',
  ' ',
  '\t',
  '\n',
  'import ',
  'from ',
  '{',
  '(',
  '<',
  '/',
  '*',
  '"',
  "'",
  '\\',
  '1 | ',
  '+',
  '-',
  '>>> ',
  '<file ',
  '{"name":',
  '&lt;',
  '=',
  'export ',
  '@',
  'a',
  // Two characters: each match is retried after the previous one.
  '\\"',
  '/*',
  '(/[',
  '<file>\n',
  '<invoke>',
  '<script src="a" ',
  'import\n',
  'import (\n',
  'from a import (\n',
  "import('./a')\n",
  'use crate::a\n',
  'class=a '
]
const heads = [
  '',
  'import ',
  'export {',
  "from '",
  '<artifact',
  '<file>',
  '{"content":"',
  'export default a',
  'a:',
  'func (',
  'def a(',
  'return ',
  'templateUrl:',
  'using '
]
const languages = [
  'javascript',
  'python',
  'html',
  'go',
  'rust',
  'java',
  'csharp',
  'php',
  'sql',
  'shell',
  'svelte',
  undefined
]
const other = `Then:\n${F}\nfunction b() {}\n${F}`

/**
 * Responses made of the atom: with and without a fence, with and without leading code, in alternating
 * languages.
 */
function* answersOf(atom: string, turn: number): Generator<{ text: string; language: string | undefined }> {
  const run = atom.repeat(Math.ceil(SIZE / atom.length))
  for (const [index, head] of heads.entries()) {
    if ((turn + index) % 3 !== 0) continue
    const language = languages[(turn + 5 * index) % languages.length]
    // Trailing spaces would be trimmed before anything reads them.
    const code = `${head}${run}\nx`
    yield { language, text: index % 2 === 0 ? `${F}${language ?? ''}\n${code}\n${F}` : code }
  }
  yield { language: 'javascript', text: `import ${run}x` }
  // Parts are compared and joined only in shorter responses.
  yield { language: undefined, text: `${F}js\n${run.slice(0, SIZE / 2)}\nx\n${F}\n${other}` }
}

for (const [turn, atom] of atoms.entries()) {
  t.test(`a long run of ${JSON.stringify(atom)} takes linear time`, async (t) => {
    for (const { text, language } of answersOf(atom, turn)) {
      const request = { prompt: 'Write a function.', type: 'code' as const, language }
      const cpuMs = await cpuMsOf(async () => {
        await readCode(text, request, async () => ({ ok: 'unknown' }))
        extractContent(text)
      })
      // Tenths of a second; quadratic work takes many times the limit.
      t.ok(cpuMs < MAX_CPU_MS, `${JSON.stringify(text.slice(0, 40))} ${language ?? ''}`)
    }
  })
}

t.test('names and paths of any length are read', async (t) => {
  const long = 'a'.repeat(SIZE / 4)
  for (const code of [`function ${long}() {}`, `import x from './${long}'`, `// ${long}.js\nf()`]) {
    const text = `${F}js\n${code}\n${F}\n${other}`
    await t.resolves(
      readCode(text, { prompt: 'Write f.', type: 'code' }, async () => ({ ok: 'unknown' })),
      code.slice(0, 12)
    )
  }
})
