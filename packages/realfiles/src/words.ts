/** A list that reads better without quotes. */
export const wordsOf = (text: string): string[] => text.trim().split(/\s+/)
