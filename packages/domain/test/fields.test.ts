import t from 'tap'
import { parseDescription, parseFileName, parseFolder, parseProjectId } from '../src/fields.js'

const refused = { code: 'INVALID_FIELD' }

t.test('project_id: 1 to 128 printable characters without slashes', async (t) => {
  for (const good of [
    'a',
    'acme',
    'my project',
    'Ünïcode-日本',
    'a'.repeat(128),
    '..',
    '*',
    '😀'.repeat(128)
  ]) {
    t.equal(parseProjectId(good), good)
  }
  for (const bad of [
    undefined,
    '',
    'a'.repeat(129),
    'a/b',
    'a\\b',
    'a\u0000',
    'a\nb',
    'a\u200bb',
    'a\u202eb',
    '\ud800',
    'a\ufffd',
    'a\u2028'
  ]) {
    // Escaped, because a line separator would break the report itself.
    t.throws(() => parseProjectId(bad), refused, escape(bad ?? 'absent'))
  }
})

t.test('folder: surrounding slashes are ignored, and it never leaves the root', async (t) => {
  for (const [given, kept] of [
    [undefined, ''],
    ['', ''],
    ['/', ''],
    ['a', 'a'],
    ['/a/b/', 'a/b'],
    ['//a', 'a'],
    ['a b/ü', 'a b/ü'],
    ['e\u0301', '\u00e9'],
    ['...', '...'],
    ['a'.repeat(512), 'a'.repeat(512)]
  ] as const) {
    t.equal(parseFolder(given), kept, JSON.stringify(given))
  }
  for (const bad of [
    '.',
    '..',
    'a/../b',
    './a',
    'a//b',
    'a\\b',
    'a\u0000',
    'a\tb',
    'a'.repeat(513),
    'ü'.repeat(257),
    '\u202ea',
    '\udfff'
  ]) {
    t.throws(() => parseFolder(bad), refused, JSON.stringify(bad))
  }
})

t.test('file name: NFC, the last component, up to 255 bytes', async (t) => {
  for (const [given, kept] of [
    ['a.txt', 'a.txt'],
    ['dir/a.txt', 'a.txt'],
    ['C:\\x\\a.txt', 'a.txt'],
    ['e\u0301.txt', '\u00e9.txt'],
    ['..a', '..a'],
    ['😀.txt', '😀.txt'],
    ['n'.repeat(255), 'n'.repeat(255)]
  ] as const) {
    t.equal(parseFileName(given), kept)
  }
  for (const bad of [
    '',
    '.',
    '..',
    'a/',
    'a\u0000.txt',
    'a\r\nb',
    'a\u007f',
    'a\u0085',
    'a\u202eb',
    'a\u2066b',
    '\ud83d.txt',
    'a\ufffd',
    'n'.repeat(256),
    'ü'.repeat(128)
  ]) {
    t.throws(() => parseFileName(bad), refused, JSON.stringify(bad))
  }
})

t.test('description: up to 2,000 characters, including line breaks', async (t) => {
  t.equal(parseDescription(undefined), null)
  t.equal(parseDescription('two\nlines'), 'two\nlines')
  t.equal(parseDescription('😀'.repeat(2_000)), '😀'.repeat(2_000))
  for (const bad of ['d'.repeat(2_001), 'a\u0000', '\ud800']) t.throws(() => parseDescription(bad), refused)
})
