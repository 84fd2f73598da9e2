import { deflateSync } from 'node:zlib'
import { createTypeSniffer } from '@filewright/file-types'
import { rawZip } from '@filewright/testing'
import t from 'tap'
import { startScanner } from '../helpers/clamd.js'
import { infectedText, sourceOf } from '../helpers/samples.js'

const zip = rawZip([{ name: 'inner', data: infectedText() }])
const lines = (text: string, length: number): string => text.replace(new RegExp(`.{${length}}`, 'g'), '$&\n')
const base64 = lines(zip.toString('base64'), 40)
const mail = (headers: string, body: string): string =>
  `From: a@example.com\nSubject: notes\n${headers}\n${body}\n`

function uuencoded(bytes: Buffer): string {
  const characters = (value: number): string => String.fromCharCode(value === 0 ? 96 : value + 32)
  const rows = Array.from({ length: Math.ceil(bytes.length / 45) }, (_, i) =>
    bytes.subarray(i * 45, i * 45 + 45)
  )
  const encoded = rows.map(
    (row) =>
      characters(row.length) +
      Array.from({ length: Math.ceil(row.length / 3) }, (_, i) => {
        const [a = 0, b = 0, c = 0] = row.subarray(i * 3, i * 3 + 3)
        return [a >> 2, ((a & 3) << 4) | (b >> 4), ((b & 15) << 2) | (c >> 6), c & 63]
          .map(characters)
          .join('')
      }).join('')
  )
  return `begin 644 notes.zip\n${encoded.join('\n')}\n\`\nend\n`
}

const encodedFiles: Record<string, string> = {
  'a mail in base64': mail('Content-Transfer-Encoding: base64\n', base64),
  'a mail with a comment in its header': mail('Content-(c)Transfer-Encoding: base64\n', base64),
  'a mail in quoted-printable': mail(
    'Content-Type: application/zip\nContent-Transfer-Encoding: quoted-printable\n',
    lines(
      zip.toString('hex').replace(/../g, (hex) => `=${hex.toUpperCase()}`),
      60
    ).replace(/\n/g, '=\n')
  ),
  'a mail behind source code': `int main() { return 0; }\n\n${mail('Content-Type: application/zip\nContent-Transfer-Encoding: base64\n', base64)}`,
  uuencode: uuencoded(zip),
  'uuencode in a mail': mail('', uuencoded(zip)),
  'an address with data in a page': `<html><a href="data:application/zip;base64,${zip.toString('base64')}">notes</a></html>`,
  'a Word document in XML':
    '<?xml version="1.0"?><?mso-application progid="Word.Document"?><w:wordDocument ' +
    'xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"><w:docOleData><w:binData w:name="oledata.mso">' +
    `${base64}</w:binData></w:docOleData></w:wordDocument>`,
  'a PDF behind text':
    'notes\n%PDF-1.4\n1 0 obj\n<</Length 10/Filter[/ASCIIHexDecode/FlateDecode]>>\nstream\n' +
    `${deflateSync(infectedText()).toString('hex')}>\nendstream\nendobj\n%%EOF`
}

const { scanner } = await startScanner(t)

async function isPlain(text: string, name: string): Promise<boolean> {
  const sniffer = createTypeSniffer()
  sniffer.update(Buffer.from(text, 'latin1'))
  await sniffer.finish(name)
  return sniffer.isPlain()
}

for (const [what, text] of Object.entries(encodedFiles)) {
  t.test(`clamd unpacks ${what}, so it does not count as plain text`, async (t) => {
    const { verdict } = await scanner.scan(sourceOf(Buffer.from(text, 'latin1')))
    t.equal(verdict, 'infected')
    for (const name of ['notes.txt', 'notes.js', 'notes']) t.notOk(await isPlain(text, name), name)
  })
}

t.test('source code is plain text, up to 64 KiB', async (t) => {
  const code = 'export const answer = (question) => question.length > 3 ? 42 : null\n'
  t.ok(await isPlain(code, 'answer.js'))
  t.ok(await isPlain('x'.repeat(65_536), 'notes.txt'))
  t.notOk(await isPlain('x'.repeat(65_537), 'notes.txt'))
  t.notOk(await isPlain('caf\xe9, in Latin-1', 'notes.txt'))
})

// Explicit, because the running clamd keeps the process alive.
t.end()
