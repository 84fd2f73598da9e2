import t from 'tap'
import { FilewrightError } from '@filewright/client/browser'
import { AT_ONCE, forEachFile } from '../../src/files/for-each-file.js'

const idsOf = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i))

t.test('a few files are worked on at a time; the result says which are left, and why', async (t) => {
  let running = 0
  let most = 0
  const seen: number[] = []
  const full = new Error('full')

  const result = await forEachFile(
    idsOf(20),
    async (id) => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 1))
      running--
      if (id === '3') throw full
      if (id === '14') throw new Error('later')
    },
    {
      signal: new AbortController().signal,
      onProgress: ({ done, failed }) => {
        void seen.push(done + failed)
      }
    }
  )

  t.strictSame(result, { done: 18, failed: 2, firstError: full, left: ['3', '14'] })
  t.equal(most, AT_ONCE)
  t.strictSame(seen, idsOf(21).slice(1).map(Number))
})

t.test('after a stop no further file is worked on', async (t) => {
  const abort = new AbortController()
  const ids = idsOf(AT_ONCE + 2)
  const reached: string[] = []

  const { left } = await forEachFile(
    ids,
    async (id) => {
      void reached.push(id)
    },
    {
      signal: abort.signal,
      onProgress: () => {
        abort.abort()
      }
    }
  )

  t.strictSame(reached, ids.slice(0, AT_ONCE))
  t.strictSame(left, ids.slice(AT_ONCE))
})

t.test('a file that is gone cannot be tried again', async (t) => {
  const { failed, left } = await forEachFile(
    idsOf(3),
    async (id) => {
      if (id !== '0') throw new FilewrightError('no', { code: 'x', status: id === '1' ? 404 : 503 })
    },
    { signal: new AbortController().signal, onProgress: () => {} }
  )

  t.equal(failed, 2)
  t.strictSame(left, ['2'])
})
