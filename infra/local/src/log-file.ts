import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const TAIL_BYTES = 8 * 1024

/** The last log line of a service, as its reason for stopping. */
export function lastLogLine(path: string): string | null {
  try {
    const fd = openSync(path, 'r')
    try {
      const { size } = fstatSync(fd)
      const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES))
      readSync(fd, buffer, 0, buffer.length, size - buffer.length)
      const lines = buffer
        .toString('utf8')
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
      return readable(lines)
    } finally {
      closeSync(fd)
    }
  } catch {
    return null
  }
}

/** Our apps log JSON: the last line at level error or above says more than the `stopped` after it. */
function readable(lines: string[]): string | null {
  let last: string | null = null
  for (const line of lines.reverse()) {
    const entry = parse(line)
    if (entry === null) return last ?? line
    last ??= entry.msg
    if (entry.level >= 50) return entry.err === undefined ? entry.msg : `${entry.msg}: ${entry.err}`
  }
  return last
}

function parse(line: string): { level: number; msg: string; err: string | undefined } | null {
  if (!line.startsWith('{')) return null
  try {
    const { level, msg, err } = JSON.parse(line) as {
      level?: unknown
      msg?: unknown
      err?: { message?: unknown }
    }
    if (typeof level !== 'number' || typeof msg !== 'string') return null
    return {
      level,
      msg,
      err: typeof err?.message === 'string' && err.message !== msg ? err.message : undefined
    }
  } catch {
    return null
  }
}
