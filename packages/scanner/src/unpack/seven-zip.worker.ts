import { parentPort, workerData } from 'node:worker_threads'
import sevenZipModule, { type SevenZipModuleFactory, type SevenZipModuleOptions } from '7z-wasm'
import { createUnpackFolder, mountArchive, type SevenZipFs } from './seven-zip-fs.js'
import { STOPPED, type FromUnpacker, type UnpackTask } from './seven-zip.protocol.js'
import { webAssembly, type WasmInstance } from './webassembly.js'

/** The package's types describe another build, which has a default export. */
const createSevenZip = sevenZipModule as unknown as SevenZipModuleFactory

/** The number of messages that may be unread, and the maximum size of each. */
const PIECE_BYTES = 256 * 1024
/**
 * 7-Zip reports encryption only by asking for a password. This password is wrong for every encrypted archive.
 */
const NO_PASSWORD = '-p-'
/** The path that `mountArchive` uses. */
const ARCHIVE = '/in/archive'

/**
 * 7-Zip's message about a damaged file or an unknown method, after which it continues with the next file. If
 * it cannot open the archive, the message contains the archive's path.
 */
const FILE_ERROR = new RegExp(`^ERROR: (?!${ARCHIVE})`)

const { wasm, archive, format, maxMemoryBytes, stopsAtError, credits } = workerData as UnpackTask

function say(message: FromUnpacker, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer)
}

/** Waits until the reader has consumed enough: unpacked data must not pile up in memory. */
function sendPiece(bytes: Uint8Array): void {
  while (Atomics.load(credits, 0) <= 0) Atomics.wait(credits, 0, 0)
  Atomics.sub(credits, 0, 1)
  const copy = bytes.slice()
  say({ kind: 'data', bytes: copy }, [copy.buffer])
}

function sendBytes(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) sendPiece(bytes.subarray(at, at + PIECE_BYTES))
}

/** The imports that 7-Zip, compiled by Emscripten, uses to request memory and to write. */
interface WasmImports {
  env: { emscripten_resize_heap: (requestedBytes: number) => boolean | number }
  wasi_snapshot_preview1: { fd_write: (...args: number[]) => number }
}

/**
 * A header can ask for a dictionary of 4 GB. 7-Zip does not always report that memory was refused: for an xz
 * file it reports damaged data.
 * @returns whether the last request was refused
 */
function limitMemory({ env }: WasmImports): () => boolean {
  const resize = env.emscripten_resize_heap
  let refused = false
  env.emscripten_resize_heap = (requestedBytes) => {
    // An unsigned 32-bit number that may arrive as a negative one.
    const isGranted = requestedBytes >>> 0 <= maxMemoryBytes && Boolean(resize(requestedBytes))
    refused = !isGranted
    return isGranted
  }
  return () => refused
}

/**
 * Stops 7-Zip inside the call that wrote the error, by unwinding its stack, so that no more of its code runs.
 * `printErr` cannot do this: Emscripten treats its exception as a failed write.
 */
function stopAfterWrite({ wasi_snapshot_preview1: wasi }: WasmImports, mustStop: () => boolean): void {
  const write = wasi.fd_write
  wasi.fd_write = (...args) => {
    const status = write(...args)
    if (mustStop()) throw new Error(STOPPED)
    return status
  }
}

async function unpack(): Promise<void> {
  /**
   * Each message once and without the file name: the archive chooses the names, and there may be thousands.
   */
  const output = new Set<string>()
  let isOutOfMemory = (): boolean => false
  let hasFileError = false
  const sevenZip = await createSevenZip({
    print: () => {},
    printErr: (line: string) => {
      const message = line.replace(/ : .*/s, '')
      output.add(message)
      if (FILE_ERROR.test(line)) hasFileError = true
    },
    stdin: () => null as unknown as number,
    instantiateWasm: (imports: WasmImports, done: (instance: WasmInstance) => void) => {
      isOutOfMemory = limitMemory(imports)
      if (stopsAtError) stopAfterWrite(imports, () => hasFileError)
      const instance = new webAssembly.Instance(wasm, imports)
      done(instance)
      return instance.exports
    },
    quit: (_code: number, status: unknown) => {
      throw status
    }
  } as Partial<SevenZipModuleOptions>)
  const fs = sevenZip.FS as unknown as SevenZipFs
  mountArchive(fs, '/in', archive)
  createUnpackFolder(fs, '/out', {
    onOpen: (name) => say({ kind: 'file', name }),
    onBytes: sendBytes,
    onClose: () => say({ kind: 'close' })
  })
  let exitCode = 0
  try {
    // Without folders, so every file has its base name. With `-aoa`, a second file of that name replaces the
    // first.
    const status: unknown = sevenZip.callMain([
      'e',
      `-t${format}`,
      '-y',
      '-aoa',
      '-bd',
      NO_PASSWORD,
      '-o/out',
      ARCHIVE
    ])
    if (typeof status === 'number') exitCode = status
  } catch (error) {
    const status = (error as { status?: unknown } | null)?.status
    exitCode = typeof status === 'number' ? status : 2
    if (typeof status !== 'number') output.add(String(error))
  }
  if (isOutOfMemory()) output.add('out of memory')
  say({ kind: 'done', exitCode, output: [...output].join('\n') })
}

await unpack()
