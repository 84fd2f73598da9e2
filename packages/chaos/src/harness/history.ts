import type { AiPath } from '@filewright/acceptance'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'

/**
 * One operation of a client, as the client saw it. Times are milliseconds since the process started, from one
 * clock for all lanes.
 */
export interface Operation {
  op: 'upload' | 'info' | 'list' | 'download' | 'cdn' | 'delete' | AiPath
  project?: string | undefined
  /** Unique among all uploads of a run, to find a file whose upload got no response. */
  name?: string | undefined
  id?: string | undefined
  /** The hash of the sent bytes, or of completely received bytes. */
  sha256?: string | undefined
  /** 0 if the connection broke before a response. */
  status: number
  error?: string | undefined
  startMs: number
  endMs: number
  /** The names in the response of a list. */
  names?: readonly string[] | undefined
  /** The file must never get a clean verdict, whatever the response. */
  flagged?: boolean | undefined
}

export interface History {
  readonly file: string
  record: (operation: Operation) => void
  /** Reads the file's operations, oldest first. */
  read: () => Operation[]
}

/**
 * Writes a line for each operation. The checker reads only this file, so it can be repeated on an old one.
 */
export function createHistory(file: string): History {
  writeFileSync(file, '')
  return {
    file,
    record: (operation) => appendFileSync(file, `${JSON.stringify(operation)}\n`),
    read: () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Operation)
  }
}
