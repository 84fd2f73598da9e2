import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { AppError, onAbort } from '@filewright/runtime'
import { cancelled, throwIfCancelled } from '../cancelled.js'
import { isLoadFailure } from '../load-failure.js'
import { webAssembly } from './webassembly.js'
import { STOPPED, type FromUnpacker, type UnpackTask } from './seven-zip.protocol.js'

/**
 * Why an archive could not be unpacked completely. `stopped`: 7-Zip was stopped at a damaged file, and others
 * may follow.
 */
export type UnpackProblem = 'encrypted' | 'damaged' | 'stopped' | 'unsupported' | 'memory' | 'time'

export interface UnpackedFile {
  name: string
  /** Read this before the next file comes. Unread bytes are discarded. */
  chunks: AsyncGenerator<Buffer, void, undefined>
}

export interface UnpackOptions {
  archive: Buffer
  /** 7-Zip's name for the format. */
  format: string
  timeoutMs: number
  /** Needed because a header can ask for any amount. */
  maxMemoryBytes: number
  /** Whether to stop at the first file with an error. */
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
 * Unpacks an archive with 7-Zip, compiled to WebAssembly, in its own thread. Hostile input is confined to the
 * thread's memory, cannot block the event loop, and is terminated at the timeout. Each archive gets a new
 * instance, so a corrupted instance affects only its own archive. Returns null if everything was unpacked.
 * @throws errors of `onFile`, and AppError CANCELLED on abort.
 */
export async function unpackArchive(options: UnpackOptions): Promise<UnpackProblem | null> {
  const { archive, format, timeoutMs, maxMemoryBytes, stopsAtError = false, signal, onFile } = options
  const credits = new Int32Array(new SharedArrayBuffer(4))
  credits[0] = PIECES_UNREAD
  const wasm = await compileOnce()
  const task: UnpackTask = { wasm, archive, format, maxMemoryBytes, stopsAtError, credits }
  throwIfCancelled(signal)
  // A bundle has the worker beside this file as well, under the same name.
  const worker = new Worker(new URL('./seven-zip.worker.js', import.meta.url), {
    workerData: task,
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 128 }
  })
  const inbox = createInbox(worker)
  const stopListening = onAbort(signal, (reason) => inbox.fail(cancelled(reason)))
  const timer = setTimeout(() => inbox.end({ kind: 'done', exitCode: 2, output: 'time' }), timeoutMs)

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
      // Not the generator itself: its consumer may end it early, but the rest of the file still arrives.
      await onFile({ name: message.name, chunks: forwardChunks(rest) })
      for (let next = await rest.next(); next.done !== true; ) next = await rest.next()
    }
  } finally {
    clearTimeout(timer)
    stopListening()
    await worker.terminate()
  }
}

async function* forwardChunks(
  chunks: AsyncGenerator<Buffer, void, undefined>
): AsyncGenerator<Buffer, void, undefined> {
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value
}

interface Inbox {
  next: () => Promise<FromUnpacker>
  /** All later reads return this message. */
  end: (last: FromUnpacker & { kind: 'done' }) => void
  fail: (error: Error) => void
}

/** Queues the thread's messages. */
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
  // A crash of the thread was caused by its input.
  worker.on('error', (error) => {
    if (isLoadFailure(error)) {
      fail(
        new AppError('SCAN_UNAVAILABLE', 'the unpacker cannot be loaded', { cause: error, retryable: true })
      )
    } else end({ kind: 'done', exitCode: 2, output: String(error) })
  })
  worker.on('exit', () => end({ kind: 'done', exitCode: 2, output: 'the thread ended' }))
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

/** 7-Zip exits with 0 on success and with 1 after a warning, for example about bytes behind the archive. */
function problemOf(exitCode: number, output: string): UnpackProblem | null {
  if (exitCode === 0 || exitCode === 1) return null
  return PROBLEMS.find(([pattern]) => pattern.test(output))?.[1] ?? 'damaged'
}
