import t from 'tap'
import { json, scripted, storedFile } from './server.js'

t.test('a Blob in memory is sent in chunks, each of which is reported', async (t) => {
  const { client, seen } = await scripted(t, [json(201, { file: storedFile })])
  const blob = new Blob([new Uint8Array(5_000_000).fill(97)])
  const progress: number[] = []

  await client.files.upload(blob, {
    projectId: 'p',
    name: 'large.txt',
    onProgress: ({ bytes }) => {
      progress.push(bytes)
    }
  })

  t.ok(progress.length >= 10, `${progress.length} reports`)
  t.equal(progress.at(-1), blob.size)
  t.strictSame(
    progress,
    progress.toSorted((a, b) => a - b)
  )
  t.equal(seen[0]?.body.match(/a{100,}/)?.[0].length, blob.size, 'every byte arrives')
})

t.test('an empty Blob is sent', async (t) => {
  const { client, seen } = await scripted(t, [json(201, { file: storedFile })])

  await client.files.upload(new Blob([]), { projectId: 'p', name: 'empty.txt' })

  t.match(seen[0]?.body, 'filename="empty.txt"')
})
