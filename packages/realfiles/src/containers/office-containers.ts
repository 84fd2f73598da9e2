import { eicar } from '@filewright/acceptance'
import { LIBREOFFICE } from '../recipes/libreoffice.js'
import { recipesOf, type RecipeLine } from '../recipes/recipe.js'
import { containerOf, infectedFiles, infectedText, uniqueLine, type Container } from './container.js'
import { compoundFile, packers } from './library-containers.js'

const officeFiles = (): Record<string, string | Buffer> => ({
  ...infectedFiles(),
  'clean.csv': `a,b\n1,${uniqueLine()}`,
  'infected.csv': `a,b\n1,${eicar}\n`,
  'infected.html': `<html><body><p>${uniqueLine()}</p><p>${eicar}</p></body></html>`,
  'ole.bin': compoundFile({ '/\u0001Ole10Native': Buffer.from(infectedText()) })
})

const convert = (to: string, from: string): string =>
  `${LIBREOFFICE} --convert-to ${to} --outdir made ${from} > messages 2>&1; mv made/*.${to} $OUT`

/** The text itself is the test file. */
const asText = recipesOf([
  ...['doc', 'docx', 'odt', 'fodt', 'epub', 'dot', 'ott'].map(
    (to): RecipeLine => [`LibreOffice, text of .${to}`, `a.${to}`, 'soffice', convert(to, 'in/notes.txt')]
  ),
  ...['xls', 'xlsx', 'ods', 'fods'].map(
    (to): RecipeLine => [`LibreOffice, cell of .${to}`, `a.${to}`, 'soffice', convert(to, 'in/infected.csv')]
  )
])

/** A document that an application wrote, with one more part in it. */
const withPart = (
  name: string,
  extension: string,
  from: string,
  part: string,
  source: string
): RecipeLine => [
  name,
  `a.${extension}`,
  'soffice zip',
  `${convert(extension, from)}; mkdir -p parts/$(dirname "${part}"); cp in/${source} "parts/${part}"; ` +
    `cd parts; zip -q $OUT "${part}"`
]
const embedded = recipesOf([
  withPart('docx, embedded file', 'docx', 'in/clean.txt', 'word/embeddings/notes.bin', 'notes.txt'),
  withPart('docx, embedded OLE package', 'docx', 'in/clean.txt', 'word/embeddings/oleObject1.bin', 'ole.bin'),
  withPart('docx, HTML chunk', 'docx', 'in/clean.txt', 'word/afchunk.html', 'infected.html'),
  withPart('docx, picture that is text', 'docx', 'in/clean.txt', 'word/media/image1.png', 'notes.txt'),
  withPart('docx, custom XML', 'docx', 'in/clean.txt', 'customXml/item1.xml', 'infected.html'),
  withPart('xlsx, embedded OLE package', 'xlsx', 'in/clean.csv', 'xl/embeddings/oleObject1.bin', 'ole.bin'),
  withPart('odt, embedded object', 'odt', 'in/clean.txt', 'Object 1', 'ole.bin'),
  withPart('odt, picture that is text', 'odt', 'in/clean.txt', 'Pictures/1.png', 'notes.txt'),
  withPart('odt, macro', 'odt', 'in/clean.txt', 'Basic/Standard/Module1.xml', 'infected.html'),
  withPart('epub, page in HTML', 'epub', 'in/clean.txt', 'OEBPS/more.xhtml', 'infected.html'),
  [
    'docx in a ZIP in a tar.gz',
    'a.tgz',
    'soffice zip tar gzip',
    `${LIBREOFFICE} --convert-to docx --outdir made in/notes.txt > messages 2>&1; ` +
      'zip -q a.zip made/*; tar -czf $OUT a.zip'
  ],
  [
    'docx in a docx',
    'a.docx',
    'soffice zip',
    `${LIBREOFFICE} --convert-to docx --outdir made in/notes.txt in/clean.txt > messages 2>&1; ` +
      'mkdir -p word/embeddings; cp made/notes.docx word/embeddings/; ' +
      'zip -q made/clean.docx word/embeddings/notes.docx; mv made/clean.docx $OUT'
  ],
  [
    'mail by mpack with a docx',
    'a.eml',
    'soffice mpack',
    `${LIBREOFFICE} --convert-to docx --outdir made in/notes.txt > messages 2>&1; ` +
      'mpack -s subject -o $OUT made/notes.docx'
  ]
])

const [first] = packers
/** Written by hand, for machines without an office suite. */
const byHand = (name: string, file: string, parts: () => Record<string, string | Buffer>): Container => ({
  name,
  file,
  needs: [],
  make: async () => await first!.pack(parts())
})

const WORD_TYPES =
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
  '<Override PartName="/word/document.xml" ContentType="' +
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'

export const officeContainers: Container[] = [
  ...[...asText, ...embedded].map((recipe) => containerOf(recipe, officeFiles)),
  byHand('small docx, text', 'a.docx', () => ({
    '[Content_Types].xml': WORD_TYPES,
    'word/document.xml': `<w:document><w:t>${eicar}</w:t></w:document>`
  })),
  byHand('small docx, HTML chunk', 'a.docx', () => ({
    '[Content_Types].xml': WORD_TYPES,
    'word/document.xml': uniqueLine(),
    'word/chunk.html': `<html><body>${eicar}</body></html>`
  })),
  byHand('small epub, page', 'a.epub', () => ({
    mimetype: 'application/epub+zip',
    'OEBPS/1.xhtml': `<html><body><p>${uniqueLine()}</p>\n${eicar}\n</body></html>`
  })),
  byHand('small epub, script', 'a.epub', () => ({
    mimetype: 'application/epub+zip',
    'OEBPS/1.xhtml': `<html><head><script>var a = '${eicar}'</script></head></html>`
  }))
]
