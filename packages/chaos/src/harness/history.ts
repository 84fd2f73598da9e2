import type { AiPath } from '@filewright/acceptance'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'

/**
 * One operation of a client, as the client saw it. Times are milliseconds since the process started, from one
 * clock for all lanes.
 */
export interface Operation {
  op: 'upload' | 'info' | 'list' | 'download' | 'cdn' | 'delete' | AiPath
  project?: string | undefined
  /** Unique among all uploads of a run: finds a file that no client was told about. */
  name?: string | undefined
  id?: string | undefined
  /** Of the bytes sent, or of those received whole. */
  sha256?: string | undefined
  /** 0: the connection broke before an answer. */
  status: number
  error?: string | undefined
  startMs: number
  endMs: number
  /** In a list's answer. */
  names?: readonly string[] | undefined
  /** What its verdict must not be, whatever the response: clean. */
  flagged?: boolean | undefined
}

export interface History {
  readonly file: string
  record: (operation: Operation) => void
  /** What is in the file, oldest first. */
  read: () => Operation[]
}

/**
 * A line for each operation. The checker reads the file and nothing else, so it can be run again on an old
 * one.
 */
export function createHistory(file: string): History {
  writeFileSync(file, '')
  return {
    file,
    record: (operation) => {
      appendFileSync(file, `${JSON.stringify(operation)}\n`)
    },
    read: () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Operation)
  }
}
