import { Type, type Static, type TSchema } from '@filewright/schema'
import { limits } from './limits.js'

const exact = { additionalProperties: false }
const time = Type.String({ format: 'date-time' })
const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

const name = Type.String({ minLength: 1, maxLength: limits.tokenNameChars, description: 'For people' })
const projects = orNull(
  Type.Array(Type.String(), { minItems: 1 }),
  'The projects that the token can access; null means all'
)
const token = {
  id: Type.String({ description: 'Token identifier; not the secret' }),
  name,
  projects,
  is_operator: Type.Boolean({ description: 'Whether it can manage tokens' }),
  created_at: time,
  expires_at: orNull(time, 'When it expires; null if it does not expire'),
  revoked_at: orNull(time, 'When it was revoked; null while it is not'),
  max_files: orNull(Type.Integer({ minimum: 1 }), 'Quota of files; null without one'),
  max_bytes: orNull(Type.Integer({ minimum: 1 }), 'Quota of bytes; null without one')
}

export const TokenInfo = Type.Object(token, exact)
export type TokenInfo = Static<typeof TokenInfo>

export const TokensResponse = Type.Object(
  {
    tokens: Type.Array(TokenInfo),
    next: orNull(Type.String(), 'The value of `after` for the next page; null at the end')
  },
  exact
)
export type TokensResponse = Static<typeof TokensResponse>

export const ListTokensQuery = Type.Object({
  after: Type.Optional(Type.String({ description: 'The value of `next` from the previous page' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, description: `Page size, at most ${limits.pageSize.max}; default 20` })
  )
})
export type ListTokensQuery = Static<typeof ListTokensQuery>

export const MAX_TOKEN_DAYS = 99_999

export const CreateTokenRequest = Type.Object(
  {
    name,
    projects,
    expires_in_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_TOKEN_DAYS,
        description: 'Without it the token does not expire'
      })
    ),
    max_files: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Quota of files; without it the default of the service' })
    ),
    max_bytes: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Quota of bytes; without it the default of the service' })
    )
  },
  exact
)
export type CreateTokenRequest = Static<typeof CreateTokenRequest>

/** The only response with the secret. */
export const TokenSecretResponse = Type.Object(
  {
    token: Type.Object(
      { ...token, secret: Type.String({ description: 'The access token. Returned only in this response' }) },
      exact
    )
  },
  exact
)
export type TokenSecretResponse = Static<typeof TokenSecretResponse>

export const RevokeTokenResponse = Type.Object({ message: Type.String() }, exact)
export type RevokeTokenResponse = Static<typeof RevokeTokenResponse>

export interface TokenParams {
  id: string
}
