import type { Quota } from '@filewright/db'

/** The caller, and the projects it may access. */
export interface Principal {
  tokenId: string
  /** The name that the operator gave the token. */
  tokenName: string
  projects: '*' | ReadonlySet<string>
  expiresAt: Date | null
  /** The quota that the operator set for this token; null for each limit that is not set. */
  quota: Quota
  /** May manage tokens. */
  isOperator: boolean
}

export function canAccess(principal: Principal, projectId: string): boolean {
  return principal.projects === '*' || principal.projects.has(projectId)
}
