import { oneLine, plainText, type Io, type Painted } from './io.js'

export type Cell = string | Painted

export interface Column {
  header: string
  /** Numbers and sizes end at the same column. */
  isRight?: true
  /** Shortened where the terminal is too narrow; the other columns never are. */
  isFlexible?: true
}

const GAP = 2
const MIN_FLEXIBLE = 16

const wide = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\uff01-\uff60]|\p{Emoji_Presentation}/u
const invisible = /[\p{Mn}\p{Me}\p{Cf}]/u

/** The columns that a terminal needs for a text. */
export function widthOf(text: string): number {
  let width = 0
  for (const char of text) width += invisible.test(char) ? 0 : wide.test(char) ? 2 : 1
  return width
}

export function shortened(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let short = ''
  let used = 1
  for (const char of text) {
    used += widthOf(char)
    if (used > width) break
    short += char
  }
  return `${short}…`
}

const textOf = (cell: Cell): string => oneLine(plainText([cell])).replaceAll('\t', ' ')

/**
 * On a terminal, columns with headers; elsewhere one row per line with tabs between its cells, whole and without
 * headers, for programs.
 */
export function printTable(
  io: Pick<Io, 'out' | 'isOutTerminal' | 'columns'>,
  columns: readonly Column[],
  rows: ReadonlyArray<readonly Cell[]>
): void {
  if (!io.isOutTerminal) {
    io.out(rows.map((row) => `${row.map(textOf).join('\t')}\n`).join(''))
    return
  }
  const head: Cell[] = columns.map(({ header }) => ({ color: 'dim', text: header.toUpperCase() }))
  const widths = columns.map((_column, i) =>
    [head, ...rows].reduce((most, row) => Math.max(most, widthOf(textOf(row[i] ?? ''))), 0)
  )
  const flexible = columns.findIndex(({ isFlexible }) => isFlexible)
  const total = widths.reduce((sum, width) => sum + width + GAP, -GAP)
  const needed = widths[flexible] ?? 0
  if (total > io.columns) {
    widths[flexible] = Math.min(needed, Math.max(MIN_FLEXIBLE, needed - (total - io.columns)))
  }

  const lineOf = (row: readonly Cell[]): Array<string | Painted> =>
    columns.flatMap(({ isRight }, i) => {
      const cell = row[i] ?? ''
      const width = widths[i] ?? 0
      const text = i === flexible ? shortened(textOf(cell), width) : textOf(cell)
      const padding = ' '.repeat(width - widthOf(text))
      const shown = typeof cell === 'string' ? text : { ...cell, text }
      if (i === columns.length - 1) return isRight === true ? [padding, shown, '\n'] : [shown, '\n']
      const gap = ' '.repeat(GAP)
      return isRight === true ? [padding, shown, gap] : [shown, padding + gap]
    })
  io.out([head, ...rows].flatMap(lineOf))
}
