import { createHash, randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { run } from '../src/program.js'
import { createIo, noTerminalFailure, type Io } from '../src/io.js'

export interface Ended {
  code: number
  out: string
  note: string
}

export interface Shell {
  env: Io['env']
  cwd: string
  /** Typed input and standard input; absent means none. */
  input?: string
  isTerminal?: boolean
  /** Whether standard output is a terminal too. */
  isOutTerminal?: boolean
  hasColor?: boolean
}

/** Runs the command in this process. */
export async function filewright(shell: Shell, ...args: string[]): Promise<Ended> {
  const ended: Ended = { code: 0, out: '', note: '' }
  const { env, cwd, input, isTerminal = false, hasColor = false, isOutTerminal = hasColor } = shell
  const io = createIo({
    env,
    cwd,
    isTerminal,
    isOutTerminal,
    hasColor,
    columns: 80,
    write: (shown) => {
      ended.out += shown
    },
    writeBytes: async (source) => {
      ended.out += await text(source)
    },
    writeNote: (shown) => {
      ended.note += shown
    },
    ask: async (question, { instead }) => {
      if (input === undefined) throw noTerminalFailure(question, instead)
      ended.note += question
      return input
    },
    readAll: async () => input ?? ''
  })
  ended.code = await run(args, io)
  return ended
}

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Text that was never scanned before. */
export const uniqueText = (bytes: number): Buffer => Buffer.from(randomBytes(bytes / 2).toString('hex'))
