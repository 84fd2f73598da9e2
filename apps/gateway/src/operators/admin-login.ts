import type { IncomingMessage } from 'node:http'
import type { Logger } from '@filewright/runtime'
import type { LoginGuard } from '../modules/limits/login-guard.js'
import { createBasicAuth } from './basic-auth.js'

export interface AdminLoginOptions {
  user: string
  /** Without a password, every login is refused. */
  password: string | undefined
  guard: LoginGuard
  logger: Logger
}

export type LoginResult = { is: 'admitted' } | { is: 'refused' } | { is: 'blocked'; seconds: number }

type Login = (request: IncomingMessage) => LoginResult

/**
 * Checks the password of a request. A password can be guessed, unlike a token, so an address with too many
 * failures has to wait, and does not learn whether a guess was right.
 */
export function createAdminLogin({ user, password, guard, logger }: AdminLoginOptions): Login {
  const isRight = password === undefined ? () => false : createBasicAuth(user, password)

  return ({ headers: { authorization }, socket: { remoteAddress: address = 'unknown' } }) => {
    // A browser first asks without a password. That is not a failure and is never blocked.
    if (authorization === undefined) return { is: 'refused' }
    const seconds = guard.blockedSeconds(address)
    if (seconds > 0) return { is: 'blocked', seconds }
    if (isRight(authorization)) return { is: 'admitted' }
    const mayGoOn = guard.failed(address)
    logger.warn({ address, blocked: !mayGoOn }, 'wrong password for the dashboard')
    return mayGoOn ? { is: 'refused' } : { is: 'blocked', seconds: guard.blockedSeconds(address) }
  }
}
