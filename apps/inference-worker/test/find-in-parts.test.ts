import t from 'tap'
import { AppError } from '@filewright/runtime'
import { findInParts, halvesOf, type CodeSlice } from '../src/find-in-parts.js'

const code = Array.from({ length: 10 }, (_, index) => `function f${index} () {\n  return ${index}\n}\n`).join(
  '\n'
)

t.test('code is split at the start of a declaration and keeps its line numbers', async (t) => {
  const [first, second] = halvesOf({ code, offset: 100 })!

  t.equal(`${first.code}\n${second.code}`, code)
  t.match(second.code, /^function/)
  t.equal(second.offset, 100 + first.code.split('\n').length)
  t.equal(halvesOf({ code: 'one line', offset: 0 }), null)
})

t.test('code that does not fit is sent in parts, and each finding keeps its line', async (t) => {
  const asked: CodeSlice[] = []
  const found = await findInParts(
    { code, offset: 0 },
    async (slice) => {
      if (slice.code.length > 120) throw new AppError('INVALID_AI_REQUEST', 'too long')
      asked.push(slice)
      return slice.code
        .split('\n')
        .flatMap((line, index) => (/return 7/.test(line) ? [slice.offset + index + 1] : []))
    },
    () => 1_000
  )

  t.ok(asked.length > 2)
  t.strictSame(found, [code.split('\n').findIndex((line) => /return 7/.test(line)) + 1])
})

t.test('results of some parts are kept when another part fails; if all fail, the whole fails', async (t) => {
  const failing = (isBad: (slice: CodeSlice) => boolean) =>
    findInParts(
      { code, offset: 0 },
      async (slice) => {
        if (slice.code.length === code.length) throw new AppError('INVALID_AI_REQUEST', 'too long')
        if (isBad(slice)) throw new AppError('MODEL_UNAVAILABLE', 'gone')
        return [slice.offset]
      },
      () => 1_000
    )

  t.strictSame(await failing(({ offset }) => offset > 0), [0])
  await t.rejects(
    failing(() => true),
    { code: 'MODEL_UNAVAILABLE' }
  )
})
