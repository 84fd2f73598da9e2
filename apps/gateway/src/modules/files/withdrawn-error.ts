import { AppError } from '@filewright/runtime'

/** A stored file that a later scan withdrew. */
export const withdrawnError = (id: string): AppError =>
  new AppError('FILE_WITHDRAWN', `${id} was withdrawn`, {
    rejection: { code: 'withdrawn', reason: 'new signatures found malware in this file' }
  })
