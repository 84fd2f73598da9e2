import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { multipartBody, poll } from '@filewright/testing'
import { freeChunk } from '../../../src/modules/files/free-chunk.js'
import { connectTo, headOf } from '../../helpers/raw-request.js'
import { startTestGateway } from '../../helpers/test-gateway.js'

t.test('frees a chunk that has a buffer of its own', async (t) => {
  const chunk = Buffer.alloc(64 * 1024)

  freeChunk(chunk)

  t.equal(chunk.length, 0)
  t.equal(chunk.buffer.byteLength, 0)
})

t.test('leaves a chunk that shares its buffer with others', async (t) => {
  const all = Buffer.alloc(64 * 1024, 1)

  freeChunk(all.subarray(1))
  freeChunk(all.subarray(0, -1))
  freeChunk(Buffer.from('small buffers share one'))
  freeChunk(Buffer.from(new SharedArrayBuffer(8)))

  t.equal(all.length, 64 * 1024)
  t.ok(all.every((byte) => byte === 1))
})

t.test('pieces that end with nearly a whole boundary do not end the process', async (t) => {
  const gateway = await startTestGateway(t)
  const boundary = 'a-boundary-of-some-length'
  const nearly = `\r\n--${boundary.slice(0, -1)}`
  const head =
    `--${boundary}\r\nContent-Disposition: form-data; name="project_id"\r\n\r\nacme\r\n` +
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`
  const pieces = ['text', ...Array.from({ length: 5 }, () => nearly)]
  const all = [head, ...pieces, `end\r\n--${boundary}--\r\n`]
  const socket = await connectTo(t, gateway)
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text
  })

  socket.write(
    headOf('/api/files/upload', await gateway.token('*'), {
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      'Content-Length': all.join('').length
    })
  )
  for (const piece of all) {
    socket.write(piece)
    await setTimeout(100)
  }
  await poll(() => answer.includes('}'))

  t.match(answer, 'HTTP/1.1 201')
  const stored: Buffer[] = []
  for await (const piece of await gateway.blobs.read(gateway.scanned.at(-1)!.blobKey)) {
    stored.push(piece as Buffer)
  }
  t.equal(Buffer.concat(stored).toString(), `${pieces.join('')}end`)
})

t.test('frees nearly all of a large upload, and stores it with the fields that follow it', async (t) => {
  const chunks: Uint8Array[] = []
  let receivedBytes = 0
  const gateway = await startTestGateway(t, {
    wrapBlobs: (blobs) => ({
      ...blobs,
      write: async (key, source, options) =>
        await blobs.write(key, watched(source as AsyncIterable<Uint8Array>), options)
    })
  })
  async function* watched(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      chunks.push(chunk)
      receivedBytes += chunk.length
      yield chunk
    }
  }
  const content = Buffer.from('0123456789abcde\n'.repeat(256 * 1024))
  const { body, contentType } = multipartBody([
    { name: 'file', filename: 'large.txt', content },
    { name: 'project_id', value: 'acme' },
    { name: 'folder', value: 'behind' }
  ])
  const socket = await connectTo(t, gateway)
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text
  })

  socket.write(
    headOf('/api/files/upload', await gateway.token('*'), {
      'Content-Type': contentType,
      'Content-Length': body.length
    })
  )
  if (!socket.write(body)) await once(socket, 'drain')
  await poll(() => answer.includes('}'))

  t.match(answer, 'HTTP/1.1 201')
  t.equal(receivedBytes, content.length)
  const keptBytes = chunks.reduce((sum, chunk) => sum + chunk.buffer.byteLength, 0)
  t.ok(keptBytes < content.length / 4, `${keptBytes} of ${receivedBytes} bytes not freed`)
  const { blobKey, fileId } = gateway.scanned.at(-1)!
  const stored: Buffer[] = []
  for await (const piece of await gateway.blobs.read(blobKey)) stored.push(piece as Buffer)
  t.ok(Buffer.concat(stored).equals(content))
  t.match(
    (
      await gateway.get(`/api/files/${fileId}`, {
        accept: 'application/vnd.filewright+json'
      })
    ).json(),
    { file: { folder: 'behind' } }
  )
})
