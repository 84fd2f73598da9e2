import type { MethodName } from './methods.js'

/** The size from which a job may take all the work. */
const fullWorkChars = 32_768
/** What the smallest job has of it. */
const leastShare = 0.2

/**
 * Of the processor, more than any method takes for the longest small input of published code. Running code
 * takes a third of a second for a function of one line.
 */
const smallCpuMs = 500
const smallRunCpuMs = 1_500

/**
 * Measured on public code on a busy machine: every method takes at most 0.3 s for 16 KiB, against 1 to 8 s
 * for 250 KiB. A syntax check costs less than the rest, and its limit is above what a model writes in one
 * answer (4,096 tokens).
 */
const smallChars = 16_384
const smallSyntaxChars = 65_536

/** Whether the process that is kept for small work may take the job. */
export function isSmallJob(method: MethodName, chars: number): boolean {
  return chars <= (method === 'checkSyntax' ? smallSyntaxChars : smallChars)
}

/** What a job may take on the process for small work while others wait for it. */
export function smallCpuMsOf(method: MethodName): number {
  return method === 'runCheck' ? smallRunCpuMs : smallCpuMs
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
