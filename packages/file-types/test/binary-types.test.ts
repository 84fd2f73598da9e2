import { gzipSync } from 'node:zlib'
import t from 'tap'
import { bytes, contentTypes, detect, ole, sparse, tarball, utf16, zip } from './samples.js'

const zeros = (count: number): Buffer => Buffer.alloc(count)
const OFFICE = 'application/vnd.openxmlformats-officedocument.'
const ODF = 'application/vnd.oasis.opendocument.'

const png = bytes('\x89PNG\r\n\x1a\n', '\0\0\0\x0dIHDR', zeros(17), '\0\0\0\0IDAT', zeros(4))
const gif = bytes('GIF89a', [1, 0, 1, 0, 0, 0, 0], ',', zeros(9), [2, 2, 0x44, 1, 0], ';')
const jpeg = bytes([0xff, 0xd8, 0xff, 0xe0, 0, 16], 'JFIF\0', zeros(20), [0xff, 0xd9])
const bmp = sparse(70, { 0: 'BM', 14: '\x28' })
const icon = bytes([0, 0, 1, 0, 1, 0], [16, 16, 0, 0, 1, 0, 32, 0], [4, 0, 0, 0], [22, 0, 0, 0], 'abcd')
const tiffAtEnd = sparse(200_000, { 0: 'II*\0\x00\x0d\x03\0' })
const isoMedia = (brand: string): Buffer => bytes([0, 0, 0, 24], `ftyp${brand}`, zeros(4), `${brand}mif1`)
const cpioNewc = bytes('070701', '0'.repeat(94), '00000002', '00000000', 'a\0')
const cpioOdc = bytes('070707', '0'.repeat(70), 'a\0')
const cpioOld = sparse(80, { 0: '\xc7\x71', 20: '\x02', 26: 'a\0' })
const tar = await tarball({ 'a.txt': 'hello' })

const supported: ReadonlyArray<
  readonly [name: string, content: Buffer | Promise<Buffer>, type: string, kind: string]
> = [
  ['a.png', png, 'image/png', 'image'],
  ['cut.png', png.subarray(0, 8), 'image/png', 'image'],
  [
    'a.apng',
    bytes('\x89PNG\r\n\x1a\n', '\0\0\0\x0dIHDR', zeros(17), '\0\0\0\x08acTL', zeros(12)),
    'image/apng',
    'image'
  ],
  ['a.jpg', jpeg, 'image/jpeg', 'image'],
  ['cut.jpg', jpeg.subarray(0, 4), 'image/jpeg', 'image'],
  ['a.gif', gif, 'image/gif', 'image'],
  ['polyglot.js', bytes('GIF89a', '/*\0*/=1;alert(1)'), 'image/gif', 'image'],
  ['a.webp', bytes('RIFF', [20, 0, 0, 0], 'WEBPVP8 ', zeros(12)), 'image/webp', 'image'],
  ['a.avif', isoMedia('avif'), 'image/avif', 'image'],
  ['a.heic', isoMedia('heic'), 'image/heic', 'image'],
  ['a.bmp', bmp, 'image/bmp', 'image'],
  ['a.ico', icon, 'image/x-icon', 'image'],
  ['a.tif', bytes('MM\0*\0\0\0\x08\0\0', zeros(8)), 'image/tiff', 'image'],
  ['large.tif', tiffAtEnd, 'image/tiff', 'image'],
  ['a.psd', bytes('8BPS\0\x01', zeros(20)), 'image/vnd.adobe.photoshop', 'image'],
  ['a.jxl', bytes('\0\0\0\x0cJXL \r\n\x87\n', zeros(8)), 'image/jxl', 'image'],
  ['bare.jxl', bytes([0xff, 0x0a, 0, 1, 2, 3]), 'image/jxl', 'image'],
  ['a.icns', bytes('icns', [0, 0, 0, 16], zeros(8)), 'image/icns', 'image'],
  ['a.jp2', bytes('\0\0\0\x0cjP  \r\n\x87\n', '\0\0\0\x14ftypjp2 ', zeros(8)), 'image/jp2', 'image'],
  ['a.xcf', bytes('gimp xcf file\0', zeros(8)), 'image/x-xcf', 'image'],
  ['png named as source.ts', png, 'image/png', 'image'],
  ['png named as text.txt', png, 'image/png', 'image'],

  ['a.pdf', bytes('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', zeros(8)), 'application/pdf', 'document'],
  ['bom.pdf', bytes('\xef\xbb\xbf%PDF-1.7\n', zeros(8)), 'application/pdf', 'document'],
  ['a.rtf', bytes('{\\rtf1\\ansi \\bin1 \0}'), 'application/rtf', 'document'],
  ['a.eps', bytes([0xc5, 0xd0, 0xd3, 0xc6], zeros(40)), 'application/postscript', 'document'],
  ['a.djvu', bytes('AT&TFORM', zeros(4), 'DJVU'), 'image/vnd.djvu', 'document'],
  ['a.mobi', sparse(200, { 60: 'BOOKMOBI' }), 'application/x-mobipocket-ebook', 'document'],
  ['a.doc', ole({ names: ['1Table', 'WordDocument'] }), 'application/msword', 'document'],
  ['a.xls', ole({ names: ['Workbook'] }), 'application/vnd.ms-excel', 'document'],
  ['old.xls', ole({ names: ['Book'] }), 'application/vnd.ms-excel', 'document'],
  [
    'a.ppt',
    ole({ names: ['Current User', 'PowerPoint Document'] }),
    'application/vnd.ms-powerpoint',
    'document'
  ],
  [
    'a.msg',
    ole({ names: ['__nameid_version1.0', '__properties_version1.0'] }),
    'application/vnd.ms-outlook',
    'document'
  ],
  ['a.vsd', ole({ names: ['VisioDocument'] }), 'application/vnd.visio', 'document'],
  [
    'directory in the middle.doc',
    bytes(ole({ names: ['WordDocument'], directorySector: 400 }), zeros(300_000)),
    'application/msword',
    'document'
  ],
  [
    'other data behind the directory.doc',
    bytes(ole({ names: ['WordDocument'] }).subarray(0, 768), '\x40\x48'.repeat(2_000)),
    'application/msword',
    'document'
  ],
  [
    'streams out of sight.doc',
    ole({ names: ['ObjectPool'], classId: '0609020000000000c000000000000046' }),
    'application/msword',
    'document'
  ],
  [
    'streams out of sight.ppt',
    ole({ names: ['Pictures'], classId: '108d81649b4fcf1186ea00aa00b929e8' }),
    'application/vnd.ms-powerpoint',
    'document'
  ],
  ['doc named.png', ole({ names: ['WordDocument'] }), 'application/msword', 'document'],
  [
    'a.docx',
    zip({
      '[Content_Types].xml': contentTypes(`${OFFICE}wordprocessingml.document`),
      'word/document.xml': ''
    }),
    `${OFFICE}wordprocessingml.document`,
    'document'
  ],
  [
    'a.xlsx',
    zip({ '[Content_Types].xml': contentTypes(`${OFFICE}spreadsheetml.sheet`) }),
    `${OFFICE}spreadsheetml.sheet`,
    'document'
  ],
  [
    'a.pptx',
    zip({ '[Content_Types].xml': contentTypes(`${OFFICE}presentationml.presentation`) }),
    `${OFFICE}presentationml.presentation`,
    'document'
  ],
  [
    'a.docm',
    zip({ '[Content_Types].xml': contentTypes('application/vnd.ms-word.document.macroEnabled') }),
    'application/vnd.ms-word.document.macroenabled.12',
    'document'
  ],
  [
    'deep.docx',
    zip(
      { 'media/photo': 'x'.repeat(100_000), '[Content_Types].xml': '', 'word/document.xml': '' },
      { compress: false }
    ),
    `${OFFICE}wordprocessingml.document`,
    'document'
  ],
  [
    'deep.xlsm',
    zip(
      {
        'media/photo': 'x'.repeat(100_000),
        '[Content_Types].xml': '',
        'xl/workbook.xml': '',
        'xl/vbaProject.bin': ''
      },
      { compress: false }
    ),
    'application/vnd.ms-excel.sheet.macroenabled.12',
    'document'
  ],
  ['a.odt', zip({ mimetype: `${ODF}text` }, { compress: false }), `${ODF}text`, 'document'],
  ['a.ods', zip({ mimetype: `${ODF}spreadsheet` }, { compress: false }), `${ODF}spreadsheet`, 'document'],
  ['a.odp', zip({ mimetype: `${ODF}presentation` }, { compress: false }), `${ODF}presentation`, 'document'],
  [
    'a.epub',
    zip({ mimetype: 'application/epub+zip' }, { compress: false }),
    'application/epub+zip',
    'document'
  ],

  ['a.zip', zip({ 'a.txt': 'hello' }), 'application/zip', 'archive'],
  ['a.docx', zip({ 'a.txt': 'hello' }), 'application/zip', 'archive'],
  ['a.png', zip({ 'a.txt': 'hello' }), 'application/zip', 'archive'],
  ['empty.zip', zip({}), 'application/zip', 'archive'],
  ['content types of nothing.zip', zip({ '[Content_Types].xml': '<Types/>' }), 'application/zip', 'archive'],
  [
    'sources.jar',
    zip({ 'META-INF/MANIFEST.MF': 'Manifest-Version: 1.0\n', 'A.java': 'class A {}' }),
    'application/zip',
    'archive'
  ],
  [
    'many entries.odt',
    zip(
      {
        mimetype: `${ODF}text`,
        ...Object.fromEntries([...Array(900).keys()].map((i) => [`Pictures/${'n'.repeat(200)}${i}`, ''])),
        'META-INF/manifest.xml': ''
      },
      { compress: false }
    ),
    `${ODF}text`,
    'document'
  ],
  ['extension.xpi', zip({ 'manifest.json': '{}', 'META-INF/mozilla.rsa': '' }), 'application/zip', 'archive'],
  ['classes of a build.zip', zip({ 'target/A.class': '\xca\xfe\xba\xbe' }), 'application/zip', 'archive'],
  ['executables inside.zip', zip({ 'setup.exe': 'MZ\0' }), 'application/zip', 'archive'],
  [
    'jar stored inside.zip',
    zip(
      {
        'lib.jar': (await zip({ 'META-INF/MANIFEST.MF': '', 'A.class': '' }, { compress: false })).toString(
          'latin1'
        )
      },
      { compress: false }
    ),
    'application/zip',
    'archive'
  ],
  ['cut.zip', bytes('PK\x03\x04', zeros(26)), 'application/zip', 'archive'],
  ['a.tar', tar, 'application/x-tar', 'archive'],
  [
    'jar inside.tar',
    tarball({ 'lib.jar': await zip({ 'META-INF/MANIFEST.MF': '', 'A.class': '' }) }),
    'application/x-tar',
    'archive'
  ],
  ['a.tar.gz', gzipSync(tar), 'application/gzip', 'archive'],
  ['without a NUL.gz', bytes([0x1f, 0x8b, 8, 8], '\xe9ab'.repeat(700)), 'application/gzip', 'archive'],
  ['a.gz', gzipSync('hello'), 'application/gzip', 'archive'],
  ['a.bz2', bytes('BZh9', Buffer.from('314159265359', 'hex'), zeros(8)), 'application/x-bzip2', 'archive'],
  [
    'empty.bz2',
    bytes('BZh9', Buffer.from('177245385090', 'hex'), zeros(4)),
    'application/x-bzip2',
    'archive'
  ],
  ['a.xz', bytes([0xfd], '7zXZ\0', zeros(12)), 'application/x-xz', 'archive'],
  ['a.cpio', cpioNewc, 'application/x-cpio', 'archive'],
  ['odc.cpio', cpioOdc, 'application/x-cpio', 'archive'],
  ['old.cpio', cpioOld, 'application/x-cpio', 'archive'],
  [
    'lib.a',
    bytes('!<arch>\nlib.o/          0           0     0     644     4         `\n\0\0\0\0'),
    'application/x-unix-archive',
    'archive'
  ],
  [
    'text.ar',
    bytes('!<arch>\nREADME/         0           0     0     644     4         `\ntext'),
    'application/x-unix-archive',
    'archive'
  ],
  // A dictionary of 4 KiB and a known size.
  ['a.lzma', bytes(']\0\x10\0\0\x0d', zeros(7), '\0$\x19I\x98'), 'application/x-lzma', 'archive'],
  ['a.7z', bytes('7z\xbc\xaf\x27\x1c', zeros(26)), 'application/x-7z-compressed', 'archive'],
  ['a.rar', bytes('Rar!\x1a\x07\0', zeros(20)), 'application/x-rar-compressed', 'archive'],
  ['a.zst', bytes([0x28, 0xb5, 0x2f, 0xfd], zeros(20)), 'application/zstd', 'archive'],
  [
    'pzstd.zst',
    bytes([0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4, 0x28, 0xb5, 0x2f, 0xfd], zeros(20)),
    'application/zstd',
    'archive'
  ],
  ['a.tar.Z', bytes([0x1f, 0x9d, 0x90], zeros(20)), 'application/x-compress', 'archive'],
  ['a.arj', bytes([0x60, 0xea, 0x2c, 0, 0x22, 11, 1, 0], zeros(60)), 'application/x-arj', 'archive'],
  ['a.cab', bytes('MSCF\0\0\0\0', zeros(60)), 'application/vnd.ms-cab-compressed', 'archive'],
  ['a.lz', bytes('LZIP\x01\x0c', zeros(40)), 'application/x-lzip', 'archive']
]

t.test('binary files get the type of their content, whatever their name', async (t) => {
  for (const [name, content, type, kind] of supported) {
    t.strictSame(await detect(await content, name), { type, kind }, `${name} is ${type}`)
  }
})

const pe = sparse(600, { 0: 'MZ', 0x3c: '\x80', 0x80: 'PE\0\0\x64\x86' })
const msiClass = '84100c0000000000c000000000000046'
const mpegTs = Buffer.concat(Array.from({ length: 20 }, () => sparse(188, { 0: 'G@\x11\x10' })))

const refused: ReadonlyArray<readonly [label: string, content: Buffer | Promise<Buffer>]> = [
  ['ELF', bytes('\x7fELF\x02\x01\x01', zeros(57))],
  ['PE', pe],
  ['DOS executable', bytes('MZ', [0x90, 0, 3, 0, 0, 0], zeros(60))],
  ['Mach-O, 64 bit', bytes([0xcf, 0xfa, 0xed, 0xfe], zeros(28))],
  ['Mach-O, 32 bit', bytes([0xfe, 0xed, 0xfa, 0xce], zeros(28))],
  ['Mach-O, fat', bytes([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 2], zeros(40))],
  ['Java class', bytes([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61], zeros(40))],
  ['WebAssembly', bytes('\0asm\x01\0\0\0')],
  ['DEX', bytes('dex\n035\0', zeros(32))],
  ['Python bytecode', bytes([0xcb, 0x0d, 0x0d, 0x0a], zeros(12))],
  ['Lua bytecode', bytes('\x1bLuaT\0', zeros(12))],
  ['Windows shortcut', bytes('L\0\0\0', Buffer.from('0114020000000000c000000000000046', 'hex'), zeros(40))],
  ['deb', bytes('!<arch>\ndebian-binary   0           0     0     100644  4         `\n2.0\n\0')],
  ['rpm', bytes([0xed, 0xab, 0xee, 0xdb, 3, 0], zeros(90))],
  ['Chrome extension', bytes('Cr24', [3, 0, 0, 0], zeros(20))],
  [
    'shell script with a binary behind it',
    bytes('#!/bin/sh\ntail -n +3 $0 | tar x\nexit\n', gzipSync('payload'))
  ],
  ['MSI by its class', ole({ names: ['anything'], classId: msiClass })],
  ['MSI by its tables', ole({ names: ['\u4840\u3f3f\u4577', 'WordDocument'] })],
  ['encrypted Office document', ole({ names: ['EncryptionInfo', 'EncryptedPackage'] })],
  ['OLE file of an unknown application', ole({ names: ['Catalog'] })],
  ['MSI patch by its class', ole({ names: ['WordDocument'], classId: '86100c0000000000c000000000000046' })],
  ['OLE file without a directory', bytes(ole({ names: [] }).subarray(0, 512), '\xff'.repeat(600))],
  [
    'OLE file with impossible sectors',
    sparse(2_000, { 0: Buffer.from('d0cf11e0a1b11ae1', 'hex'), 0x1e: '\x07' })
  ],
  [
    'OLE file that ends before its directory',
    ole({ names: ['WordDocument'], directorySector: 400 }).subarray(0, 5_000)
  ],
  ['OLE header cut short', Buffer.from('d0cf11e0a1b11ae10000', 'hex')],
  ['jar', zip({ 'META-INF/MANIFEST.MF': '', 'com/acme/A.class': '' })],
  [
    'jar whose list of entries is longer than the tail',
    zip({
      'META-INF/MANIFEST.MF': '',
      ...Object.fromEntries(
        Array.from({ length: 1_500 }, (_, i) => [`com/acme/some/package/Type${i}.class`, ''])
      )
    })
  ],
  [
    'jar whose class lies out of sight',
    zip({
      'META-INF/MANIFEST.MF': '',
      ...Object.fromEntries(
        [...Array(900).keys()].map((i) => (i === 450 ? ['A.class', ''] : [`${'n'.repeat(200)}${i}`, '']))
      )
    })
  ],
  ['jar whose manifest is in small letters', zip({ 'META-INF/manifest.mf': '', 'A.class': '' })],
  [
    'jar without its list of entries',
    zip({ 'META-INF/MANIFEST.MF': '', 'A.class': '' }).then((all) => all.subarray(0, -22))
  ],
  [
    'jar that begins like a docx',
    zip({
      '[Content_Types].xml': contentTypes(`${OFFICE}wordprocessingml.document`),
      'META-INF/MANIFEST.MF': '',
      'A.class': ''
    })
  ],
  ['jar behind a GIF', zip({ 'META-INF/MANIFEST.MF': '', 'A.class': '' }).then((jar) => bytes(gif, jar))],
  [
    'jar behind a PDF',
    zip({ 'META-INF/MANIFEST.MF': '', 'A.class': '' }).then((jar) => bytes('%PDF-1.7\n', jar))
  ],
  ['war', zip({ 'META-INF/MANIFEST.MF': '', 'WEB-INF/classes/A.class': '' })],
  ['apk', zip({ 'AndroidManifest.xml': '', 'classes.dex': '' })],
  ['apk by its second dex', zip({ 'res/a.xml': '', 'classes2.dex': '' })],
  ['app bundle', zip({ 'base/dex/classes.dex': '' })],
  ['ipa', zip({ 'Payload/Acme.app/Info.plist': '' })],
  ['msix', zip({ 'AppxManifest.xml': '' })],
  ['ISO 9660', sparse(40_000, { 32_769: 'CD001\x01' })],
  ['ISO 9660 that begins like a PNG', sparse(40_000, { 0: png, 32_769: 'CD001\x01' })],
  ['dmg', sparse(5_000, { 4_488: 'koly\0\0\0\x04' })],
  [
    'dmg that begins like a bzip2',
    sparse(5_000, { 0: bytes('BZh9', Buffer.from('314159265359', 'hex')), 4_488: 'koly\0\0\0\x04' })
  ],
  [
    'large dmg that begins like a bzip2',
    sparse(500_000, { 0: bytes('BZh9', Buffer.from('314159265359', 'hex')), 499_488: 'koly\0\0\0\x04' })
  ],
  ['fixed VHD', sparse(5_000, { 4_488: 'conectix' })],
  ['dynamic VHD', sparse(2_000, { 0: 'conectix' })],
  ['qcow2', bytes('QFI\xfb', [0, 0, 0, 3], zeros(90))],
  ['VMDK', bytes('KDMV', [1, 0, 0, 0], zeros(90))],
  ['squashfs', bytes('hsqs', zeros(90))],
  ['disk with a boot sector', sparse(1_024, { 510: '\x55\xaa' })],
  ['MP3 with a tag', bytes('ID3\x03\0\0\0\0\0\0', [0xff, 0xfb, 0x90, 0x64], zeros(400))],
  ['tag of an MP3 before a PNG', bytes('ID3\x03\0\0\0\0\0\0', png)],
  ['MP3', bytes([0xff, 0xfb, 0x90, 0x64], zeros(400))],
  ['WAV', bytes('RIFF', [36, 0, 0, 0], 'WAVEfmt ', zeros(20))],
  ['FLAC', bytes('fLaC', zeros(38))],
  ['Ogg', bytes('OggS', zeros(24), '\x01vorbis', zeros(20))],
  ['MP4', isoMedia('isom')],
  ['Matroska', bytes([0x1a, 0x45, 0xdf, 0xa3, 0x8b, 0x42, 0x82, 0x88], 'matroska', zeros(8))],
  ['AVI', bytes('RIFF', [36, 0, 0, 0], 'AVI LIST', zeros(20))],
  ['MPEG transport stream', mpegTs],
  ['TrueType font', bytes([0, 1, 0, 0, 0, 9], zeros(30))],
  ['WOFF2 font', bytes('wOF2\0\x01\0\0', zeros(40))],
  ['SQLite database', bytes('SQLite format 3\0', zeros(84))],
  ['zeros', zeros(10_240)],
  ['a single NUL', zeros(1)],
  ['binary behind a byte order mark', bytes('\xef\xbb\xbf', png)],
  ['binary that begins with BM', bytes('BM', zeros(60))],
  ['BM and too little behind it', bytes('BM\0')],
  ['binary that begins with GIF', bytes('GIF0', zeros(60))],
  ['binary that begins like an icon', bytes([0, 0, 1, 0, 1, 0], zeros(60))],
  ['icon without entries', bytes([0, 0, 1, 0, 0, 0], zeros(60))],
  ['icon whose image lies outside', bytes(icon.subarray(0, 22))],
  ['icon cut in its list', bytes([0, 0, 1, 0, 9, 0], zeros(20))],
  ['icon cut in its header', bytes([0, 0, 1, 0])],
  ['binary that begins like a bzip2', bytes('BZh9', zeros(60))],
  ['binary that begins like an old cpio', bytes('\xc7\x71', zeros(60))],
  ['binary that begins like an icns', bytes('icns', zeros(60))],
  ['binary that begins like a bare JPEG XL', bytes([0xff, 0x0a], zeros(60))],
  ['binary that begins like a Photoshop file', bytes('8BPS', zeros(60))],
  ['UTF-16 mark before an executable', bytes([0xff, 0xfe], pe)],
  [
    'UTF-16 text with a jar behind it',
    zip({ 'META-INF/MANIFEST.MF': '', 'A.class': '' }).then((jar) => bytes(utf16('hello', 'le'), jar))
  ]
]

t.test(
  'audio, video, executables, disk images, fonts and unknown bytes are refused under every name',
  async (t) => {
    for (const [label, content] of refused) {
      for (const name of ['a.bin', 'a.png', 'a.ts', 'a.docx', 'a.zip', 'a.txt', 'a']) {
        t.equal(await detect(await content, name), null, `${label} as ${name}`)
      }
    }
  }
)

t.test('chunk boundaries change nothing', async (t) => {
  for (const chunkBytes of [1, 511, 4_096]) {
    for (const [name, content, type, kind] of supported) {
      if ((await content).length > 20_000 && chunkBytes === 1) continue
      t.strictSame(await detect(await content, name, chunkBytes), { type, kind }, `${name} by ${chunkBytes}`)
    }
    for (const [label, content] of refused) {
      t.equal(await detect(await content, 'a.bin', chunkBytes), null, `${label} by ${chunkBytes}`)
    }
  }
})
