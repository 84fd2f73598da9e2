import t from 'tap'
import { setImmediate as turn } from 'node:timers/promises'
import { NameTakenError, type UploadTarget } from '../../src/uploads/store-file.js'
import { createUploadQueue, type SendOptions } from '../../src/uploads/upload-queue.js'

interface Sending extends SendOptions {
  name: string
  target: UploadTarget
  finish: () => void
  fail: (error: Error) => void
}

/** A queue whose uploads end when the test decides. */
function startQueue(concurrency = 2) {
  const sending: Sending[] = []
  let time = 0
  const session = new AbortController()
  const queue = createUploadQueue({
    concurrency,
    signal: session.signal,
    now: () => time,
    explain: (error) => ({
      reason: (error as Error).message,
      isRefused: (error as Error).message === 'malware'
    }),
    send: async (file, target, options) => {
      await new Promise<void>((resolve, reject) => {
        options.signal.addEventListener('abort', () => {
          reject(new Error('aborted'))
        })
        sending.push({ ...options, name: file.name, target, finish: resolve, fail: reject })
      })
    }
  })
  const filesOf = (...names: string[]) =>
    names.map((name) => ({ file: new File(['12345'], name), folder: '' }))
  return { queue, sending, filesOf, session, setTime: (ms: number) => (time = ms) }
}

const target = { projectId: 'p', folder: 'a' }

t.test('a few files are uploaded at once, the others follow in order', async (t) => {
  const { queue, sending, filesOf } = startQueue()

  queue.add(filesOf('1', '2', '3', '4'), target)
  t.strictSame(
    sending.map(({ name }) => name),
    ['1', '2']
  )
  t.equal(queue.waiting.value, 2)
  sending[1]?.finish()
  await turn()

  t.strictSame(
    sending.map(({ name }) => name),
    ['1', '2', '3']
  )
  t.match(queue.counts.value, { total: 4, done: 1 })
  t.equal(queue.stored.value, 1)
})

t.test('files of a dropped folder are stored in that folder below the target', async (t) => {
  const { queue, sending } = startQueue()

  queue.add([{ file: new File([''], 'x'), folder: 'photos/2026' }], target)

  t.strictSame(sending[0]?.target, { projectId: 'p', folder: 'a/photos/2026' })
})

t.test('an upload reports its progress, speed and scanning state', async (t) => {
  const { queue, sending, filesOf, setTime } = startQueue()
  queue.add(filesOf('1'), target)
  const [upload] = queue.active.value

  setTime(500)
  sending[0]?.onProgress(2)
  t.equal(upload?.sentBytes.value, 2)
  t.equal(upload?.bytesPerSecond.value, 4)
  t.equal(upload?.state.value, 'sending')
  sending[0]?.onProgress(5)
  t.equal(upload?.state.value, 'scanning')
})

t.test(
  'refused and failed files stay visible with their reason, and only failed ones are retried',
  async (t) => {
    const { queue, sending, filesOf } = startQueue()
    queue.add(filesOf('bad', 'unlucky', 'good'), target)

    sending[0]?.fail(new Error('malware'))
    sending[1]?.fail(new Error('connection lost'))
    await turn()
    sending[2]?.finish()
    await turn()
    t.strictSame(
      queue.troubled.value.map(({ state, reason }) => [state.value, reason.value]),
      [
        ['refused', 'malware'],
        ['failed', 'connection lost']
      ]
    )
    queue.retryAll()
    sending[3]?.finish()
    await turn()

    t.equal(sending[3]?.name, 'unlucky')
    t.strictSame(queue.counts.value, { total: 3, done: 2, refused: 1, failed: 0, cancelled: 0, skipped: 0 })
  }
)

t.test('a cancelled upload is aborted, frees its slot and can be retried', async (t) => {
  const { queue, sending, filesOf } = startQueue(1)
  queue.add(filesOf('1', '2'), target)
  const [first] = queue.active.value

  if (first !== undefined) queue.cancel(first)
  await turn()
  t.equal(sending[0]?.signal.aborted, true)
  t.equal(first?.state.value, 'cancelled')
  t.equal(sending[1]?.name, '2')
  sending[1]?.finish()
  await turn()
  if (first !== undefined) queue.retry(first)
  sending[2]?.finish()
  await turn()

  t.match(queue.counts.value, { total: 2, done: 2, cancelled: 0, skipped: 0 })
})

t.test('all uploads can be cancelled at once, including waiting ones', async (t) => {
  const { queue, sending, filesOf } = startQueue()
  queue.add(filesOf('1', '2', '3', '4', '5'), target)

  queue.cancelAll()
  await turn()

  t.equal(sending.length, 2)
  t.match(queue.counts.value, { total: 5, cancelled: 5 })
  t.equal(queue.active.value.length, 0)
})

t.test('a new batch starts counting from zero, and finished entries can be cleared', async (t) => {
  const { queue, sending, filesOf } = startQueue()
  queue.add(filesOf('1'), target)
  sending[0]?.finish()
  await turn()

  queue.add(filesOf('2', '3'), target)
  t.match(queue.counts.value, { total: 2, done: 0 })
  sending[1]?.fail(new Error('malware'))
  await turn()
  queue.clear()

  t.strictSame(queue.counts.value, { total: 1, done: 0, refused: 0, failed: 0, cancelled: 0, skipped: 0 })
  t.strictSame(queue.troubled.value, [])
})

t.test('the end of the session aborts running uploads, drops waiting ones and accepts no more', async (t) => {
  const { queue, sending, filesOf, session } = startQueue()
  queue.add(filesOf('1', '2', '3', '4'), target)
  const [first] = queue.active.value

  session.abort()
  await turn()
  t.strictSame(
    sending.map(({ name, signal }) => [name, signal.aborted]),
    [
      ['1', true],
      ['2', true]
    ]
  )
  // Late additions, from a folder still being read, an open file chooser or a click.
  queue.add(filesOf('5'), target)
  if (first !== undefined) queue.retry(first)
  queue.retryAll()
  await turn()

  t.equal(sending.length, 2)
  t.equal(queue.active.value.length + queue.waiting.value, 0)
})

t.test(
  'a file with a taken name waits for an answer without delaying others; an answer for all applies to the rest',
  async (t) => {
    const { queue, sending, filesOf } = startQueue(1)
    const names = (): string[] => sending.map(({ name, resolution = '' }) => `${name} ${resolution}`)
    queue.add(filesOf('1', '2', '3', '4'), target)

    sending[0]?.fail(new NameTakenError('1'))
    await turn()
    sending[1]?.fail(new NameTakenError('2'))
    await turn()
    t.equal(queue.conflicts.value.length, 2)
    t.strictSame(names(), ['1 ', '2 ', '3 '])
    queue.resolve('replace', { forAll: true })
    sending[2]?.fail(new NameTakenError('3'))
    await turn()
    t.equal(queue.conflicts.value.length, 0)
    for (let i = 3; i < 7; i++) {
      sending[i]?.finish()
      await turn()
    }

    t.strictSame(names().slice(3).toSorted(), ['1 replace', '2 replace', '3 replace', '4 '])
    t.match(queue.counts.value, { total: 4, done: 4 })
  }
)

t.test('skipped files are counted, and cancelling drops an open question', async (t) => {
  const { queue, sending, filesOf } = startQueue(2)
  queue.add(filesOf('1', '2'), target)
  for (const each of sending) each.fail(new NameTakenError(each.name))
  await turn()

  queue.resolve('skip', { forAll: false })
  queue.cancelAll()

  t.match(queue.counts.value, { total: 2, skipped: 1, cancelled: 1 })
  t.equal(queue.conflicts.value.length, 0)
})

t.test('two files for one name are sent one after the other', async (t) => {
  const { queue, sending, filesOf } = startQueue(3)

  queue.add(filesOf('1', '1', '2'), target)
  t.strictSame(
    sending.map(({ name }) => name),
    ['1', '2']
  )
  sending[0]?.finish()
  await turn()

  t.equal(sending.length, 3)
})

t.test('a file that the browser cannot read is reported, and the others are sent', async (t) => {
  const { queue, sending, filesOf } = startQueue()

  queue.add([{ file: new File([], 'closed'), folder: '', isUnreadable: true }, ...filesOf('1')], target)

  t.equal(sending.length, 1)
  t.match(queue.counts.value, { total: 2, refused: 1 })
})

t.test('an answer for all files does not outlive its batch', async (t) => {
  const { queue, sending, filesOf } = startQueue()
  queue.add(filesOf('1', '2'), target)
  sending[0]?.fail(new NameTakenError('1'))
  await turn()
  queue.resolve('replace', { forAll: true })
  sending[1]?.fail(new Error('lost'))
  sending[2]?.finish()
  await turn()

  queue.retryAll()
  sending[3]?.fail(new NameTakenError('2'))
  await turn()

  t.equal(queue.conflicts.value.length, 1, 'the user is asked again')
})
