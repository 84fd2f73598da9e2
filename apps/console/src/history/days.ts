import type { GenerationUsageResponse } from '@filewright/client/browser'

export interface DayUsage {
  day: string
  requests: number
  tokens: number
}

const DAY_MS = 86_400_000

/** Every day of the period, oldest first, those without requests too, with all models together. */
export function daysOf({ days, usage }: GenerationUsageResponse, today: Date): DayUsage[] {
  const end = Date.parse(today.toISOString().slice(0, 10))
  const all = new Map<string, DayUsage>()
  for (let i = days - 1; i >= 0; i--) {
    const day = new Date(end - i * DAY_MS).toISOString().slice(0, 10)
    all.set(day, { day, requests: 0, tokens: 0 })
  }
  for (const { day, requests, tokens } of usage) {
    const sum = all.get(day)
    if (sum === undefined) continue
    sum.requests += requests
    sum.tokens += tokens
  }
  return [...all.values()]
}
