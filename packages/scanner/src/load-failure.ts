/** Whether a thread could not load its modules. This means a broken installation, not a verdict. */
export function isLoadFailure(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
}
