import { AppError } from '@filewright/runtime'

export function errnoOf(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
  return typeof code === 'string' ? code : undefined
}

/** Full, broken, read-only or unmounted disks and exhausted file descriptors all mean: retry later. */
export function storageError(error: unknown, doing: string): unknown {
  if (error instanceof AppError || (error as NodeJS.ErrnoException | null)?.syscall === undefined) {
    return error
  }
  return new AppError('STORAGE_UNAVAILABLE', `${doing}: ${errnoOf(error) ?? 'disk error'}`, {
    cause: error,
    retryable: true
  })
}

export async function onDisk<T>(doing: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw storageError(error, doing)
  }
}
