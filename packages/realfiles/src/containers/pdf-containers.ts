import { PDFDocument, StandardFonts } from 'pdf-lib'
import { recipesOf } from '../recipes/recipe.js'
import { LIBREOFFICE } from '../recipes/libreoffice.js'
import { containerOf, infectedFiles, infectedText, uniqueLine, type Container } from './container.js'

/** A page of text, as an application writes it. */
export async function plainPdf(): Promise<PDFDocument> {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  document.addPage([400, 300]).drawText(uniqueLine().trim(), { x: 20, y: 200, size: 10, font })
  return document
}

const pdfFiles = async (): Promise<Record<string, string | Buffer>> => ({
  ...infectedFiles(),
  'base.pdf': Buffer.from(await (await plainPdf()).save())
})

/** Typical attachments, and how they are made. */
const ATTACHMENTS: Record<string, [needs: string, file: string, script: string]> = {
  text: ['', 'in/notes.txt', ''],
  ZIP: ['zip', 'a.zip', 'zip -q a.zip in/notes.txt; '],
  '7z': ['7zz', 'a.7z', '7zz a -bso0 -bsp0 a.7z in/notes.txt; '],
  tar: ['tar', 'a.tar', 'tar -cf a.tar in/notes.txt; '],
  'tar.gz': ['tar gzip', 'a.tgz', 'tar -czf a.tgz in/notes.txt; '],
  xz: ['xz', 'notes.txt.xz', 'xz -c in/notes.txt > notes.txt.xz; '],
  HTML: ['', 'a.html', '(echo "<html><body>"; cat in/notes.txt; echo "</body></html>") > a.html; ']
}

const forAll = (tool: string, how: string, script: (file: string) => string): Container[] =>
  Object.entries(ATTACHMENTS).map(([what, [needs, file, prepare]]) => {
    const [recipe] = recipesOf([
      [`${how}, ${what}`, 'a.pdf', `${tool} ${needs}`.trim(), `${prepare}${script(file)}`]
    ])
    return containerOf(recipe!, pdfFiles)
  })

const qpdf =
  (options: string) =>
  (file: string): string =>
    `qpdf in/base.pdf ${options} --add-attachment ${file} -- $OUT`

const qpdfVariants: Record<string, (file: string) => string> = {
  qpdf: qpdf(''),
  'qpdf --mimetype': (file) =>
    `qpdf in/base.pdf --add-attachment ${file} --mimetype=application/octet-stream -- $OUT`,
  'qpdf, object streams': qpdf('--object-streams=generate'),
  'qpdf, no object streams': qpdf('--object-streams=disable --compress-streams=n'),
  'qpdf, encrypted without a user password': (file) =>
    `qpdf in/base.pdf --add-attachment ${file} -- with.pdf; qpdf --encrypt "" owner 256 -- with.pdf $OUT`,
  'qpdf, linearized': (file) =>
    `qpdf in/base.pdf --add-attachment ${file} -- with.pdf; qpdf --linearize with.pdf $OUT`
}

const more = recipesOf([
  [
    'qpdf --qdf, text',
    'a.pdf',
    'qpdf',
    'qpdf in/base.pdf --add-attachment in/notes.txt -- with.pdf; qpdf --qdf with.pdf $OUT'
  ],
  [
    'qpdf, RC4 without a user password, text',
    'a.pdf',
    'qpdf',
    'qpdf in/base.pdf --add-attachment in/notes.txt -- with.pdf; ' +
      'qpdf --allow-weak-crypto --encrypt "" owner 128 --use-aes=n -- with.pdf $OUT'
  ],
  [
    'qpdf, with a user password',
    'a.pdf',
    'qpdf',
    'qpdf in/base.pdf --add-attachment in/notes.txt -- with.pdf; ' +
      'qpdf --encrypt user owner 256 -- with.pdf $OUT'
  ],
  [
    'qpdf, an attachment in an attached PDF',
    'a.pdf',
    'qpdf',
    'qpdf in/base.pdf --add-attachment in/notes.txt -- with.pdf; ' +
      'qpdf in/base.pdf --add-attachment with.pdf -- $OUT'
  ],
  [
    'qpdf, in a ZIP',
    'a.zip',
    'qpdf zip',
    'qpdf in/base.pdf --add-attachment in/notes.txt -- with.pdf; zip -q $OUT with.pdf'
  ],
  [
    'qpdf, in a tar.xz',
    'a.tar.xz',
    'qpdf tar xz',
    'qpdf in/base.pdf --add-attachment in/notes.txt -- with.pdf; tar -cJf $OUT with.pdf'
  ],
  ['pdftk, to a page', 'a.pdf', 'pdftk', 'pdftk in/base.pdf attach_files in/notes.txt to_page 1 output $OUT'],
  [
    'pdftk, compressed again',
    'a.pdf',
    'pdftk',
    'pdftk in/base.pdf attach_files in/notes.txt output with.pdf; pdftk with.pdf output $OUT compress'
  ],
  [
    'Ghostscript, /EMBED',
    'a.pdf',
    'gs',
    `cat > mark.ps <<'MARK'
[ /_objdef {file} /type /stream /OBJ pdfmark
[ {file} (in/notes.txt) (r) file /PUT pdfmark
[ {file} << /Type /EmbeddedFile >> /PUT pdfmark
[ /Name (notes.txt) /FS << /Type /Filespec /F (notes.txt) /EF << /F {file} >> >> /EMBED pdfmark
[ {file} /CLOSE pdfmark
MARK
gs -q -dNOSAFER -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -o $OUT in/base.pdf mark.ps > messages`
  ],
  [
    'LibreOffice, hybrid PDF',
    'notes.pdf',
    'soffice',
    `${LIBREOFFICE} --convert-to 'pdf:writer_pdf_Export:{"IsAddStream":{"type":"boolean","value":"true"}}' ` +
      '--outdir out in/notes.txt > messages 2>&1'
  ],
  ['PDF with the test file behind its end', 'a.pdf', 'tar', 'cat in/base.pdf in/notes.txt > $OUT'],
  ['PDF with a ZIP behind its end', 'a.pdf', 'zip', 'zip -q a.zip in/notes.txt; cat in/base.pdf a.zip > $OUT']
])

async function byPdfLib(
  attachment: Buffer,
  name: string,
  options: object,
  useObjectStreams: boolean
): Promise<Buffer> {
  const document = await plainPdf()
  await document.attach(attachment, name, options)
  return Buffer.from(await document.save({ useObjectStreams }))
}

const pdfLib = (name: string, file: string, options: object, useObjectStreams = true): Container => ({
  name: `pdf-lib, ${name}`,
  file: 'a.pdf',
  needs: [],
  make: async () => await byPdfLib(Buffer.from(infectedText()), file, options, useObjectStreams)
})

export const pdfContainers: Container[] = [
  ...Object.entries(qpdfVariants).flatMap(([how, script]) => forAll('qpdf', how, script)),
  ...forAll('pdftk', 'pdftk', (file) => `pdftk in/base.pdf attach_files ${file} output $OUT`),
  ...forAll('pdfattach', 'pdfattach', (file) => `pdfattach in/base.pdf ${file} $OUT`),
  ...more.map((recipe) => containerOf(recipe, pdfFiles)),
  pdfLib('no MIME type', 'notes.txt', {}),
  pdfLib('text/plain', 'notes.txt', { mimeType: 'text/plain', description: 'notes' }),
  pdfLib('application/octet-stream', 'notes.bin', { mimeType: 'application/octet-stream' }),
  pdfLib(
    'application/octet-stream, no object streams',
    'notes.bin',
    { mimeType: 'application/octet-stream' },
    false
  ),
  pdfLib('application/xml, as an invoice has', 'factur-x.xml', {
    mimeType: 'application/xml',
    afRelationship: 'Alternative'
  })
]
