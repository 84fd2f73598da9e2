import { Type, type Static } from '@filewright/schema'

export const ErrorResponse = Type.Object({ error: Type.String() }, { additionalProperties: false })
export type ErrorResponse = Static<typeof ErrorResponse>
