import { once } from 'node:events'
import t from 'tap'
import { AppError } from '@filewright/runtime'
import { multipartBody, poll, type MultipartPart } from '@filewright/testing'
import { connectTo, headOf } from '../../helpers/raw-request.js'
import { startTestGateway, type TestGateway } from '../../helpers/test-gateway.js'

const project: MultipartPart = { name: 'project_id', value: 'acme' }
const textFile: MultipartPart = { name: 'file', filename: 'notes.txt', content: 'hello\n' }

const uploadHead = async (
  gateway: TestGateway,
  type: string,
  length: number,
  more: Record<string, string> = {}
): Promise<string> =>
  headOf('/api/files/upload', await gateway.token('*'), {
    'Content-Type': type,
    'Content-Length': length,
    ...more
  })

t.test('an upload whose client disconnects during the scan is cancelled and cleaned up', async (t) => {
  const gateway = await startTestGateway(t)
  const cancelled = new Promise<void>((resolve) => {
    gateway.onScan(
      async (_payload, signal) =>
        await new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => {
            resolve()
            reject(new AppError('CANCELLED', 'scripted'))
          })
        })
    )
  })
  const { body, contentType } = multipartBody([project, textFile])
  const before = gateway.scanned.length
  const socket = await connectTo(t, gateway)
  socket.write(await uploadHead(gateway, contentType, body.length))
  socket.write(body)
  await poll(() => gateway.scanned.length > before)

  socket.destroy()

  await cancelled
  const { fileId, blobKey } = gateway.scanned.at(-1)!
  await poll(async () => (await gateway.database.files.findStates([fileId])).size === 0)
  t.equal(await gateway.blobs.stat(blobKey), null)
})

for (const [where, word, more] of [
  ['in the middle of a file', 'hello', 2],
  ['between two parts', 'acme', 8]
] as const) {
  t.test(`a client that falls silent ${where} gets 408`, async (t) => {
    const gateway = await startTestGateway(t, { idleTimeoutMs: 200 })
    const { body, contentType } = multipartBody([project, textFile])
    const socket = await connectTo(t, gateway)

    socket.write(await uploadHead(gateway, contentType, body.length))
    socket.write(body.subarray(0, body.indexOf(word) + more))

    const [answer] = await once(socket, 'data')
    t.match(String(answer), /^HTTP\/1\.1 408 .*\{"error":"Request timed out"\}$/s)
    t.strictSame(await gateway.filesOnDisk(), [])
  })
}

t.test('a body announced as too large is refused before it is sent', async (t) => {
  const gateway = await startTestGateway(t)
  const socket = await connectTo(t, gateway)

  socket.write(
    await uploadHead(gateway, 'multipart/form-data; boundary=x', 900_000_000, { Expect: '100-continue' })
  )

  const [answer] = await once(socket, 'data')
  t.match(String(answer), /^HTTP\/1\.1 400 .*File too large or invalid type/s)
})
