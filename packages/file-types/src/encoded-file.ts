/**
 * What goes with a file that is written out in characters: the headers of a mail and their encodings,
 * uuencode, yEnc, addresses with data in them, markup, and a PDF behind other text. Scanners decode all of
 * these, whatever the file is called.
 */
const MARKS = /content-|base64|quoted-p|\bbegin\b|=ybegin|data:|%pdf|<[?!]|<html/

/** Whether a scanner may find a file in this text and unpack it. */
export function mayHoldEncodedFile(text: Buffer): boolean {
  // Not a pattern that takes both cases: every small text is asked, and it takes twice as long.
  return MARKS.test(text.toString('latin1').toLowerCase())
}
