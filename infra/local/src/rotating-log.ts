import { closeSync, fstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'

export interface RotatingLogOptions {
  path: string
  /** Of one file. Default 10 MB. */
  maxBytes?: number
  /**
   * Total number of files, including the current one; the others are named `.1`, the newest, and so on.
   * Default 5.
   */
  maxFiles?: number
}

export interface RotatingLog {
  /** A file contains complete lines; only the end of a process's output may lack its line break. */
  write: (lines: Buffer) => void
  close: () => void
}

const MAX_BYTES = 10 * 1024 * 1024
const MAX_FILES = 5
const LINE_BREAK = 0x0a

/**
 * A log of bounded size. Written synchronously: a process's last output is on disk when its exit is noticed.
 * What cannot be written, as on a full disk, is lost: the stack must not stop because of its logs.
 */
export function createRotatingLog({
  path,
  maxBytes = MAX_BYTES,
  maxFiles = MAX_FILES
}: RotatingLogOptions): RotatingLog {
  let file: { fd: number; size: number; endsLine: boolean } | undefined

  function open(): NonNullable<typeof file> {
    const fd = openSync(path, 'a', 0o600)
    return { fd, size: fstatSync(fd).size, endsLine: true }
  }

  function close(): void {
    if (file !== undefined) closeSync(file.fd)
    file = undefined
  }

  function rotate(): void {
    close()
    rmSync(`${path}.${maxFiles - 1}`, { force: true })
    for (let age = maxFiles - 1; age >= 1; age--) {
      try {
        renameSync(age === 1 ? path : `${path}.${age - 1}`, `${path}.${age}`)
      } catch {} // not that many yet
    }
  }

  function isFull(current: NonNullable<typeof file>, more: number): boolean {
    if (current.size === 0 || current.size + more <= maxBytes) return false
    // In the middle of a very long line the file may grow further, but not forever.
    return current.endsLine || current.size >= 2 * maxBytes
  }

  return {
    write: (lines) => {
      if (lines.length === 0) return
      try {
        file ??= open()
        if (isFull(file, lines.length)) {
          rotate()
          file = open()
        }
        for (let written = 0; written < lines.length; ) written += writeSync(file.fd, lines, written)
        file.size += lines.length
        file.endsLine = lines.at(-1) === LINE_BREAK
      } catch {} // see above
    },
    close
  }
}
