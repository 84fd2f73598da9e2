import type { MethodName } from './methods.js'

/** The size from which a job may take all the work. */
const fullWorkChars = 32_768
/** What the smallest job has of it. */
const leastShare = 0.2

/**
 * Measured on public code on a busy machine: most methods take at most 0.3 s of the processor for 16 KiB, and
 * twice that in a new process. A syntax check costs less, and its limit is above what a model writes in one
 * answer (4,096 tokens). Fixes cost more: up to 2.5 s for 16 KiB.
 */
const smallChars = 16_384
const smallSyntaxChars = 65_536
const smallFixChars = 4_096

/** Of the processor: a job of a small size that takes more is slow. Running code takes more than reading it. */
const slowCpuMs = 500
const slowRunCpuMs = 1_500

/**
 * Of the processor: a job that takes more on the process for small work is ended when others wait. To start a
 * new process takes about as much.
 */
export const YIELD_CPU_MS = 1_500

export function slowCpuMsOf(method: MethodName): number {
  return method === 'runCheck' ? slowRunCpuMs : slowCpuMs
}

/** Whether the process that is kept for small work may take the job. */
export function isSmallJob(method: MethodName, chars: number): boolean {
  if (method === 'checkSyntax') return chars <= smallSyntaxChars
  return chars <= (method === 'fix' ? smallFixChars : smallChars)
}

/**
 * A small input that is expensive to analyze does not hold a process for as long as a large one may. Loading
 * parsers is not counted. Code that is run counts its own work, which takes half of the whole on a busy machine:
 * for it this is only the outer guard.
 */
export function maxCpuMsOf(
  { method, chars }: { method: MethodName; chars: number },
  maxCpuMs: number
): number {
  if (method === 'runCheck') return maxCpuMs
  return Math.ceil(maxCpuMs * Math.min(1, leastShare + ((1 - leastShare) * chars) / fullWorkChars))
}

export function charsOf(args: unknown[]): number {
  return args
    .flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : [value]))
    .reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
}
