import type { Signal } from '@preact/signals'
import type { Resolution, UploadTarget } from './store-file.js'

export interface FileToUpload {
  file: File
  /** Relative to the target folder; empty for that folder itself. */
  folder: string
  /** The browser was not allowed to read it; the tray shows an error. */
  isUnreadable?: boolean
}

/** In state `scanning` all bytes are sent, and the service scans the file; in state `asking` its name is taken. */
export type UploadState =
  | 'waiting'
  | 'asking'
  | 'sending'
  | 'scanning'
  | 'done'
  | 'refused'
  | 'failed'
  | 'cancelled'

export interface Upload {
  id: number
  file: File
  target: UploadTarget
  /** The user's answer if the name is taken. */
  resolution: Resolution | undefined
  state: Signal<UploadState>
  sentBytes: Signal<number>
  bytesPerSecond: Signal<number>
  /** Why it was refused or failed. */
  reason: Signal<string>
}

export interface UploadCounts {
  total: number
  done: number
  refused: number
  failed: number
  cancelled: number
  /** Left out because the name is taken. */
  skipped: number
}

/** The browser may not read a dropped file. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError'
}

/** Files for the same place would replace or repeat each other. */
export const placeOf = ({ file, target }: Upload): string =>
  JSON.stringify([target.projectId, target.folder, file.name])
