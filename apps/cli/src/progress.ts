import { formatBytes } from '@filewright/contracts'
import { counted, type Io } from './io.js'
import { shortened } from './table.js'

export interface Transfer {
  /** How much of it is done; starts again when an attempt is repeated. */
  advance: (bytes: number) => void
  end: (outcome: string) => void
  /** Its line is always shown. */
  fail: (outcome: string) => void
}

export interface Progress {
  begin: (name: string, total: number) => Transfer
  close: () => void
}

export interface ProgressOptions {
  /** What is done to the files: "Uploading". */
  action: string
  count: number
  /** Of all files; 0 if unknown. */
  bytes: number
  /** A line for each file that succeeded. */
  isVerbose?: boolean
  isQuiet?: boolean
  /** In milliseconds. */
  now?: () => number
}

const MAX_BAR = 24
const MIN_BAR = 8
const REDRAW_MS = 100
/** The rate is that of this time. */
const WINDOW_MS = 10_000
/** A file costs about as much time as this many bytes of it, however small it is. */
const FILE_COST = 65_536

const bar = (share: number, width: number): string => '█'.repeat(Math.round(share * width)).padEnd(width, '░')

export function timeLeft(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000))
  if (seconds < 90) return `${seconds} s left`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} min left` : `${Math.ceil(minutes / 60)} h left`
}

interface Sample {
  at: number
  bytes: number
  share: number
}

/** One line for all files on a terminal, with the rate and the time left. Elsewhere, only failures are shown. */
export function createProgress(
  io: Pick<Io, 'note' | 'draw' | 'isTerminal' | 'columns'>,
  { action, count, bytes: allBytes, isVerbose = false, isQuiet = false, now = Date.now }: ProgressOptions
): Progress {
  const running = new Set<{ bytes: number }>()
  let ended = 0
  let endedBytes = 0
  const samples: Sample[] = []

  function draw(): void {
    const at = now()
    const bytes = endedBytes + [...running].reduce((sum, each) => sum + each.bytes, 0)
    const share = Math.min(1, (bytes + ended * FILE_COST) / (allBytes + count * FILE_COST))
    samples.push({ at, bytes, share })
    while (samples.length > 2 && at - (samples[1]?.at ?? at) >= WINDOW_MS) samples.shift()
    const [first = { at, bytes, share }] = samples
    const ms = at - first.at
    const rate = ms === 0 ? 0 : ((bytes - first.bytes) * 1_000) / ms
    const pace = ms === 0 ? 0 : (share - first.share) / ms
    const isEndKnown = allBytes > 0 || count > 1

    const facts = [
      ...(count > 1 ? [`${ended} of ${counted(count, 'file')}`] : []),
      ...(allBytes > 0 ? [`${formatBytes(bytes)} of ${formatBytes(allBytes)}`] : []),
      ...(allBytes === 0 && bytes > 0 ? [formatBytes(bytes)] : []),
      ...(rate > 0 ? [`${formatBytes(rate)}/s`] : []),
      ...(isEndKnown && pace > 0 && share < 1 ? [timeLeft((1 - share) / pace)] : [])
    ].join('  ')
    const room = Math.min(MAX_BAR, io.columns - action.length - facts.length - 6)
    const shown = isEndKnown && room >= MIN_BAR ? [action, bar(share, room), facts] : [action, facts]
    io.draw([shortened(shown.join('  '), io.columns - 1)])
  }
  const timer = io.isTerminal && !isQuiet ? setInterval(draw, REDRAW_MS) : undefined

  return {
    begin: (name, total) => {
      const transfer = { bytes: 0 }
      running.add(transfer)
      const leave = (): void => {
        running.delete(transfer)
        ended++
        endedBytes += Math.max(total, transfer.bytes)
      }
      return {
        advance: (bytes) => {
          transfer.bytes = bytes
        },
        end: (outcome) => {
          leave()
          if (!isQuiet && (isVerbose || count === 1)) io.note(`${name}: ${outcome}\n`)
        },
        fail: (outcome) => {
          leave()
          if (!isQuiet) io.note(`${name}: ${outcome}\n`)
        }
      }
    },
    close: () => {
      clearInterval(timer)
      io.draw([])
    }
  }
}
