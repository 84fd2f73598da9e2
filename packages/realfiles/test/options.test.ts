import t from 'tap'
import { KINDS, matchesAny, parseOptions } from '../src/options.js'

t.test('without arguments every kind of file is uploaded to its own stack, one file at a time', async (t) => {
  const options = parseOptions([])

  t.match(options, {
    quick: false,
    folders: [],
    names: [],
    limit: Infinity,
    lanes: 1,
    service: null,
    json: false
  })
  t.strictSame(options.kinds, KINDS)
})

t.test('a running service is named by its address and token, without the trailing slash', async (t) => {
  const { service, folders, kinds } = parseOptions([
    '--url',
    'http://localhost:3000/',
    '--token',
    'abc',
    '--folder',
    'a',
    '--folder',
    'b',
    '--kind',
    'image'
  ])

  t.strictSame(service, { url: 'http://localhost:3000', token: 'abc' })
  t.strictSame(folders, ['a', 'b'])
  t.strictSame(kinds, ['image'])
})

t.test('invalid arguments are refused with a message', async (t) => {
  t.throws(() => parseOptions(['--url', 'http://localhost']), { message: /go together/ })
  t.throws(() => parseOptions(['--kind', 'music']), { message: /not one of code, image/ })
  t.throws(() => parseOptions(['--limit', 'many']), { message: /whole number/ })
  t.throws(() => parseOptions(['--seed', '0']), { message: /whole number/ })
})

t.test(
  'a name is wanted when it contains one of the parts, in any case, or when there are none',
  async (t) => {
    t.ok(matchesAny('bsdtar --format=pax', ['BSDTAR']))
    t.notOk(matchesAny('zip', ['7z', 'tar']))
    t.ok(matchesAny('zip', []))
  }
)
