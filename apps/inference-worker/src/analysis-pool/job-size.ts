import type { MethodName } from './methods.js'

/** The size from which a job gets the full CPU limit. */
const fullWorkChars = 32_768
/** The smallest job's share of the limit. */
const leastShare = 0.2

/**
 * Measured on public code on a busy machine: most methods take at most 0.3 s of CPU time for 16 KiB, and
 * twice that in a new process. A syntax check costs less, and its limit is above what a model writes in one
 * response (4,096 tokens). Fixes cost more: up to 2.5 s for 16 KiB.
 */
const smallChars = 16_384
const smallSyntaxChars = 65_536
const smallFixChars = 4_096

/** CPU time above which a small job counts as slow. Running code takes more than reading it. */
const slowCpuMs = 500
const slowRunCpuMs = 1_500

/**
 * CPU time above which a job on the process for small jobs is ended when others wait. Starting a new process
 * takes about as much.
 */
export const YIELD_CPU_MS = 1_500

const runsCode = (method: MethodName): boolean => method === 'runCheck' || method === 'prove'

export function slowCpuMsOf(method: MethodName): number {
  return runsCode(method) ? slowRunCpuMs : slowCpuMs
}

/** Whether the process reserved for small jobs may take this job. */
export function isSmallJob(method: MethodName, chars: number): boolean {
  if (method === 'checkSyntax') return chars <= smallSyntaxChars
  return chars <= (method === 'fix' ? smallFixChars : smallChars)
}

/**
 * A small but expensive input does not occupy a process as long as a large one may. Loading parsers is not
 * counted. Code that is executed counts its own work, which takes half of the total on a busy machine; for it
 * this is only the outer guard.
 */
export function maxCpuMsOf(
  { method, chars }: { method: MethodName; chars: number },
  maxCpuMs: number
): number {
  if (runsCode(method)) return maxCpuMs
  return Math.ceil(maxCpuMs * Math.min(1, leastShare + ((1 - leastShare) * chars) / fullWorkChars))
}

export function charsOf(args: unknown[]): number {
  return args
    .flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : [value]))
    .reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
}
