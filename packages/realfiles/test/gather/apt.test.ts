import t from 'tap'
import { sourcePackagesOf } from '../../src/gather/apt.js'

t.test('a list of binary packages becomes one of source packages, in both formats', async (t) => {
  const deb822 = 'Types: deb\nURIs: http://mirror.example/debian\nSuites: stable\n'

  t.equal(sourcePackagesOf(deb822), 'Types: deb-src\nURIs: http://mirror.example/debian\nSuites: stable\n')
  t.equal(
    sourcePackagesOf('deb http://mirror.example stable main\n'),
    'deb-src http://mirror.example stable main\n'
  )
})

t.test('entries for source packages, and the rest of a line, stay', async (t) => {
  const list = 'deb-src http://mirror.example/deb stable main\n# deb in a comment\n'

  t.equal(sourcePackagesOf(list), list)
  t.equal(sourcePackagesOf('Types: deb-src\n'), 'Types: deb-src\n')
})
