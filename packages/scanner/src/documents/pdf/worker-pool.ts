import { Worker } from 'node:worker_threads'
import { AppError, createSemaphore, onAbort, type Release } from '@filewright/runtime'
import { cancelled, acquireOrCancel } from '../../cancelled.js'
import { isLoadFailure } from '../../load-failure.js'
import { OutOfTime } from '../../out-of-time.js'
import type { ScanMeter } from '../../scan-meter.js'
import type { Reply, Request } from './messages.js'

export interface ReadLimits {
  lane?: string | undefined
  meter?: ScanMeter | undefined
  signal?: AbortSignal | undefined
  timeoutMs: number
}

export interface PdfWorkerPool {
  /** @throws OutOfTime after `timeoutMs`, AppError CANCELLED on abort. */
  read: (request: Request, limits: ReadLimits) => Promise<Reply>
}

interface Slot {
  worker: Worker
  /** The number of PDFs it has read. */
  reads: number
}

/** The library keeps every name in memory. */
const MAX_READS = 1000
/** For objects only: the limits of each read cover the bytes of files. */
const MAX_HEAP_MB = 256

/**
 * Reads PDFs in threads, at most `size` at a time. A thread is reused for the next PDF. A thread that takes
 * too long or too much memory is terminated, and only its PDF fails.
 */
export function createPdfWorkerPool({ size }: { size: number }): PdfWorkerPool {
  const idle: Slot[] = []
  const semaphore = createSemaphore({ permits: size })

  async function acquire({ lane, meter, signal }: ReadLimits): Promise<Release> {
    const permit = async (): Promise<Release> => await acquireOrCancel(semaphore, { lane, signal })
    return await (meter === undefined ? permit() : meter.wait(permit))
  }

  function startSlot(): Slot {
    const slot = { worker: startWorker(), reads: 0 }
    slot.worker.on('exit', () => {
      if (idle.includes(slot)) idle.splice(idle.indexOf(slot), 1)
    })
    return slot
  }

  return {
    read: async (request, limits) => {
      const release = await acquire(limits)
      try {
        const slot = idle.pop() ?? startSlot()
        const { reply, isReusable } = await readWith(slot.worker, request, limits)
        slot.reads++
        if (isReusable && slot.reads < MAX_READS) idle.push(slot)
        else void slot.worker.terminate()
        return reply
      } finally {
        release()
      }
    }
  }
}

function startWorker(): Worker {
  // A bundle has the worker beside this file as well, under the same name.
  const worker = new Worker(new URL('./pdf.worker.js', import.meta.url), {
    // The thread handles hostile bytes, so it gets no environment variables.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 32 }
  })
  // The thread may fail while no caller waits for it, or during termination.
  worker.on('error', () => {})
  return worker
}

interface Outcome {
  reply: Reply
  isReusable: boolean
}

async function readWith(
  worker: Worker,
  request: Request,
  { signal, timeoutMs }: ReadLimits
): Promise<Outcome> {
  let cleanUp = (): void => {}
  worker.ref()
  try {
    return await new Promise<Outcome>((resolve, reject) => {
      const onMessage = (reply: Reply): void => resolve({ reply, isReusable: true })
      const onEnd = (cause?: unknown): void => {
        // Most likely out of memory.
        if (!isLoadFailure(cause)) {
          return resolve({ reply: { ok: false, reason: 'PdfTooComplex' }, isReusable: false })
        }
        reject(
          new AppError('SCAN_UNAVAILABLE', 'the reader of PDFs cannot be loaded', { cause, retryable: true })
        )
      }
      const stop = (error: AppError): void => {
        void worker.terminate()
        reject(error)
      }
      const timer = setTimeout(() => stop(new OutOfTime('reading a PDF', timeoutMs)), timeoutMs)
      const stopListening = onAbort(signal, (reason) => stop(cancelled(reason)))
      worker.on('message', onMessage).on('error', onEnd).on('exit', onEnd)
      cleanUp = () => {
        clearTimeout(timer)
        stopListening()
        worker.off('message', onMessage).off('error', onEnd).off('exit', onEnd)
      }
      // Transfers a copy: the caller still uses its own buffer, which may be part of a larger one.
      const pdf = new Uint8Array(request.pdf)
      worker.postMessage({ ...request, pdf }, [pdf.buffer])
    })
  } finally {
    cleanUp()
    // An idle thread must not keep the process alive.
    worker.unref()
  }
}
