import t from 'tap'
import { bytes, detect, ole, oleInPieces, sparse, zip } from './samples.js'

const zeros = (count: number): Buffer => Buffer.alloc(count)
const pdf = '%PDF-1.7\n1 0 obj\nendobj\nstartxref\n9\n%%EOF\n'

const documents: ReadonlyArray<readonly [name: string, content: Buffer | Promise<Buffer>, type: string]> = [
  ['capitals.doc', ole({ names: ['WORDDOCUMENT'] }), 'application/msword'],
  ['capitals.xls', ole({ names: ['WORKBOOK'] }), 'application/vnd.ms-excel'],
  ['a.pub', ole({ names: ['Contents', 'Quill'] }), 'application/x-mspublisher'],
  ['a.mpp', ole({ names: ['   114', 'Props14'] }), 'application/vnd.ms-project'],
  [
    'by class.mpp',
    ole({ names: ['Other'], classId: '3a8fb774c8c8d111be1100c04fb6faf1' }),
    'application/vnd.ms-project'
  ],
  ['a.hwp', ole({ names: ['FileHeader', '\u0005HwpSummaryInformation'] }), 'application/x-hwp'],
  ['a.sdw', ole({ names: ['StarWriterDocument'] }), 'application/vnd.stardivision.writer'],
  [
    'in pieces.doc',
    oleInPieces(['1Table', 'ObjectPool', 'Data', 'CompObj', 'WordDocument']),
    'application/msword'
  ],
  ['old.hwp', bytes('HWP Document File V3.00 \x1a\x01\x02', zeros(40)), 'application/x-hwp'],
  ['a.one', bytes(Buffer.from('e4525c7b8cd8a74daeb15378d02996d3', 'hex'), zeros(40)), 'application/onenote'],
  ['a.chm', bytes('ITSF\x03\0\0\0', zeros(80)), 'application/vnd.ms-htmlhelp'],
  ['a.wpd', bytes('\xffWPC', [16, 0, 0, 0], [1, 10, 2, 1], zeros(40)), 'application/vnd.wordperfect'],
  ['old.xls', bytes([9, 0, 4, 0, 2, 0, 0x10, 0], zeros(20)), 'application/vnd.ms-excel'],
  ['a.wk1', bytes([0, 0, 2, 0, 6, 4, 6, 0], zeros(20)), 'application/vnd.lotus-1-2-3'],
  [
    'a.xlsb',
    zip({ '[Content_Types].xml': '<Types/>', 'xl/workbook.bin': '' }),
    'application/vnd.ms-excel.sheet.binary.macroenabled.12'
  ],
  [
    'a.vsdx',
    zip({ '[Content_Types].xml': '<Types/>', 'visio/document.xml': '' }),
    'application/vnd.ms-visio.drawing'
  ],
  [
    'a.vstx',
    zip({ '[Content_Types].xml': '<Types/>', 'visio/document.xml': '' }),
    'application/vnd.ms-visio.template'
  ],
  [
    'a.xps',
    zip({ '[Content_Types].xml': '<Types/>', 'FixedDocSeq.fdseq': '' }),
    'application/vnd.ms-xpsdocument'
  ],
  [
    'a.oxps',
    zip({ '[Content_Types].xml': '<Types/>', 'FixedDocumentSequence.fdseq': '' }),
    'application/oxps'
  ],
  [
    'a.odb',
    zip({ mimetype: 'application/vnd.oasis.opendocument.base' }, { compress: false }),
    'application/vnd.oasis.opendocument.base'
  ],
  [
    'a.ibooks',
    zip({ mimetype: 'application/x-ibooks+zip' }, { compress: false }),
    'application/x-ibooks+zip'
  ],
  [
    'a.sxw',
    zip({ 'content.xml': '', 'META-INF/manifest.xml': '', mimetype: 'x' }),
    'application/vnd.sun.xml.writer'
  ],
  ['a.pages', zip({ 'Index/Document.iwa': '' }), 'application/vnd.apple.pages'],
  [
    'trailing bytes.xlsb',
    zip({ '[Content_Types].xml': '<Types/>', 'xl/workbook.bin': '' }).then((all) => bytes(all, zeros(300))),
    'application/vnd.ms-excel.sheet.binary.macroenabled.12'
  ],
  ['junk before.pdf', bytes('\x01\x02 mail header \xff\r\n', pdf), 'application/pdf'],
  ['text before.pdf', bytes('HTTP/1.1 200 OK\r\n\r\n', pdf), 'application/pdf'],
  ['gs_init.ps', bytes('% A library.\n/systemdict 100 dict def\n'), 'application/postscript'],
  ['figure.EPS', bytes('/box { 0 0 moveto } def\n'), 'application/postscript'],
  ['pdf.eps', bytes(pdf), 'application/pdf']
]

t.test('documents of every program are recognized by their content', async (t) => {
  for (const [name, content, type] of documents) {
    t.strictSame(await detect(await content, name), { type, kind: 'document' }, name)
  }
})

t.test('an embedded object does not decide the type', async (t) => {
  const word = ole({ names: ['WordDocument', 'Workbook'], top: [1] })
  const excel = ole({ names: ['WordDocument', 'Workbook'], top: [2] })

  t.strictSame(await detect(word, 'a'), { type: 'application/msword', kind: 'document' })
  t.strictSame(await detect(excel, 'a'), { type: 'application/vnd.ms-excel', kind: 'document' })
})

t.test('a fragmented directory is read the same at any chunk boundaries', async (t) => {
  const file = oleInPieces(['1Table', 'ObjectPool', 'Data', 'CompObj', 'VisioDocument'])

  for (const chunkBytes of [1, 7, 511, 512, 5_000]) {
    t.match(await detect(file, 'a', chunkBytes), { type: 'application/vnd.visio' }, `by ${chunkBytes}`)
  }
})

t.test('a cyclic or dangling directory is refused', async (t) => {
  const circle = oleInPieces(['1Table', 'ObjectPool', 'Data', 'CompObj', 'WordDocument'], { next: 0 })
  const nowhere = oleInPieces(['1Table', 'ObjectPool', 'Data', 'CompObj', 'WordDocument'], { next: 77_777 })

  for (const file of [circle, nowhere]) t.equal(await detect(file, 'a.doc'), null)
})

t.test(
  'a PDF header counts only at offsets where readers look for it, in a file that ends like a PDF',
  async (t) => {
    t.equal(await detect(bytes('\0', ' '.repeat(1_100), pdf), 'a.pdf'), null)
    t.equal(await detect(bytes('\x01\x02\0%PDF-1.7 and no more'), 'a.pdf'), null)
    t.equal(await detect(bytes('\x7fELF\x02\x01\x01\0', pdf), 'a.pdf'), null)
    t.strictSame(await detect(bytes('sample = """', pdf), 'sample.py'), {
      type: 'text/x-python',
      kind: 'code'
    })
  }
)

t.test('almost correct signatures are refused', async (t) => {
  t.equal(await detect(bytes('\xffWPC', [16, 0, 0, 0], [1, 3, 2, 1], zeros(40)), 'a.wpd'), null)
  t.equal(await detect(bytes([9, 0, 4, 0, 2, 0, 0x77, 0], zeros(20)), 'a.xls'), null)
  t.equal(await detect(sparse(60, { 0: 'ITSF' }), 'a.chm'), null)
})
