import type { GenerationSummary } from './history.js'

/** Who answered a request, in the words of the console and the command line. */
export function answererOf({ engine, model }: Pick<GenerationSummary, 'engine' | 'model'>): string {
  if (engine === 'static') return 'analyzers'
  if (engine === 'sandbox') return 'sandbox'
  return [...(model === null ? [] : [model]), ...(engine === 'model+static' ? ['analyzers'] : [])].join(', ')
}

/** A token's expiry, in the words of the console and the command line. */
export const expiryText = (at: string | null, format: (time: string) => string): string =>
  at === null ? 'never expires' : format(at)

/** What is used of a quota, in the words of the console and the command line. */
export const quotaText = (used: number, most: number | null, format: (value: number) => string): string =>
  most === null ? `${format(used)}, no quota` : `${format(used)} of ${format(most)}`
