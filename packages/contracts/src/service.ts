import { Type, type Static } from '@filewright/schema'
import { partNotes } from './part-notes.js'

/** The service's components, in users' terms. */
export const serviceParts = ['records', 'queue', 'storage', 'scanner', 'models'] as const
export type ServicePartName = (typeof serviceParts)[number]

export const partStates = ['ok', 'degraded', 'down', 'unknown'] as const
export type PartState = (typeof partStates)[number]

const exact = { additionalProperties: false }
const limit = (description: string) =>
  Type.Integer({ minimum: 0, description: `${description}; 0 means no limit` })

const mostOf = (unit: string) =>
  Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    description: `Maximum ${unit}; null means no limit`
  })

export const ServicePart = Type.Object(
  {
    name: Type.Enum(serviceParts),
    state: Type.Enum(partStates),
    note: Type.Optional(
      Type.Enum(partNotes, {
        description:
          'Why it is degraded: the scanner detects only test files; a sandbox replaces the language model; some models are not installed'
      })
    )
  },
  exact
)
export type ServicePart = Static<typeof ServicePart>

export const ServiceResponse = Type.Object(
  {
    status: Type.Enum(['ok', 'degraded', 'unavailable'], {
      description: 'ok if every component is ok; unavailable if files cannot be uploaded'
    }),
    parts: Type.Array(ServicePart),
    limits: Type.Object(
      {
        requests_per_minute: limit('Requests of one token'),
        ai_requests_per_minute: limit('Generations, analyses and optimizations of one token'),
        uploads_at_once: limit('Concurrent uploads of one token'),
        file_bytes: Type.Integer({ minimum: 1, description: 'Largest file' }),
        trash_days: Type.Optional(
          Type.Integer({
            minimum: 0,
            description:
              'Number of days for which a deleted file can be restored; 0 means that a delete is permanent'
          })
        )
      },
      exact
    ),
    usage: Type.Object(
      {
        files: Type.Integer({ minimum: 0 }),
        bytes: Type.Integer({ minimum: 0 }),
        max_files: mostOf('files'),
        max_bytes: mostOf('bytes')
      },
      { ...exact, description: 'The files that this token has uploaded, and its quota' }
    ),
    token: Type.Object(
      {
        id: Type.Optional(Type.String({ description: 'As in the list of tokens' })),
        name: Type.String({ description: 'As the operator named it' }),
        is_local: Type.Boolean({ description: 'Whether this is the token that `npm start` printed' }),
        projects: Type.Optional(
          Type.Union([Type.Array(Type.String()), Type.Null()], {
            description: 'The projects that the token can access; null means all'
          })
        ),
        expires_at: Type.Optional(
          Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
            description: 'When the token expires; null if it does not expire'
          })
        ),
        is_operator: Type.Optional(Type.Boolean({ description: 'Whether the token can manage tokens' }))
      },
      { ...exact, description: 'The token of this request' }
    )
  },
  exact
)
export type ServiceResponse = Static<typeof ServiceResponse>
