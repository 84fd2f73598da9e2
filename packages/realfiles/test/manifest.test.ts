import t from 'tap'
import {
  expectationOf,
  matchesPattern,
  outOfReachReason,
  parseManifest,
  readManifest
} from '../src/manifest.js'

const named = (name: string): { name: string; source: string } => ({ name, source: 'here' })

t.test('the committed manifest is valid and knows the common formats', async (t) => {
  const manifest = await readManifest()
  const kindOf = (name: string): string => expectationOf(manifest, named(name), Buffer.alloc(0)).kind

  t.strictSame(['a.PNG', 'a.pdf', 'a.tar.gz', 'a.mp3'].map(kindOf), ['image', 'document', 'archive', 'other'])
  t.strictSame(manifest.tolerances, {
    code: { refused: 0.005, wrongType: 0.02 },
    image: { refused: 0.005, wrongType: 0.02 },
    document: { refused: 0.005, wrongType: 0.02 },
    archive: { refused: 0.02, wrongType: 0.02 }
  })
})

t.test(
  'a file with an unknown name is expected to be code if it is text, and may be refused otherwise',
  async (t) => {
    const manifest = await readManifest()
    const cut = Buffer.from(`${'a'.repeat(64 * 1024 - 1)}ü`)

    t.match(expectationOf(manifest, named('Makefile'), Buffer.from('all:\n')), {
      kind: 'code',
      expect: 'accepted'
    })
    t.match(
      expectationOf(manifest, named('Makefile'), cut),
      { kind: 'code' },
      'a character may be cut where looking ends'
    )
    t.match(expectationOf(manifest, named('core'), Buffer.from([1, 0, 2])), {
      kind: 'other',
      expect: 'either'
    })
    t.match(expectationOf(manifest, named('latin'), Buffer.from([0xe4, 0x20])), {
      kind: 'other',
      expect: 'either'
    })
  }
)

t.test('a pattern matches whole names, and only its star is special', async (t) => {
  t.ok(matchesPattern('A.TAR.GZ', '*.tar.gz'))
  t.notOk(matchesPattern('a.tar.gz.txt', '*.gz'))
  t.notOk(matchesPattern('axgz', '*.gz'))
})

t.test('a container is exempt only where the manifest names it', async (t) => {
  const manifest = parseManifest({
    tolerances: {},
    clamdPeakMb: 1,
    formats: [],
    outOfReach: [{ containers: ['zip of zpaq'], reason: 'nobody reads it' }]
  })

  t.equal(outOfReachReason(manifest, 'zip of zpaq'), 'nobody reads it')
  t.equal(outOfReachReason(manifest, 'zip of zip'), undefined)
})

t.test('a manifest with an unknown expectation is refused', async (t) => {
  const formats = [{ files: ['*'], kind: 'code', expect: 'perhaps' }]

  t.throws(() => parseManifest({ tolerances: {}, clamdPeakMb: 1, formats, outOfReach: [] }))
})

t.test('intentionally broken files may be refused, but not other files of the same folder', async (t) => {
  const manifest = await readManifest()
  const expected = (source: string): string => {
    const name = source.slice(source.lastIndexOf('/') + 1)
    return expectationOf(manifest, { name, source }, Buffer.alloc(0)).expect
  }

  t.equal(expected('libmspack_0.11.orig.tar.gz/libmspack/test/test_files/cabd/partial_nodata.cab'), 'either')
  t.equal(expected('libmspack_0.11.orig.tar.gz/libmspack/test/test_files/cabd/mszip_lzx_qtm.cab'), 'accepted')
  t.equal(expected('gzip_1.12.orig.tar.xz/gzip-1.12/tests/hufts-segv.gz'), 'either')
  t.equal(expected('xz-utils.tar.xz/tests/files/unsupported-check.xz'), 'either')
  t.equal(expected('xz-utils.tar.xz/tests/files/good-1-check-none.xz'), 'accepted')
  t.equal(expected('git.tar.xz/git/t/t5000/huge-and-future.tar'), 'either')
  t.equal(expected('git.tar.xz/git/t/t5000/other.tar'), 'accepted')
})
