import type { Test } from 'tap'
import type { BlobStore } from '../src/index.js'
import { chunks, newKey, pattern } from './helpers.js'

const OPTIONS = {
  seconds: 60,
  contentType: 'text/plain; charset=utf-8',
  contentDisposition: `attachment; filename="re_sum_.txt"; filename*=UTF-8''r%C3%A9sum%C3%A9.txt`,
  cacheControl: 'private, max-age=60'
}

/** What every driver whose store has addresses guarantees. They need no credentials. */
export function addressesContract(t: Test, createStore: (t: Test) => Promise<BlobStore>): void {
  t.test('an address gives the bytes with the headers that were asked for', async (t) => {
    const store = await createStore(t)
    const [small, large] = [newKey(), newKey()]
    await store.write(small, chunks(Buffer.from('content')))
    await store.write(large, chunks(pattern(700_000)))

    const reply = await fetch((await store.address(small, OPTIONS)) ?? '')
    t.equal(reply.status, 200)
    t.equal(await reply.text(), 'content')
    t.equal(reply.headers.get('content-type')?.replace('; ', ';'), 'text/plain;charset=utf-8')
    t.equal(reply.headers.get('content-disposition'), OPTIONS.contentDisposition)
    t.equal(reply.headers.get('cache-control'), OPTIONS.cacheControl)

    const address = (await store.address(large, OPTIONS)) ?? ''
    const part = await fetch(address, { headers: { range: 'bytes=600000-600009' } })
    t.equal(part.status, 206)
    t.ok(Buffer.from(await part.arrayBuffer()).equals(pattern(700_000).subarray(600_000, 600_010)))
  })

  t.test('an address is for reading one blob, unchanged and in time', async (t) => {
    const store = await createStore(t)
    const [key, other] = [newKey(), newKey()]
    await store.write(key, chunks(Buffer.from('content')))
    await store.write(other, chunks(Buffer.from('other')))
    const address = (await store.address(key, OPTIONS)) ?? ''

    const requests: Array<[what: string, address: string, options?: RequestInit]> = [
      ['another blob', address.replace(encodeURI(key), encodeURI(other))],
      ['another disposition', address.replace('attachment', 'inline')],
      ['without a signature', address.replace(/\?.*/, '')],
      [
        'overwriting',
        address,
        { method: 'PUT', body: 'changed', headers: { 'x-ms-blob-type': 'BlockBlob' } }
      ],
      ['deleting', address, { method: 'DELETE' }]
    ]
    for (const [what, changed, options] of requests) {
      const { status } = await fetch(changed, options)
      t.ok(status >= 400 && status < 500, `${what}: ${status}`)
    }
    t.equal(await (await fetch(address)).text(), 'content', 'the blob is as it was')

    const short = (await store.address(key, { ...OPTIONS, seconds: 1 })) ?? ''
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    const { status } = await fetch(short)
    t.ok(status === 403 || status === 400, `expired: ${status}`)
  })
}
