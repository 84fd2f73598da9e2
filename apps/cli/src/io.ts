import { createInterface } from 'node:readline/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Failure, exitCodes } from './failure.js'

/** Where a command reads and writes; tests put in their own. */
export interface Io {
  env: Record<string, string | undefined>
  cwd: string
  /** Results. */
  out: (text: string) => void
  /** A result of bytes, as fast as it is read. */
  outBytes: (source: Readable) => Promise<void>
  /** Everything else: progress, notes, questions. */
  note: (text: string) => void
  /** Replaces the lines that stay below the notes; shown on a terminal only. */
  draw: (lines: readonly string[]) => void
  isTerminal: boolean
  hasColor: boolean
  columns: number
  /**
   * @param options.instead what to do where nobody can answer: "add --yes"
   * @throws Failure where nobody can answer
   */
  ask: (question: string, options: { instead: string; hidden?: boolean }) => Promise<string>
  readAll: () => Promise<string>
}

/** Lines that stay, and notes that go above them. */
export function createNotes(write: (text: string) => void, isTerminal: boolean): Pick<Io, 'note' | 'draw'> {
  let drawn = ''
  let height = 0
  const clear = (): string => (height === 0 ? '' : `\u001b[${height}A\u001b[J`)
  return {
    note: (text) => {
      write(clear() + text + drawn)
    },
    draw: (lines) => {
      if (!isTerminal) return
      const before = clear()
      drawn = lines.map((line) => `${line}\n`).join('')
      height = lines.length
      if (before + drawn !== '') write(before + drawn)
    }
  }
}

/** Where nobody can answer, as in a script. */
export const nobodyAnswers = (question: string, instead: string): Failure =>
  new Failure(
    `Nobody is there to answer "${question.trim()}"; run the command in a terminal, or ${instead}`,
    exitCodes.usage
  )

export function processIo(): Io {
  const { env, stdin, stdout, stderr } = process
  const isTerminal = stderr.isTTY === true
  return {
    env,
    cwd: process.cwd(),
    out: (text) => {
      stdout.write(text)
    },
    outBytes: async (source) => {
      await pipeline(source, stdout, { end: false })
    },
    ...createNotes((text) => {
      stderr.write(text)
    }, isTerminal),
    isTerminal,
    hasColor: stdout.isTTY === true && (env.NO_COLOR ?? '') === '',
    columns: stderr.columns ?? 80,
    ask: async (question, { instead, hidden = false }) => {
      if (stdin.isTTY !== true) throw nobodyAnswers(question, instead)
      const lines = createInterface({ input: stdin, output: stderr, terminal: true })
      // What is typed is not shown.
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
  }
}

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 }

export const paint = (io: Pick<Io, 'hasColor'>, color: keyof typeof codes, text: string): string =>
  io.hasColor ? `\u001b[${codes[color]}m${text}\u001b[0m` : text

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

export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
