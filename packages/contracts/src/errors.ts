import { Type, type Static } from 'typebox'

export const ErrorResponse = Type.Object({ error: Type.String() }, { additionalProperties: false })
export type ErrorResponse = Static<typeof ErrorResponse>
