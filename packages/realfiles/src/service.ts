import { readFile } from 'node:fs/promises'
import { startStack } from '@filewright/testing'
import type { Options } from './options.js'

export interface Service {
  baseUrl: string
  token: string
  /** It existed before and is not stopped. */
  isForeign: boolean
  /** clamd's peak memory so far, in MB; null if it cannot be read. */
  clamdPeakMb: () => Promise<number | null>
  stop: () => Promise<void>
}

/** The service to upload to: a running one, or a new stack started like `npm start`. */
export async function openService({ service }: Options, say: (line: string) => void): Promise<Service> {
  if (service !== null) {
    return {
      baseUrl: service.url,
      token: service.token,
      isForeign: true,
      clamdPeakMb: async () => null,
      stop: async () => {}
    }
  }
  say('Starting the stack…')
  const stack = await startStack()
  return {
    baseUrl: stack.baseUrl,
    token: stack.token,
    isForeign: false,
    clamdPeakMb: async () => await peakMb(stack.pid('clamd')),
    stop: async () => {
      await stack.stop()
    }
  }
}

async function peakMb(pid: number | undefined): Promise<number | null> {
  if (pid === undefined) return null
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kb = /^VmHWM:\s+(\d+)/m.exec(status)?.[1]
  return kb === undefined ? null : Math.round(Number(kb) / 1024)
}
