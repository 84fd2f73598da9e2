import { parentPort, workerData } from 'node:worker_threads'
import sevenZipModule, { type SevenZipModuleFactory, type SevenZipModuleOptions } from '7z-wasm'
import { createUnpackFolder, mountArchive, type SevenZipFs } from './seven-zip-fs.js'
import { STOPPED, type FromUnpacker, type UnpackTask } from './seven-zip.protocol.js'
import { webAssembly, type WasmInstance } from './webassembly.js'

/** Its types describe the other build, which has a default export. */
const createSevenZip = sevenZipModule as unknown as SevenZipModuleFactory

/** Messages that may wait to be read, each of this many bytes at most. */
const PIECE_BYTES = 256 * 1024
/**
 * 7-Zip tells of encryption only by asking for a password. This one is wrong for every archive that has one.
 */
const NO_PASSWORD = '-p-'
/** Where `mountArchive` puts it. */
const ARCHIVE = '/in/archive'

/**
 * What 7-Zip says, before it goes on with the next file, of one that is damaged or of an unknown method. Of an
 * archive that it cannot open it says the path.
 */
const FILE_ERROR = new RegExp(`^ERROR: (?!${ARCHIVE})`)

const { wasm, archive, format, maxMemoryBytes, stopsAtError, credits } = workerData as UnpackTask

function say(message: FromUnpacker, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer)
}

/** Waits until the other side has read enough: what is unpacked must not pile up in memory. */
function sendPiece(bytes: Uint8Array): void {
  while (Atomics.load(credits, 0) <= 0) Atomics.wait(credits, 0, 0)
  Atomics.sub(credits, 0, 1)
  const copy = bytes.slice()
  say({ kind: 'data', bytes: copy }, [copy.buffer])
}

function sendBytes(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) sendPiece(bytes.subarray(at, at + PIECE_BYTES))
}

/** What 7-Zip, compiled by Emscripten, is given to ask for memory and to write with. */
interface WasmImports {
  env: { emscripten_resize_heap: (requestedBytes: number) => boolean | number }
  wasi_snapshot_preview1: { fd_write: (...args: number[]) => number }
}

/**
 * A header can ask for a dictionary of 4 GB. 7-Zip does not always say that it was refused: of an xz file it
 * says that the data is damaged.
 * @returns whether the last request was refused.
 */
function limitMemory({ env }: WasmImports): () => boolean {
  const resize = env.emscripten_resize_heap
  let refused = false
  env.emscripten_resize_heap = (requestedBytes) => {
    // A number of 32 bits that may arrive as a negative one.
    const isGranted = requestedBytes >>> 0 <= maxMemoryBytes && Boolean(resize(requestedBytes))
    refused = !isGranted
    return isGranted
  }
  return () => refused
}

/**
 * Ends 7-Zip in the call that wrote the error, through its own frames, so that no more of its code runs.
 * `printErr` cannot: Emscripten takes what it throws for a failed write.
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
   * Each message once, without the name of the file: names are the archive's choice, and there may be
   * thousands.
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
    onOpen: (name) => {
      say({ kind: 'file', name })
    },
    onBytes: sendBytes,
    onClose: () => {
      say({ kind: 'close' })
    }
  })
  let exitCode = 0
  try {
    // Without folders, every file under the plain name; `-aoa` lets a second file of that name take the place
    // of the first.
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
