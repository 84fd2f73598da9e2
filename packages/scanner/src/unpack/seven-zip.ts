import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { AppError, onAbort } from '@filewright/runtime'
import { cancelled, throwIfCancelled } from '../cancelled.js'
import { isLoadFailure } from '../load-failure.js'
import { webAssembly } from './webassembly.js'
import { STOPPED, type FromUnpacker, type UnpackTask } from './seven-zip.protocol.js'

/**
 * Why an archive could not be unpacked to its end. `stopped`: at a damaged file, and there may be more behind
 * it.
 */
export type UnpackProblem = 'encrypted' | 'damaged' | 'stopped' | 'unsupported' | 'memory' | 'time'

export interface UnpackedFile {
  name: string
  /** To be read before the next file comes. What is left unread is thrown away. */
  chunks: AsyncGenerator<Buffer, void, undefined>
}

export interface UnpackOptions {
  archive: Buffer
  /** 7-Zip's name of the format. */
  format: string
  timeoutMs: number
  /** A header can ask for any amount. */
  maxMemoryBytes: number
  /** Whether the first file with an error is the last one. */
  stopsAtError?: boolean
  signal?: AbortSignal | undefined
  onFile: (file: UnpackedFile) => Promise<void>
}

const PIECES_UNREAD = 4

let compiled: Promise<object> | undefined

async function compileOnce(): Promise<object> {
  compiled ??= readFile(createRequire(import.meta.url).resolve('7z-wasm/7zz.wasm')).then(
    async (bytes) => await webAssembly.compile(bytes)
  )
  return await compiled
}

/**
 * Unpacks an archive with 7-Zip, compiled to WebAssembly, in a thread of its own: hostile input cannot reach
 * beyond the thread's memory, cannot block the event loop, and the thread is ended when the time is over. Each
 * archive gets an instance of its own: one that was corrupted decides only what clamd sees of that archive.
 * Returns null when all of it was unpacked.
 * @throws what `onFile` throws, and AppError CANCELLED on abort.
 */
export async function unpackArchive(options: UnpackOptions): Promise<UnpackProblem | null> {
  const { archive, format, timeoutMs, maxMemoryBytes, stopsAtError = false, signal, onFile } = options
  const credits = new Int32Array(new SharedArrayBuffer(4))
  credits[0] = PIECES_UNREAD
  const wasm = await compileOnce()
  const task: UnpackTask = { wasm, archive, format, maxMemoryBytes, stopsAtError, credits }
  throwIfCancelled(signal)
  // Beside this file in a bundle, too, which has it under the same name.
  const worker = new Worker(new URL('./seven-zip.worker.js', import.meta.url), {
    workerData: task,
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 128 }
  })
  const inbox = createInbox(worker)
  const stopListening = onAbort(signal, (reason) => {
    inbox.fail(cancelled(reason))
  })
  const timer = setTimeout(() => {
    inbox.end({ kind: 'done', exitCode: 2, output: 'time' })
  }, timeoutMs)

  async function* chunksOfFile(): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const message = await inbox.next()
      if (message.kind === 'close') return
      if (message.kind === 'done') return inbox.end(message)
      if (message.kind !== 'data') continue
      Atomics.add(credits, 0, 1)
      Atomics.notify(credits, 0)
      yield Buffer.from(message.bytes.buffer, message.bytes.byteOffset, message.bytes.length)
    }
  }

  try {
    for (;;) {
      const message = await inbox.next()
      if (message.kind === 'done') return problemOf(message.exitCode, message.output)
      if (message.kind !== 'file') continue
      const rest = chunksOfFile()
      // Not the generator itself: its consumer may end it early, and the file goes on.
      await onFile({ name: message.name, chunks: passedOn(rest) })
      for (let next = await rest.next(); next.done !== true; ) next = await rest.next()
    }
  } finally {
    clearTimeout(timer)
    stopListening()
    await worker.terminate()
  }
}

async function* passedOn(
  chunks: AsyncGenerator<Buffer, void, undefined>
): AsyncGenerator<Buffer, void, undefined> {
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value
}

interface Inbox {
  next: () => Promise<FromUnpacker>
  /** From now on every read gets this. */
  end: (last: FromUnpacker & { kind: 'done' }) => void
  fail: (error: Error) => void
}

/** The thread's messages, one after the other. */
function createInbox(worker: Worker): Inbox {
  const messages: FromUnpacker[] = []
  let ended: FromUnpacker | undefined
  let failure: Error | undefined
  let wake = (): void => {}

  const end: Inbox['end'] = (last) => {
    ended ??= last
    wake()
  }
  const fail: Inbox['fail'] = (error) => {
    failure ??= error
    wake()
  }
  worker.on('message', (message: FromUnpacker) => {
    messages.push(message)
    wake()
  })
  // A thread that breaks was broken by its input.
  worker.on('error', (error) => {
    if (isLoadFailure(error)) {
      fail(
        new AppError('SCAN_UNAVAILABLE', 'the unpacker cannot be loaded', { cause: error, retryable: true })
      )
    } else end({ kind: 'done', exitCode: 2, output: String(error) })
  })
  worker.on('exit', () => {
    end({ kind: 'done', exitCode: 2, output: 'the thread ended' })
  })
  return {
    end,
    fail,
    next: async () => {
      for (;;) {
        if (failure !== undefined) throw failure
        const message =
          ended?.kind === 'done' && ended.output === 'time' ? ended : (messages.shift() ?? ended)
        if (message !== undefined) return message
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  }
}

const PROBLEMS: ReadonlyArray<[RegExp, UnpackProblem]> = [
  [/^time$/, 'time'],
  [/password|encrypted/i, 'encrypted'],
  [/allocate|memory/i, 'memory'],
  [new RegExp(STOPPED), 'stopped'],
  [/unsupported/i, 'unsupported']
]

/** 7-Zip ends with 0 when all is well and with 1 after a warning, such as bytes behind the archive. */
function problemOf(exitCode: number, output: string): UnpackProblem | null {
  if (exitCode === 0 || exitCode === 1) return null
  return PROBLEMS.find(([pattern]) => pattern.test(output))?.[1] ?? 'damaged'
}
