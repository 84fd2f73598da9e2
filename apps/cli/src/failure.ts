import {
  ConnectionError,
  FilewrightError,
  ForbiddenError,
  NotFoundError,
  UnauthorizedError
} from '@filewright/client'
import { explainFailure, reasons } from '@filewright/contracts'

export const exitCodes = { done: 0, failed: 1, findings: 2, usage: 3, notLoggedIn: 4 } as const

/** Ends the command with a message for the user. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message)
    this.exitCode = exitCode
  }
}

const systemErrors: Record<string, string> = {
  ENOENT: 'there is no such file or folder; check the path',
  EACCES: 'you may not read or write it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  ENOSPC: 'the disk is full'
}

/** What happened and what to do next, as one sentence. */
export function sentenceOf(error: unknown): string {
  if (error instanceof UnauthorizedError) {
    return `${reasons.unauthorized.title}; get a new one and run: filewright login`
  }
  if (error instanceof ConnectionError) {
    return `${error.message}; check the address, or start the local server with: npm start`
  }
  if (error instanceof ForbiddenError && error.message === 'Forbidden') {
    return `${explainFailure(error)}; ask for one that does and run: filewright login`
  }
  if (error instanceof NotFoundError) {
    const list = error.message.startsWith('Webhook')
      ? 'webhooks with: filewright webhooks ls'
      : 'files with: filewright ls'
    return `${error.message}; list existing ${list}`
  }
  if (error instanceof FilewrightError) return explainFailure(error)
  if (error instanceof Error && 'code' in error && 'path' in error) {
    const known = systemErrors[String(error.code)]
    if (known !== undefined) return `${String(error.path)}: ${known}`
  }
  return error instanceof Error ? error.message : String(error)
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof Failure) return error.exitCode
  return error instanceof UnauthorizedError ? exitCodes.notLoggedIn : exitCodes.failed
}
