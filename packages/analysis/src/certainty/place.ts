import { posix } from 'node:path'
import type { Language } from '@filewright/contracts'
import type { Source } from '../text/source.js'
import { testCodeFinder } from './test-code.js'

/**
 * What a line belongs to. Only faults of the program itself harm those who use it: a test does wrong things on
 * purpose, an example is short instead of safe, and a generated file is made again.
 */
export type Place = 'program' | 'test' | 'test-support' | 'example' | 'generated'

type Words = ReadonlySet<string>
const words = (text: string): Words => new Set(text.split(' '))

/** Words in the names of folders, by what the folders hold; the first that is found decides. */
const folders: readonly (readonly [Place, anywhere: Words, atTheTop: Words])[] = [
  [
    'test-support',
    words(
      'test tests testing testlib testutil testutils testdata testfiles spec specs e2e cypress playwright ' +
        'smoke fuzz fixture fixtures mock mocks snapshots cassettes corpus'
    ),
    words('t it')
  ],
  [
    'example',
    words(
      'example examples sample samples demo demos tutorial tutorials playground playgrounds ' +
        'benchmark benchmarks bench cookbook stories storybook boilerplate scaffold scaffolds'
    ),
    words('doc docs documentation perf contrib')
  ],
  [
    'generated',
    words('vendor vendored node_modules bower_components thirdparty generated autogen codegen'),
    words('dist build out gen')
  ]
]

/** The same for the first and the last word of a file's name. */
const files: readonly (readonly [Place, Words])[] = [
  ['test-support', words('test tests testcase spec specs conftest e2e cy fuzz')],
  ['example', words('example examples sample demo benchmark bench stories')],
  ['generated', words('min pb pb2 grpc generated gen bundle')]
]

/** `FooTest`, `foo_test`, `foo-tests`, `third-party`: in lower case, apart and as one. */
function wordsOf(name: string): string[] {
  const parts = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((part) => part !== '')
  return [...parts, parts.join(''), name.toLowerCase()]
}

/** `codemirror-5.17.0/`, `jquery-3.7.1.js`: a copy of a release. */
const versioned = /[-_@.]v?\d+\.\d+\.\d+/

/** What the first lines of a generated file say. */
const generatedMark =
  /@generated\b|\bCode generated\b.{0,80}\bDO NOT EDIT\b|\b(?:auto-?generated|automatically generated|generated (?:by|from|automatically|using))\b.{0,100}\b(?:edit|modify|change)\b|\bdo not (?:edit|modify)\b.{0,80}\bgenerated\b/i
const MAX_MARK_LINES = 15
/** Nobody types lines like these: a tool has packed them. */
const MAX_TYPED_CHARS = 1_000
const MIN_PACKED_SHARE = 0.5

function isGenerated({ text, lines }: Source): boolean {
  if (generatedMark.test(lines.slice(0, MAX_MARK_LINES).join('\n'))) return true
  const packed = lines.reduce((sum, line) => (line.length > MAX_TYPED_CHARS ? sum + line.length : sum), 0)
  return packed > text.length * MIN_PACKED_SHARE
}

/** Says where a machine keeps the program, which is no part of the program. */
const leavesItsRoot = /^(?:\/|[A-Za-z]+:|\.\.\/)/

export function placeOfPath(given: string): Place {
  const path = posix.normalize(given.replaceAll('\\', '/'))
  const parts = path.split('/').filter((name) => name !== '' && name !== '.')
  const file = parts.pop() ?? ''
  const names = leavesItsRoot.test(path) ? [] : parts
  const top = wordsOf(names[0] ?? '')
  // `org.example` is a package of Java like any other.
  const around = names.flatMap((name, index) =>
    name === 'example' && /^(?:com|org|net|io)$/.test(names[index - 1] ?? '') ? [] : wordsOf(name)
  )
  const byFolder = folders.find(
    ([, anywhere, atTheTop]) =>
      around.some((word) => anywhere.has(word)) || top.some((word) => atTheTop.has(word))
  )
  if (byFolder !== undefined) return byFolder[0]
  // The first folder may be the unpacked release that is analyzed.
  if ([...names.slice(1), file].some((name) => versioned.test(name))) return 'generated'
  if (/IT\.java$/.test(file)) return 'test-support'
  const own = wordsOf(file.replace(/\.\w+$/, ''))
  const ends = [own[0] ?? '', own.at(-3) ?? '']
  return files.find(([, known]) => ends.some((word) => known.has(word)))?.[0] ?? 'program'
}

/**
 * Tells of a line what it belongs to: by the path, where the client names one, and by the code. Only the code tells
 * a test from the files that it uses.
 */
export function placeFinder(
  source: Source,
  language: Language,
  path: string | undefined
): (line: number) => Place {
  const byPath = path === undefined ? 'program' : placeOfPath(path)
  const isTest = testCodeFinder(source, language)
  const rest = byPath !== 'program' ? byPath : isGenerated(source) ? 'generated' : 'program'
  return (line) => (isTest(line) ? 'test' : rest)
}
