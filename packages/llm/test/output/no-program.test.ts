import t from 'tap'
import { codeFault } from '../../src/index.js'

const request = {
  prompt: 'Write a function that adds two numbers.',
  type: 'code' as const,
  language: 'javascript'
}

t.test('text that parses but is not a program is empty', async (t) => {
  for (const code of [
    'x',
    'x;',
    `${' '.repeat(5_000)}x`,
    '['.repeat(100_000),
    '{}',
    '42',
    'main()',
    '// add\nx'
  ]) {
    t.equal(codeFault(code, { code, fence: '' }, request), 'empty', code.slice(0, 20))
    t.equal(codeFault(`\`\`\`js\n${code}\n\`\`\``, { code, fence: 'js', parses: true }, request), 'empty')
  }
})

t.test('a short program is a program', async (t) => {
  for (const code of ['module.exports = 1', 'a => a', 'console.log("hi")', 'print(x)']) {
    t.equal(codeFault(code, { code, fence: 'js', parses: true }, request), undefined, code)
  }
})

t.test('one word may be a complete shell command, JSON value or text', async (t) => {
  for (const language of ['bash', 'json', 'text', 'yaml']) {
    t.equal(
      codeFault('true', { code: 'true', fence: language, parses: true }, { ...request, language }),
      undefined
    )
  }
})
