/** A piece of an SQL text that is put together: fixed text, or a value of the language at hand. */
export type SqlPiece<T> = { readonly text: string } | { readonly value: T }

/** How a driver takes parameters. */
export interface SqlDriver {
  readonly placeholder: (index: number) => string
  /** Quotes that enclose texts; anything else that quotes names something. */
  readonly quotes: "'" | '\'"'
  /** Placeholders that the fixed text has already, which would be counted wrongly. */
  readonly taken: RegExp
  /** Whether LIMIT and OFFSET take parameters. */
  readonly hasLimits: boolean
  /** Whether numbers arrive as what they are written as, also in columns that hold text. */
  readonly keepsNumbers: boolean
  /** What the driver would read otherwise once there are parameters. */
  readonly escape?: (text: string) => string
}

export interface SqlParameter<T> {
  /** One value, or the texts and values between two quotes. */
  readonly pieces: readonly SqlPiece<T>[]
  /** Stood between quotes: it is a text whatever it was made from. */
  readonly isText: boolean
}

export interface ParameterisedSql<T> {
  readonly text: string
  readonly parameters: readonly SqlParameter<T>[]
}

/** What the language knows about a value that stands without quotes. */
export interface SqlValues<T> {
  isNumber(value: T): boolean
  /** Called an id: nobody keeps a piece of SQL under such a name. */
  isId(value: T): boolean
}

/** Stands for a parameter until its place in the statement is judged; no text of a program has it. */
const MARK = '\uFFFF'

const statement = /^\s*(?:select|insert|replace|update|delete)\b/i
const comment = /--|\/\*|#/
const compares = /[\w"`\])]\s*(?:=|<>|!=|<=|>=|<|>)\s*$/
const matches = /\blike\s*$|\bilike\s*$/i
const between = new RegExp(`\\bbetween\\s*$|\\bbetween\\s+${MARK}\\s+and\\s*$`, 'i')
const limits = /\b(?:limit|offset)\s*$/i
const columnCompared =
  /(?:\b(?:where|and|or|on|set|not)\s+|[,(]\s*)(?:["`]?\w+["`]?\.)?["`]?(\w+)["`]?\s*(=|<>|!=|<=|>=|<|>)\s*$/i
const goesOn = /^\s*(?:$|;\s*$|[),]|(?:and|or|order|group|limit|offset|returning|where|for|union|on)\b)/i
const idColumn = /(?:^|_)id$|[a-z]Id$/

/** Splits a text at the quotes that hold values; null where it cannot be read with certainty. */
function takeApart<T>(pieces: readonly SqlPiece<T>[], quotes: string): ParameterisedSql<T> | null {
  const parameters: SqlParameter<T>[] = []
  let text = ''
  let open: { quote: string; pieces: SqlPiece<T>[] } | null = null
  for (const piece of pieces) {
    if ('value' in piece) {
      if (open === null) {
        text += MARK
        parameters.push({ pieces: [piece], isText: false })
      } else if (quotes.includes(open.quote)) open.pieces.push(piece)
      // A value inside the quotes of a name.
      else return null
      continue
    }
    for (const sign of piece.text) {
      if (open === null) {
        if (/['"`]/.test(sign)) open = { quote: sign, pieces: [] }
        else text += sign
      } else if (sign !== open.quote) {
        const last = open.pieces.at(-1)
        if (last !== undefined && 'text' in last) {
          open.pieces[open.pieces.length - 1] = { text: last.text + sign }
        } else open.pieces.push({ text: sign })
      } else {
        if (open.pieces.some((each) => 'value' in each)) {
          text += MARK
          parameters.push({ pieces: open.pieces, isText: true })
        } else {
          const [fixed] = open.pieces
          text += sign + (fixed !== undefined && 'text' in fixed ? fixed.text : '') + sign
        }
        open = null
      }
    }
  }
  return open === null ? { text, parameters } : null
}

/** Where a list in brackets begins that a place is in. */
function listBefore(text: string): string {
  let depth = 0
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === ')') depth++
    else if (text[at] === '(' && depth-- === 0) return text.slice(0, at)
  }
  return ''
}

function isInList(before: string): boolean {
  const head = /[(,]\s*$/.test(before) ? listBefore(before) : ''
  return /\b(?:values|in)\s*$/i.test(head) || /\bvalues\b[^;]*\)\s*,\s*$/i.test(head)
}

/**
 * The statement with parameters in place of its values; null where one of them may be something else than a
 * value, or would be read otherwise.
 */
export function parameterise<T>(
  pieces: readonly SqlPiece<T>[],
  driver: SqlDriver,
  values: SqlValues<T>
): ParameterisedSql<T> | null {
  const fixed = pieces.map((piece) => ('text' in piece ? piece.text : '')).join('')
  // Escapes and comments are read in different ways by different databases.
  if (!statement.test(fixed) || comment.test(fixed) || /\\|''|""/.test(joinedWithMarks(pieces))) return null
  if (driver.taken.test(fixed) || /;\s*\S/.test(fixed)) return null
  const apart = takeApart(pieces, driver.quotes)
  if (apart === null || apart.parameters.length === 0) return null

  // What stands in quotes must not look like a part of the statement.
  const quoted = driver.quotes === "'" ? /'[^']*'/g : /'[^']*'|"[^"]*"/g
  const plain = apart.text.replace(quoted, (text) => `'${'x'.repeat(text.length - 2)}'`)
  const hasQueryInside = (plain.match(/\bselect\b/gi)?.length ?? 0) > 1
  const isValue = (parameter: SqlParameter<T>, at: number): boolean => {
    const before = plain.slice(0, at)
    if (!goesOn.test(plain.slice(at + 1))) return false
    if (parameter.isText) {
      return compares.test(before) || matches.test(before) || between.test(before) || isInList(before)
    }
    const [piece] = parameter.pieces
    if (piece === undefined || !('value' in piece) || hasQueryInside) return false
    const [, column, operator] = columnCompared.exec(before) ?? []
    if (column !== undefined && operator === '=' && idColumn.test(column) && values.isId(piece.value)) {
      return true
    }
    if (!driver.keepsNumbers || !values.isNumber(piece.value)) return false
    return column !== undefined || isInList(before) || (driver.hasLimits && limits.test(before))
  }
  let at = -1
  for (const parameter of apart.parameters) {
    at = plain.indexOf(MARK, at + 1)
    if (!isValue(parameter, at)) return null
  }
  let index = 0
  const escape = driver.escape ?? ((text: string) => text)
  return {
    text: escape(apart.text).replaceAll(MARK, () => driver.placeholder(++index)),
    parameters: apart.parameters
  }
}

/** A quote on both sides of a value is no doubled quote. */
function joinedWithMarks<T>(pieces: readonly SqlPiece<T>[]): string {
  return pieces.map((piece) => ('text' in piece ? piece.text : MARK)).join('')
}
