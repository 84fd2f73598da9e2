import t from 'tap'
import { bytes, inspect, ole, sparse, zip } from './samples.js'

const zeros = (count: number): Buffer => Buffer.alloc(count)
/** The beginning of a Word stream; bit 8 of its flags says that it is encrypted. */
const word = (flags: number): Buffer =>
  sparse(512, { 0: '\xec\xa5', 10: Buffer.from([flags & 0xff, flags >> 8]) })
const excel = (record: number): Buffer =>
  sparse(512, { 0: '\x09\x08\x10\0', 20: Buffer.from([record, 0, 4, 0]) })

const refused: ReadonlyArray<
  readonly [label: string, content: Buffer | Promise<Buffer>, code: string, reason: string]
> = [
  ['ELF', bytes('\x7fELF\x02\x01\x01', zeros(57)), 'unsupported-type', 'executable files are not accepted'],
  [
    'jar',
    zip({ 'META-INF/MANIFEST.MF': '', 'A.class': '' }),
    'unsupported-type',
    'executable files are not accepted'
  ],
  ['MSI', ole({ names: ['\u4840\u3f3f\u4577'] }), 'unsupported-type', 'executable files are not accepted'],
  ['FLAC', bytes('fLaC', zeros(38)), 'unsupported-type', 'audio is not accepted'],
  ['AVI', bytes('RIFF', [36, 0, 0, 0], 'AVI LIST', zeros(20)), 'unsupported-type', 'video is not accepted'],
  ['font', bytes('wOF2\0\x01\0\0', zeros(40)), 'unsupported-type', 'fonts are not accepted'],
  ['ISO 9660', sparse(40_000, { 32_769: 'CD001\x01' }), 'unsupported-type', 'disk images are not accepted'],
  [
    'lz4',
    bytes([0x04, 0x22, 0x4d, 0x18, 0x64, 0x40], zeros(60)),
    'unsupported-type',
    'archives of type application/x-lz4 are not accepted'
  ],
  [
    'SQLite',
    bytes('SQLite format 3\0', zeros(84)),
    'unsupported-type',
    'files of type application/x-sqlite3 are not accepted'
  ],
  ['zeros', zeros(100), 'unsupported-type', "the file's kind could not be identified"],
  [
    'OLE file of an unknown program',
    ole({ names: ['Catalog'] }),
    'unsupported-type',
    "the file's kind could not be identified"
  ],
  [
    'docx with a password',
    ole({ names: ['EncryptionInfo', 'EncryptedPackage'] }),
    'password-protected',
    'documents with an open password cannot be scanned'
  ],
  [
    'ppt with a password',
    ole({ names: ['PowerPoint Document', 'EncryptedSummary'] }),
    'password-protected',
    'documents with an open password cannot be scanned'
  ],
  [
    'doc with a password',
    ole({ names: ['WordDocument'], firstStream: word(0x0100) }),
    'password-protected',
    'documents with an open password cannot be scanned'
  ],
  [
    'xls with a password',
    ole({ names: ['Workbook'], firstStream: excel(0x2f) }),
    'password-protected',
    'documents with an open password cannot be scanned'
  ]
]

t.test('gives the reason why a file is not accepted', async (t) => {
  for (const [label, content, code, reason] of refused) {
    t.strictSame(await inspect(await content, 'a.bin'), { rejection: { code, reason } }, label)
  }
})

t.test('accepts Word and Excel files whose first bytes show that they have no password', async (t) => {
  t.match(await inspect(ole({ names: ['WordDocument'], firstStream: word(0x0200) }), 'a.doc'), {
    type: 'application/msword'
  })
  t.match(await inspect(ole({ names: ['Workbook'], firstStream: excel(0xe1) }), 'a.xls'), {
    type: 'application/vnd.ms-excel'
  })
})
