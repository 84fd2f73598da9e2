import { formatBytes } from '@filewright/contracts'
import type { Io } from './io.js'

export interface Transfer {
  advance: (bytes: number) => void
  /** @param outcome shown on its line; nothing when absent and no terminal */
  end: (outcome: string) => void
}

export interface Progress {
  begin: (name: string, total: number | undefined) => Transfer
  close: () => void
}

const BAR = 24
const REDRAW_MS = 100
const MAX_LINES = 8

interface Line {
  name: string
  bytes: number
  total: number | undefined
}

const bar = (share: number): string => '█'.repeat(Math.round(share * BAR)).padEnd(BAR, '░')

/** On a terminal, a progress bar per file and one for all; elsewhere, a line per completed file. */
export function createProgress(
  io: Io,
  { count, bytes: allBytes, quiet = false }: { count: number; bytes: number; quiet?: boolean }
): Progress {
  const live = io.isTerminal && !quiet
  const lines = new Set<Line>()
  let ended = 0
  let endedBytes = 0

  const shorten = (text: string, width: number): string =>
    text.length <= width ? text.padEnd(width) : `…${text.slice(1 - width)}`

  function draw(): void {
    const width = Math.max(12, Math.min(40, io.columns - BAR - 24))
    const shown = [...lines]
      .slice(0, MAX_LINES)
      .map(
        ({ name, bytes, total }) =>
          `${shorten(name, width)} ${bar(total === undefined || total === 0 ? 0 : bytes / total)} ${formatBytes(bytes)}`
      )
    const sum = endedBytes + [...lines].reduce((all, { bytes }) => all + bytes, 0)
    if (count > 1) {
      shown.push(
        `${shorten(`${ended} of ${count}`, width)} ${bar(allBytes === 0 ? 1 : Math.min(1, sum / allBytes))} ${formatBytes(sum)}`
      )
    }
    io.draw(shown)
  }
  const timer = live ? setInterval(draw, REDRAW_MS) : undefined

  return {
    begin: (name, total) => {
      const line: Line = { name, bytes: 0, total }
      lines.add(line)
      return {
        advance: (bytes) => {
          line.bytes = bytes
        },
        end: (outcome) => {
          lines.delete(line)
          ended++
          endedBytes += total ?? line.bytes
          if (quiet) return
          io.note(`${name}: ${outcome}\n`)
        }
      }
    },
    close: () => {
      clearInterval(timer)
      io.draw([])
    }
  }
}
