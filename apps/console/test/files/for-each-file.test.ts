import t from 'tap'
import { NotFoundError } from '@filewright/client/browser'
import { deleteMany } from '../../src/files/delete-many.js'

t.test('many files are deleted a few at a time; one that is already gone counts as deleted', async (t) => {
  let running = 0
  let most = 0
  const seen: number[] = []

  const progress = await deleteMany(
    Array.from({ length: 20 }, (_, i) => String(i)),
    {
      concurrency: 3,
      signal: new AbortController().signal,
      onProgress: ({ deleted, failed }) => {
        void seen.push(deleted + failed)
      },
      remove: async (id) => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setTimeout(resolve, 1))
        running--
        if (id === '3') throw new NotFoundError('gone', { code: 'not-found', status: 404 })
        if (id === '4') throw new Error('no')
      }
    }
  )

  t.strictSame(progress, { deleted: 19, failed: 1 })
  t.equal(most, 3)
  t.strictSame(
    seen,
    Array.from({ length: 20 }, (_, i) => i + 1)
  )
})

t.test('after a stop no further deletion starts', async (t) => {
  const abort = new AbortController()
  const removed: string[] = []

  const progress = await deleteMany(['a', 'b', 'c'], {
    concurrency: 1,
    signal: abort.signal,
    onProgress: () => {
      abort.abort()
    },
    remove: async (id) => {
      void removed.push(id)
    }
  })

  t.strictSame(removed, ['a'])
  t.equal(progress.deleted, 1)
})
