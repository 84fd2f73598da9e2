import { createInterface } from 'node:readline/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { safeJson, safeText } from '@filewright/contracts'
import { Failure, exitCodes } from './failure.js'

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 }

/** Text in one of our colours. No other output can contain terminal commands. */
export interface Painted {
  color: keyof typeof codes
  text: string
}

export type Text = string | ReadonlyArray<string | Painted>

export const paint = (color: Painted['color'], text: string): Painted => ({ color, text })

/** Input and output of a command. Text may come from anyone: it is made safe here and nowhere else. */
export interface Io {
  env: Record<string, string | undefined>
  cwd: string
  out: (text: Text) => void
  /** A result for a file or a program, unchanged; a terminal gets it made safe, like any text. */
  outData: (text: Text) => void
  /** A stream of bytes; a terminal gets it made safe, like any text. */
  outBytes: (source: Readable) => Promise<void>
  /** Everything else: progress, notes, questions. */
  note: (text: Text) => void
  /** Replaces the status lines below the notes; shown only on a terminal. */
  draw: (lines: readonly string[]) => void
  /** Whether standard error is a terminal. */
  isTerminal: boolean
  /** Whether standard output is a terminal. */
  isOutTerminal: boolean
  columns: number
  /**
   * @param options.instead the alternative without a terminal: "add --yes"
   * @throws Failure without a terminal
   */
  ask: (question: string, options: { instead: string; hidden?: boolean }) => Promise<string>
  readAll: () => Promise<string>
}

/** The raw streams; tests replace them. */
export interface Streams
  extends Pick<Io, 'env' | 'cwd' | 'isTerminal' | 'isOutTerminal' | 'columns' | 'ask' | 'readAll'> {
  hasColor: boolean
  write: (text: string) => void
  writeBytes: (source: Readable) => Promise<void>
  writeNote: (text: string) => void
}

const partsOf = (text: Text): ReadonlyArray<string | Painted> => (typeof text === 'string' ? [text] : text)

/** Unchanged, without colours. */
export const plainText = (text: Text): string =>
  partsOf(text)
    .map((part) => (typeof part === 'string' ? part : part.text))
    .join('')

const shownText = (text: Text, hasColor: boolean): string =>
  partsOf(text)
    .map((part) => {
      if (typeof part === 'string') return safeText(part)
      return hasColor ? `\u001b[${codes[part.color]}m${safeText(part.text)}\u001b[0m` : safeText(part.text)
    })
    .join('')

async function* shownBytes(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of source) yield safeText(decoder.decode(chunk, { stream: true }))
  yield safeText(decoder.decode())
}

/** Status lines, and notes that are printed above them. */
export function createNotes(write: (text: string) => void, isTerminal: boolean): Pick<Io, 'note' | 'draw'> {
  let drawn = ''
  let height = 0
  const clear = (): string => (height === 0 ? '' : `\u001b[${height}A\u001b[J`)
  return {
    note: (text) => {
      write(clear() + shownText(text, false) + drawn)
    },
    draw: (lines) => {
      if (!isTerminal) return
      const before = clear()
      drawn = lines.map((line) => `${oneLine(safeText(line))}\n`).join('')
      height = lines.length
      if (before + drawn !== '') write(before + drawn)
    }
  }
}

export function createIo(streams: Streams): Io {
  const { hasColor, write, writeBytes, writeNote, ask, ...rest } = streams
  const { isTerminal, isOutTerminal } = rest
  const out: Io['out'] = (text) => {
    write(shownText(text, hasColor))
  }
  return {
    ...rest,
    out,
    outData: (text) => {
      if (isOutTerminal) out(text)
      else write(plainText(text))
    },
    outBytes: async (source) => {
      await writeBytes(isOutTerminal ? Readable.from(shownBytes(source)) : source)
    },
    ...createNotes(writeNote, isTerminal),
    ask: async (question, options) => await ask(safeText(question), options)
  }
}

/** Used without a terminal, as in a script. */
export const noTerminalFailure = (question: string, instead: string): Failure =>
  new Failure(
    `There is no terminal to answer "${question.trim()}"; run the command in a terminal, or ${instead}`,
    exitCodes.usage
  )

export function processIo(): Io {
  const { env, stdin, stdout, stderr } = process
  const isOutTerminal = stdout.isTTY === true
  return createIo({
    env,
    cwd: process.cwd(),
    write: (text) => {
      stdout.write(text)
    },
    writeBytes: async (source) => {
      await pipeline(source, stdout, { end: false })
    },
    writeNote: (text) => {
      stderr.write(text)
    },
    isTerminal: stderr.isTTY === true,
    isOutTerminal,
    hasColor: isOutTerminal && (env.NO_COLOR ?? '') === '',
    columns: stdout.columns ?? stderr.columns ?? 80,
    ask: async (question, { instead, hidden = false }) => {
      if (stdin.isTTY !== true) throw noTerminalFailure(question, instead)
      const lines = createInterface({ input: stdin, output: stderr, terminal: true })
      // Input is not echoed.
      if (hidden) {
        Object.assign(lines, {
          _writeToOutput: (text: string) => {
            if (text.includes(question)) stderr.write(question)
          }
        })
      }
      try {
        return (await lines.question(question)).trim()
      } finally {
        lines.close()
        if (hidden) stderr.write('\n')
      }
    },
    readAll: async () => {
      let text = ''
      for await (const chunk of stdin.setEncoding('utf8')) text += String(chunk)
      return text
    }
  })
}

/** A message from elsewhere stays on one line: in a log, a second line could pass for ours. */
export const oneLine = (text: string): string => text.replace(/\s*[\r\n]+\s*/g, ' ')

export function table(rows: string[][]): string {
  const widths = rows.reduce<number[]>(
    (all, row) => row.map((cell, i) => Math.max(all[i] ?? 0, cell.length)),
    []
  )
  return rows
    .map(
      (row) =>
        `${row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0))).join('  ')}\n`
    )
    .join('')
}

/** `1 file`, `2 files`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

export const jsonText = (value: unknown): string => `${safeJson(JSON.stringify(value, null, 2))}\n`
