/**
 * Whether a thread could not even load its modules: an installation at fault, and no verdict on what it was
 * to read.
 */
export function isLoadFailure(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
}
