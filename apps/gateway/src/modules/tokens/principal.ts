import type { Quota } from '@filewright/db'

/** Who asks, and which projects they may touch. */
export interface Principal {
  tokenId: string
  /** As the operator named the token. */
  tokenName: string
  projects: '*' | ReadonlySet<string>
  /** What the operator has set for this token; nulls where nothing is set. */
  quota: Quota
}

export function canAccess(principal: Principal, projectId: string): boolean {
  return principal.projects === '*' || principal.projects.has(projectId)
}
