/** By how often a blob is read. All are readable at once; each store has names of its own for them. */
export const storageClasses = ['standard', 'cool', 'cold'] as const
export type StorageClass = (typeof storageClasses)[number]

/** What a bucket's rules for cost and expiry can go by. A folder has no such rules. */
export interface Placement {
  /** Default: the bucket's. */
  storageClass?: StorageClass | undefined
  projectId?: string | undefined
  fileId?: string | undefined
}

const KEYS = { projectId: 'filewright-project', fileId: 'filewright-file' } as const

/** Object tags. All stores accept these characters; others become `_`. */
export function tagsOf(placement: Placement): Record<string, string> {
  const tags: Record<string, string> = {}
  for (const field of ['projectId', 'fileId'] as const) {
    const value = placement[field]
    if (value !== undefined) tags[KEYS[field]] = value.replace(/[^A-Za-z0-9 +.:=_-]/g, '_').slice(0, 256)
  }
  return tags
}
