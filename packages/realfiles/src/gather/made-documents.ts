import { plainPdf } from '../containers/pdf-containers.js'
import { uniqueLine } from '../containers/container.js'
import { LIBREOFFICE } from '../recipes/libreoffice.js'
import { recipesOf, type RecipeLine } from '../recipes/recipe.js'
import { wordsOf } from '../words.js'
import { cookedSamples } from './cooked-samples.js'
import type { Source } from './source.js'

const convert =
  (program: string, from: string) =>
  (to: string): RecipeLine => {
    const extension = to.split(':')[0] ?? to
    return [
      `LibreOffice ${program}, ${to}`,
      `a.${extension}`,
      'soffice',
      `${LIBREOFFICE} --convert-to '${to}' --outdir made ${from} > messages 2>&1; mv made/*.${extension} $OUT`
    ]
  }

/** Slides need a presentation to start from: LibreOffice brings templates. */
const SLIDES = '"$(find /usr/lib/libreoffice/share/template -name "*.otp" | head -1)"'

const office: RecipeLine[] = [
  ...wordsOf('doc docx dot dotx odt ott fodt rtf epub html txt pdf xhtml xml png').map(
    convert('Writer', "--infilter='HTML (StarWriter)' in/page.html")
  ),
  ...wordsOf('xls xlsx xlt xltx xlsm ods ots fods csv html pdf dif slk').map(convert('Calc', 'in/table.csv')),
  ...wordsOf('odp otp fodp ppt pps pptx ppsx potx pdf svg png').map(convert('Impress', SLIDES)),
  ...wordsOf('odg otg fodg pdf emf wmf svg eps tiff').map(convert('Draw', 'in/drawing.svg')),
  [
    'LibreOffice, hybrid PDF',
    'page.pdf',
    'soffice',
    `${LIBREOFFICE} --convert-to 'pdf:writer_web_pdf_Export:` +
      '{"IsAddStream":{"type":"boolean","value":"true"}}\' --outdir out in/page.html > messages 2>&1'
  ],
  [
    'LibreOffice, PDF/A',
    'page.pdf',
    'soffice',
    `${LIBREOFFICE} --convert-to 'pdf:writer_web_pdf_Export:` +
      '{"SelectPdfVersion":{"type":"long","value":"2"}}\' --outdir out in/page.html > messages 2>&1'
  ]
]

const pdf: RecipeLine[] = [
  ['qpdf, object streams', 'a.pdf', 'qpdf', 'qpdf --object-streams=generate in/base.pdf $OUT'],
  ['qpdf, linearized', 'a.pdf', 'qpdf', 'qpdf --linearize in/base.pdf $OUT'],
  ['qpdf --qdf', 'a.pdf', 'qpdf', 'qpdf --qdf in/base.pdf $OUT'],
  [
    'qpdf, encrypted without a user password',
    'a.pdf',
    'qpdf',
    'qpdf --encrypt "" owner 256 -- in/base.pdf $OUT'
  ],
  [
    'qpdf, with a user password',
    'encrypted.pdf',
    'qpdf',
    'qpdf --encrypt user owner 256 -- in/base.pdf $OUT'
  ],
  ['qpdf, attached text', 'a.pdf', 'qpdf', 'qpdf in/base.pdf --add-attachment in/table.csv -- $OUT'],
  [
    'qpdf, attached ZIP',
    'a.pdf',
    'qpdf zip',
    'zip -q a.zip in/table.csv; qpdf in/base.pdf --add-attachment a.zip -- $OUT'
  ],
  ['pdftk, attached text', 'a.pdf', 'pdftk', 'pdftk in/base.pdf attach_files in/table.csv output $OUT'],
  ['pdftk, uncompressed', 'a.pdf', 'pdftk', 'pdftk in/base.pdf output $OUT uncompress'],
  ...['screen', 'ebook', 'printer', 'prepress'].map(
    (settings): RecipeLine => [
      `Ghostscript, /${settings}`,
      'a.pdf',
      'gs',
      `gs -q -dBATCH -dNOPAUSE -sDEVICE=pdfwrite -dPDFSETTINGS=/${settings} -o $OUT in/base.pdf`
    ]
  ),
  ['Ghostscript, PostScript', 'a.ps', 'gs', 'gs -q -dBATCH -dNOPAUSE -sDEVICE=ps2write -o $OUT in/base.pdf'],
  ['Ghostscript, EPS', 'a.eps', 'gs', 'gs -q -dBATCH -dNOPAUSE -sDEVICE=eps2write -o $OUT in/base.pdf'],
  [
    'LibreOffice, PDF of a photo',
    'a.pdf',
    'convert soffice',
    'mkdir made; convert -size 1600x1200 plasma: -quality 85 made/a.jpg; ' +
      `${LIBREOFFICE} --convert-to pdf --outdir out made/a.jpg > messages 2>&1`
  ],
  ['junk before the header', 'a.pdf', 'qpdf', '(echo "saved by a browser"; cat in/base.pdf) > $OUT']
]

async function ingredients(): Promise<Record<string, string | Buffer>> {
  const lines = Array.from({ length: 40 }, (_, i) => `${i},${i * i},${uniqueLine()}`)
  const rows = Array.from({ length: 40 }, (_, i) => `<tr><td>${i}</td><td>${i * i}</td></tr>`).join('')
  return {
    'page.html': `<html><body><h1>A page</h1><p>${uniqueLine()}</p><table>${rows}</table></body></html>`,
    'table.csv': `number,square,text\n${lines.join('')}`,
    'drawing.svg':
      '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90">' +
      '<circle cx="45" cy="45" r="30" fill="red"/></svg>',
    'base.pdf': Buffer.from(await (await plainPdf()).save())
  }
}

/** Documents by the office suite and the PDF tools, in every format they write. */
export const madeDocuments: Source = {
  name: 'made documents',
  kinds: ['document', 'image', 'code', 'other'],
  quick: false,
  gather: async (deps) =>
    await cookedSamples(recipesOf([...office, ...pdf]), deps, async () => ({ files: await ingredients() }))
}
