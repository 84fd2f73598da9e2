import t from 'tap'
import { createBuffer } from '../../src/prove/buffer-class.js'
import { createUrlClasses } from '../../src/prove/url-classes.js'

const own = createUrlClasses()
const OwnBuffer = createBuffer()

const parts = [
  'href',
  'protocol',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
  'origin'
] as const

t.test('URL reads addresses as Node.js does', async (t) => {
  const addresses: Array<[string, string?]> = [
    ['http://a.example'],
    ['HTTP://A.Example:80/b/../c?d=e f#g h'],
    ['https://user:secret@a.example:8443/x'],
    ['http:\\\\a.example\\b'],
    ['http://[::1]:3000/x'],
    ['git+ssh://host/x'],
    ['git+ssh://'],
    ['mailto:a@b.example'],
    ['file:///a/b'],
    ['/a?x=1', 'http://localhost/b/c'],
    ['//evil.example/x', 'https://a.example'],
    ['\\\\evil.example', 'http://a.example/'],
    ['//x//evil.example', 'http://a.example/'],
    ['?y', 'http://h/p?z'],
    ['../q', 'http://h/a/b/c'],
    ['#f', 'http://h/a?b#c'],
    ['', 'http://h/a?b#c'],
    ['a b', 'http://h/c/d']
  ]
  for (const [address, base] of addresses) {
    const [theirs, ours] = [new URL(address, base), new own.URL(address, base)]
    for (const part of parts) t.equal(ours[part], theirs[part], `${part} of ${address}`)
  }
})

t.test('URL refuses what Node.js refuses', async (t) => {
  for (const address of ['', 'x', '/x', 'http://', 'https://a b/', 'http://h:x/', 'git+ssh://a b', 'x y']) {
    t.throws(() => new URL(address), TypeError, address)
    t.throws(() => new own.URL(address), TypeError, address)
    t.equal(own.URL.canParse(address), false)
  }
})

t.test('URLSearchParams reads, writes and changes the address', async (t) => {
  const act = ({ URL: Address }: { URL: typeof URL }): string[] => {
    const address = new Address('http://h/?a=1&b=%2Fx+y&a=2&c')
    const { searchParams } = address
    const read = [
      searchParams.get('b'),
      searchParams.getAll('a'),
      searchParams.get('z'),
      searchParams.has('c')
    ]
    searchParams.set('a', 'x y')
    searchParams.append('d', '&')
    searchParams.delete('c')
    return [JSON.stringify(read), address.href, String(searchParams), [...searchParams.keys()].join()]
  }

  t.strictSame(act(own as { URL: typeof URL }), act({ URL }))
  t.equal(
    String(new own.URLSearchParams({ a: '1', b: '&' })),
    String(new URLSearchParams({ a: '1', b: '&' }))
  )
})

t.test('Buffer converts and compares as in Node.js', async (t) => {
  const texts: Array<[string, BufferEncoding]> = [
    ['grün €', 'utf8'],
    ['00ff7f', 'hex'],
    ['aGVsbG8gd29ybGQ=', 'base64'],
    ['_-8', 'base64url'],
    ['\xff\x00a', 'latin1']
  ]
  const encodings: BufferEncoding[] = ['utf8', 'hex', 'base64', 'base64url', 'latin1']
  for (const [text, encoding] of texts) {
    const [theirs, ours] = [Buffer.from(text, encoding), OwnBuffer.from(text, encoding)]
    t.strictSame([...ours], [...theirs], `${text} as ${encoding}`)
    // Bytes that are no text become replacement characters in Node.js only.
    const readable =
      encoding === 'hex' || encoding === 'latin1' || encoding === 'base64url' ? encodings.slice(1) : encodings
    for (const to of readable) t.equal(ours.toString(to), theirs.toString(to), `${text} to ${to}`)
  }
  const act = (Bytes: typeof Buffer): unknown[] => {
    const bytes = Bytes.alloc(8)
    bytes.writeUInt16BE(258, 1)
    bytes.writeInt32LE(-2, 3)
    const written = bytes.write('ab', 7)
    return [
      [...bytes],
      written,
      bytes.readUInt16LE(1),
      bytes.readInt32LE(3),
      [...Bytes.concat([Bytes.from('a'), Bytes.from('b')])],
      Bytes.byteLength('é'),
      Bytes.isBuffer(bytes),
      Bytes.from('a').compare(Bytes.from('b')),
      Bytes.from('a').equals(Bytes.from('a'))
    ]
  }
  t.strictSame(act(OwnBuffer), act(Buffer))
})
