/** Who asks, and which projects they may touch. */
export interface Principal {
  tokenId: string
  projects: '*' | ReadonlySet<string>
}

export function canAccess (principal: Principal, projectId: string): boolean {
  return principal.projects === '*' || principal.projects.has(projectId)
}
