import t from 'tap'
import { mayHoldEncodedFile } from '../src/encoded-file.js'

t.test('a text that may contain a file is recognized by any sign, in any notation', (t) => {
  for (const text of [
    'Content-Type: text/plain',
    'CONTENT-TRANSFER-ENCODING: BASE64',
    'encoding: quoted-printable',
    'begin 644 a.bin',
    'first line\nBegin 644 a.bin',
    '=yBegin line=128',
    'src="DATA:image/png;base64,"',
    'some text %PDF-1.4',
    '<?xml version="1.0"?>',
    '<!DOCTYPE html>',
    '<HTML>'
  ]) {
    t.equal(mayHoldEncodedFile(Buffer.from(text)), true, text)
  }
  t.end()
})

t.test('other texts are not recognized as containing a file', (t) => {
  for (const text of [
    '',
    'const a = 1',
    'beginning',
    'if (a < b) return',
    'content of a base',
    'metadata',
    'a <b>'
  ]) {
    t.equal(mayHoldEncodedFile(Buffer.from(text)), false, text)
  }
  t.end()
})
