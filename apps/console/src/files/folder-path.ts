const MAX_BYTES = 512

/** The service's rule for folders; empty for the root. */
export function isFolderPath(path: string): boolean {
  return (
    !/[\\\p{Cc}\p{Cs}]/u.test(path) &&
    new TextEncoder().encode(path).length <= MAX_BYTES &&
    path
      .replace(/^\/+|\/+$/g, '')
      .split('/')
      .every((part, _i, all) => part !== '.' && part !== '..' && (part !== '' || all.length === 1))
  )
}
