/** The last line of the output if the thread stopped 7-Zip at an error. */
export const STOPPED = 'stopped at the first error'

/** The start parameters of the thread. */
export interface UnpackTask {
  /** The compiled module: compiling takes longer than unpacking most archives. */
  wasm: object
  archive: Uint8Array
  /** 7-Zip's name for the format. 7-Zip opens the file in this format only. */
  format: string
  maxMemoryBytes: number
  stopsAtError: boolean
  /** The number of further chunks that may be sent. */
  credits: Int32Array
}

export type FromUnpacker =
  | { kind: 'file'; name: string }
  | { kind: 'data'; bytes: Uint8Array }
  | { kind: 'close' }
  | { kind: 'done'; exitCode: number; output: string }
