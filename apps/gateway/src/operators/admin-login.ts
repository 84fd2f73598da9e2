import type { IncomingMessage } from 'node:http'
import type { Logger } from '@filewright/runtime'
import type { LoginGuard } from '../modules/limits/login-guard.js'
import { createBasicAuth } from './basic-auth.js'

export interface AdminLoginOptions {
  user: string
  /** Without one nobody gets in. */
  password: string | undefined
  guard: LoginGuard
  logger: Logger
}

export type LoginResult = { is: 'admitted' } | { is: 'refused' } | { is: 'blocked'; seconds: number }

type Login = (request: IncomingMessage) => LoginResult

/**
 * Checks the password of a request. Unlike a token a password can be guessed, so an address that has failed
 * too often waits, and is not told meanwhile whether a guess is right.
 */
export function createAdminLogin({ user, password, guard, logger }: AdminLoginOptions): Login {
  const isRight = password === undefined ? () => false : createBasicAuth(user, password)

  return ({ headers: { authorization }, socket: { remoteAddress: address = 'unknown' } }) => {
    // A browser asks without a password first: that is no failure, and never blocked.
    if (authorization === undefined) return { is: 'refused' }
    const seconds = guard.blockedSeconds(address)
    if (seconds > 0) return { is: 'blocked', seconds }
    if (isRight(authorization)) return { is: 'admitted' }
    const mayGoOn = guard.failed(address)
    logger.warn({ address, blocked: !mayGoOn }, 'wrong password for the dashboard')
    return mayGoOn ? { is: 'refused' } : { is: 'blocked', seconds: guard.blockedSeconds(address) }
  }
}
