export interface Piece {
  offset: number
  text: string
}

/**
 * What a semicolon does not end: texts, quoted names, comments, bodies in dollar quotes. Then what does: a
 * semicolon, or GO on its own line.
 */
const tokens =
  /'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`[^`]*(?:`|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\$(\w*)\$[\s\S]*?(?:\$\1\$|$)|;|^[ \t]*GO[ \t]*\r?$/gim

/**
 * The statements of a script, whatever their dialect; each with its own offset, so that one which no parser
 * takes does not hide the others.
 */
export function splitSql(text: string): Piece[] {
  const pieces: Piece[] = []
  let start = 0

  function end(at: number): void {
    const raw = text.slice(start, at)
    const lead = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?(?:\*\/|$))*/.exec(raw)![0].length
    if (raw.length > lead) pieces.push({ offset: start + lead, text: raw.slice(lead) })
  }

  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token !== ';' && !/^[ \t]*GO[ \t]*\r?$/i.test(token)) continue
    end(index)
    start = index + token.length
  }
  end(text.length)
  return pieces
}
