import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { limits } from '@filewright/contracts'
import type { ReadyFileRecord } from '@filewright/db'
import { sendZip } from '../../../src/modules/zip/send-zip.js'
import { createZipService } from '../../../src/modules/zip/zip.service.js'
import { readZip } from '../../helpers/read-zip.js'

const principal = { tokenId: 't', projects: '*' } as never

t.test('ten thousand files are sent, one open at a time', async (t) => {
  const content = Buffer.alloc(100, 'x')
  const sha256 = createHash('sha256').update(content).digest('hex')
  const file = { sizeBytes: content.length, sha256, createdAt: new Date(0) } as ReadyFileRecord
  const entries = Array.from({ length: limits.filesPerZip }, (_, i) => ({
    id: String(i),
    name: `f/${i}.txt`
  }))
  let open = 0
  let most = 0
  const server = createServer((_request, response) => {
    void sendZip(
      response,
      entries,
      async () => {
        most = Math.max(most, ++open)
        const pieces = [content, null]
        return {
          file,
          reader: {
            next: async () => pieces.shift() ?? null,
            close: async () => {
              open--
            }
          }
        }
      },
      new AbortController().signal
    )
  })
  t.teardown(() => server.close())
  server.listen(0)
  await once(server, 'listening')

  const response = await fetch(`http://localhost:${(server.address() as AddressInfo).port}`)
  const names = await readZip(Buffer.from(await response.arrayBuffer()))

  t.equal(names.length, limits.filesPerZip)
  t.strictSame([most, open], [1, 0])
})

t.test('more files than an archive may have are refused, and none is left out silently', async (t) => {
  const asked: number[] = []
  const service = createZipService({
    selections: {
      list: async ({ limit }) => {
        asked.push(limit)
        return Array.from({ length: limit }, (_, i) => ({ id: String(i), folder: '', name: `${i}` }))
      }
    },
    files: { get: async () => await Promise.reject(new Error('unused')) },
    blobs: { open: async () => await Promise.reject(new Error('unused')) },
    log: { note: () => {} }
  })

  await t.rejects(
    service.select(principal, { projectId: 'p', base: '', folders: [''], ids: [], after: '' }),
    /at most 10000/
  )
  t.strictSame(asked, [limits.filesPerZip + 1])
})
