import type { Environment } from '@filewright/runtime'

export type CheckStatus = 'ok' | 'warning' | 'broken' | 'skipped'

export interface CheckResult {
  status: CheckStatus
  found: string
  /** What to do about it. */
  advice?: string
}

export interface Check {
  name: string
  run: (env: Environment) => Promise<CheckResult>
}

export const ok = (found: string): CheckResult => ({ status: 'ok', found })
export const warning = (found: string, advice: string): CheckResult => ({ status: 'warning', found, advice })
export const broken = (found: string, advice: string): CheckResult => ({ status: 'broken', found, advice })
export const skipped = (found: string): CheckResult => ({ status: 'skipped', found })

/** An empty variable counts as not set. */
export function settingOf(env: Environment, name: string): string | undefined {
  const value = env[name]
  return value === '' ? undefined : value
}

/** The first line: drivers append stack traces. Removes passwords from URLs. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return (text.trim().split('\n')[0] ?? '').replace(/\/\/[^/@\s]*@/g, '//')
}
