/**
 * Signs of a file encoded as text: mail headers and encodings, uuencode, yEnc, data URLs, markup, and a PDF
 * after other text. Scanners decode all of these, whatever the file name.
 */
const MARKS = /content-|base64|quoted-p|\bbegin\b|=ybegin|data:|%pdf|<[?!]|<html/

/** Whether a scanner may find a file in this text and unpack it. */
export function mayHoldEncodedFile(text: Buffer): boolean {
  // Not a case-insensitive pattern: every small text is tested, and it takes twice as long.
  return MARKS.test(text.toString('latin1').toLowerCase())
}
