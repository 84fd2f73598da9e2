/** Where Ruff reports something: lines and columns count from 1. */
interface Place {
  readonly lines: readonly string[]
  readonly row: number
  readonly column: number
}

/** Ruff's rules that need more than Ruff knows to be certain: without it they are likely. */
const proofs: Readonly<Record<string, (place: Place) => boolean>> = {
  // What a caller hands in is run as it is; what this code made itself may be meant to run.
  S102: runsParameter,
  S307: runsParameter,
  B006: changesDefault,
  F821: ({ lines, row, column }) => {
    const line = lines[row - 1] ?? ''
    const name = /^\w+/.exec(line.slice(column - 1))?.[0] ?? ''
    // A name in quotes is read by type checkers only, and those of Python 2 are asked for after its version.
    if (/["']/.test(line.slice(column - 2, column - 1)) || oldNames.has(name) || name === '_') return false
    return !lines.some((each) => /\bglobals\(\)|\bexec\(|\b__builtin(?:s)?__\b|\bbuiltins\.\w+ =/.test(each))
  },
  // `x != x` asks for NaN, `x == x` for anything else.
  PLR0124: ({ lines, row }) => !/[!=]=/.test(lines[row - 1] ?? ''),
  // Started by hand, a program runs on the machine of its developer.
  S201: ({ lines, row }) => !lines.slice(0, row).some((line) => /^if __name__\b/.test(line)),
  // A loader of its own may well be a safe one.
  S506: ({ lines, row, column }) =>
    /^(?:\w+\.)?C?(?:Unsafe|Full)?Loader\b|^(?:\w+\.)?load\b/.test(lines[row - 1]?.slice(column - 1) ?? '')
}

const oldNames = new Set(
  'unicode basestring xrange long unichr raw_input reduce file execfile cmp reload buffer intern apply'.split(
    ' '
  )
)

/** What Ruff reports although the code around it says that all is well. */
const excuses: Readonly<Record<string, (place: Place) => boolean>> = {
  // An import does not stop the program.
  T100: ({ lines, row }) => /^\s*(?:import|from)\s/.test(lines[row - 1] ?? ''),
  // `object()` makes another value each time.
  PIE796: ({ lines, row }) => /=\s*[A-Za-z_][\w.]*\(/.test(lines[row - 1] ?? ''),
  SIM115: (place) => isClosedAnyhow(place) || isHandedOn(place),
  S110: isBestEffort,
  // `except A or B` is reported by py/binary-op-exception.
  B030: ({ lines, row }) => /\bexcept\b.*\b(?:or|and)\b/.test(lines[row - 1] ?? ''),
  // A decimal mode is reported by py/decimal-mode.
  S103: (place) => /^[1-7][0-7]{2}\s*\)/.test(callAt(place)),
  // `++n` has a rule of its own. Alone in a try block, an expression tests whether a name exists.
  B018: ({ lines, row }) =>
    /^\s*(?:\+\+|--)/.test(lines[row - 1] ?? '') || /^\s*try:\s*(?:#.*)?$/.test(lines[row - 2] ?? ''),
  // Ruff reports every call of ftplib; this class encrypts.
  S321: (place) => /^(?:\w+\.)?FTP_TLS\(/.test(callAt(place)),
  // Ruff reports every Mako template; this one escapes.
  S702: (place) => /^[^)]*\bdefault_filters\s*=[^\]]*["']h["']/.test(callAt(place))
}

/** A call that spans more lines is cut off. */
const maxCallLines = 10

const callAt = ({ lines, row, column }: Place): string =>
  lines
    .slice(row - 1, row - 1 + maxCallLines)
    .join('\n')
    .slice(column - 1)

/** `file.close()` in a finally block, and in a method of the object that keeps it. */
function isClosedAnyhow(place: Place): boolean {
  const name = /^\s*((?:self\.)?\w+)\s*(?::[^=]*)?=\s/.exec(place.lines[place.row - 1] ?? '')?.[1]
  if (name === undefined) return false
  const close = `${name}.close()`
  if (name.startsWith('self.')) return place.lines.some((line) => line.trim() === close)
  const body = functionAround(place)?.body ?? place.lines
  const start = body.findIndex((line) => /^\s*finally:/.test(line))
  return start !== -1 && body.slice(start).some((line) => line.includes(close))
}

/** `files.append(file)`, `return file`, `self.file = file`, `Upload(file=file)`: the file is closed by someone else. */
function isHandedOn(place: Place): boolean {
  const name = /^\s*(\w+)\s*(?::[^=]*)?=\s/.exec(place.lines[place.row - 1] ?? '')?.[1]
  if (name === undefined) return false
  const handed = new RegExp(
    `\\b(?:append|add|enter_context|callback|closing)\\(\\s*${name}\\b|^\\s*(?:return|yield)\\s+${name}\\s*$|^\\s*self\\.\\w+\\s*=\\s*${name}\\s*$|[(,]\\s*\\w+=${name}\\s*[,)]`
  )
  return (functionAround(place)?.body ?? place.lines).some((line) => handed.test(line))
}

/** One line that cleans up or fills a cache: if it fails, nothing is lost. */
function isBestEffort({ lines, row }: Place): boolean {
  const only =
    /\.(?:close|flush|detach|disconnect|shutdown|kill|terminate|release|cancel|stop|quit)\(|^\s*del\s|^\s*\w*cache\w*\[/i
  return /^\s*try:/.test(lines[row - 3] ?? '') && only.test(lines[row - 2] ?? '')
}

export const isExcused = (code: string, place: Place): boolean => excuses[code]?.(place) ?? false

export function isProven(code: string, place: Place): boolean {
  return !isSilenced(code, place) && (proofs[code]?.(place) ?? true)
}

/** The author knows of the finding, and may be right. */
function isSilenced(code: string, { lines, row }: Place): boolean {
  const comment = /#\s*(?:noqa|(?:type|ty|pyright|ruff):\s*ignore|pylint:\s*disable)\b.*$/i.exec(
    lines[row - 1] ?? ''
  )?.[0]
  return comment !== undefined && (comment.includes(code) || !/noqa:/i.test(comment))
}

/** Functions are looked for this far above a place. */
const maxLinesAbove = 400

const indentOf = (line: string): number => line.length - line.trimStart().length

/** The lines of the innermost function around a line: its head, and what stands in it. */
function functionAround({
  lines,
  row
}: Pick<Place, 'lines' | 'row'>): { head: string; body: string[] } | null {
  let indent = indentOf(lines[row - 1] ?? '')
  for (let at = row - 1; at >= Math.max(0, row - 1 - maxLinesAbove); at--) {
    const line = lines[at] ?? ''
    if (line.trim() === '' || (at < row - 1 && indentOf(line) >= indent)) continue
    if (/^\s*(?:async\s+)?def\s/.test(line)) return functionAt(lines, at)
    indent = Math.min(indent, indentOf(line))
  }
  return null
}

function functionAt(lines: readonly string[], at: number): { head: string; body: string[] } {
  const own = indentOf(lines[at]!)
  let end = at
  while (end < lines.length && !/:\s*(?:#.*)?$/.test(lines[end]!)) end++
  const after = lines.slice(end + 1)
  const length = after.findIndex((line) => line.trim() !== '' && indentOf(line) <= own)
  return { head: lines.slice(at, end + 1).join(' '), body: length === -1 ? after : after.slice(0, length) }
}

function runsParameter(place: Place): boolean {
  const call = place.lines[place.row - 1]?.slice(place.column - 1) ?? ''
  // Who also gives the names that the code may use runs it on purpose.
  const given = /^[\w.]*\(\s*([A-Za-z_]\w*)\s*\)/.exec(call)?.[1]
  if (given === undefined) return /^[\w.]*\(\s*(?:(?:raw_)?input\(|request\.)/.test(call)
  const head = functionAround(place)?.head
  // Code outside of any function, with a name that is not made there, is a piece of something.
  if (head === undefined) return !place.lines.some((line) => new RegExp(`^${given}\\s*=`).test(line))
  return new RegExp(`[(,]\\s*${given}\\s*[,:)=]`).test(head)
}

/** A default that nothing changes is as good as a new one. */
function changesDefault({ lines, row, column }: Place): boolean {
  const start = lines.slice(0, row).findLastIndex((line) => /^\s*(?:async\s+)?def\s/.test(line))
  const name = /(\w+)\s*(?::[^=]*)?=\s*$/.exec(lines[row - 1]?.slice(0, column - 1) ?? '')?.[1]
  if (start === -1 || name === undefined) return false
  const change = new RegExp(
    `\\b${name}(?:\\.(?:append|extend|add|update|insert|setdefault|pop|popitem|remove|discard|clear|sort|reverse)\\(|\\[[^\\]]*\\]\\s*[-+*/|&]?=(?!=)|\\s*(?:\\+=|\\|=))|\\breturn ${name}\\b|\\bself\\.\\w+\\s*=\\s*${name}\\s*$`
  )
  return functionAt(lines, start).body.some((line) => change.test(line))
}
