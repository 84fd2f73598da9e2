import t from 'tap'
import type { Edit, Editor } from '../src/fix/edits.js'
import { fix } from '../src/index.js'
import { asSubmitted } from '../src/rewrite-code.js'
import { settle } from '../src/settle.js'

// Generous: slow machines and busy ones must pass too.
t.setTimeout(240_000)

interface Replacement {
  ruleId: string
  from: RegExp
  to: string
}

/** Replaces text, and counts the characters that it is given to read. */
function replacing(replacements: readonly Replacement[]): Editor & { charsRead: number } {
  return {
    ruleIds: replacements.map(({ ruleId }) => ruleId),
    charsRead: 0,
    edits(text, _language, ruleIds) {
      this.charsRead += text.length
      return replacements
        .filter(({ ruleId }) => ruleIds.has(ruleId))
        .flatMap(({ ruleId, from, to }): Edit[] =>
          [...text.matchAll(from)].map(({ index, 0: old }) => ({
            start: index,
            end: index + old.length,
            text: to,
            ruleId,
            description: `${old} to ${to}`
          }))
        )
    }
  }
}

const helpful = (count: number): Replacement[] =>
  Array.from({ length: count }, (_, index) => ({
    ruleId: `helpful-${index}`,
    from: new RegExp(`\\bold${index}\\b`, 'g'),
    to: `new${index}`
  }))
const harmful: Replacement = { ruleId: 'harmful', from: /\bparse\(/g, to: 'eval(' }

const fixed = async (code: string, editor: Editor): Promise<string> =>
  (await settle(asSubmitted(code), 'javascript', editor, new Set(editor.ruleIds))).code

const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `use(old${index % 6}, '${'-'.repeat(60)}')\n`).join('')

t.test('leaves out the fix that adds a finding and makes the others', async (t) => {
  const editor = replacing([...helpful(6), harmful])

  const code = await fixed(`${lines(12)}export const f = (text) => parse(text)\n`, editor)

  t.match(code, /new0[^]*new5/)
  t.notMatch(code, /old|eval/)
  t.equal(await fixed(code, editor), code)
})

t.test('a second run changes nothing when the tries run out', async (t) => {
  for (const count of [100, 300, 700]) {
    const editor = replacing([...helpful(6), harmful])

    const code = await fixed(`${lines(count)}export const f = (text) => parse(text)\n`, editor)

    t.notMatch(code, /eval/)
    t.equal(await fixed(code, editor), code, `${count} lines`)
  }
})

t.test('large code with a harmful fix is read a bounded number of times', async (t) => {
  const code = `${lines(1000)}export const f = (text) => parse(text)\n`
  const editor = replacing([...helpful(6), harmful])

  await fixed(code, editor)

  t.ok(editor.charsRead <= 8 * code.length, `read ${editor.charsRead / code.length} times`)
})

t.test('code that does not settle stays as submitted', async (t) => {
  const growing = replacing([{ ruleId: 'growing', from: /\bgrow\(/g, to: 'grow(1 + ' }])
  const swinging = replacing([
    { ruleId: 'there', from: /\bleft\b/g, to: 'right' },
    { ruleId: 'back', from: /\bright\b/g, to: 'left' }
  ])

  t.equal(await fixed('grow(2)\n', growing), 'grow(2)\n')
  t.equal(await fixed('use(left)\n', swinging), 'use(left)\n')
})

t.test('a fix of a later pass stands on its line of the submitted code', async (t) => {
  const step = (index: number): Replacement => ({
    ruleId: `step-${index}`,
    from: new RegExp(`\\bs${index}\\(`, 'g'),
    to: `\n  s${index + 1}(`
  })
  const editor = replacing(Array.from({ length: 8 }, (_, index) => step(index)))

  const { code, fixes } = await settle(
    asSubmitted('use(1)\ns0(1)\n'),
    'javascript',
    editor,
    new Set(editor.ruleIds)
  )

  t.match(code, /s8\(1\)/)
  t.strictSame([...new Set(fixes.map(({ line }) => line))], [2])
})

t.test('var becomes const also where the analysis sums up the findings', async (t) => {
  const single = Array.from({ length: 12 }, (_, index) => `var a${index} = ${index}\nuse(a${index})\n`).join(
    ''
  )
  const joint = ['f', 'g']
    .map((name) => `export function ${name}(n) {\n  var out = [],\n    m = n\n  m++\n  return [out, m]\n}\n`)
    .join('')

  const { code } = await fix({ code: single + joint, language: 'javascript' })

  t.equal(code, (single.replaceAll('var', 'const') + joint).replaceAll('var', 'let'))
})

t.test('a chain of branches loses its first else although the second gets the remark', async (t) => {
  const { code } = await fix({
    code: 'def f(n):\n    if n == 0:\n        return 0\n    elif n < 0:\n        raise ValueError(n)\n    else:\n        return n - 1\n',
    language: 'python'
  })

  t.equal(
    code,
    'def f(n):\n    if n == 0:\n        return 0\n    if n < 0:\n        raise ValueError(n)\n    else:\n        return n - 1\n'
  )
})
