/** The last line of the output where the thread ended 7-Zip at an error. */
export const STOPPED = 'stopped at the first error'

/** What the thread is started with. */
export interface UnpackTask {
  /** The compiled module: compiling takes longer than unpacking most archives. */
  wasm: object
  archive: Uint8Array
  /** 7-Zip's name of the format. It opens the file as this and nothing else. */
  format: string
  maxMemoryBytes: number
  stopsAtError: boolean
  /** How many more pieces may be sent. */
  credits: Int32Array
}

export type FromUnpacker =
  | { kind: 'file'; name: string }
  | { kind: 'data'; bytes: Uint8Array }
  | { kind: 'close' }
  | { kind: 'done'; exitCode: number; output: string }
