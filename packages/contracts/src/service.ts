import { Type, type Static } from '@filewright/schema'
import { partNotes } from './part-notes.js'

/** The service's components, in users' terms. */
export const serviceParts = ['records', 'queue', 'storage', 'scanner', 'models'] as const
export type ServicePartName = (typeof serviceParts)[number]

export const partStates = ['ok', 'degraded', 'down', 'unknown'] as const
export type PartState = (typeof partStates)[number]

const exact = { additionalProperties: false }
const limit = (description: string) =>
  Type.Integer({ minimum: 0, description: `${description}; 0 is no limit` })

const mostOf = (unit: string) =>
  Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description: `Most ${unit}; null is no limit` })

export const ServicePart = Type.Object(
  {
    name: Type.Enum(serviceParts),
    state: Type.Enum(partStates),
    note: Type.Optional(
      Type.Enum(partNotes, {
        description:
          'Why it is degraded: the scanner knows test files only; a sandbox answers instead of a language model; some models are not installed'
      })
    )
  },
  exact
)
export type ServicePart = Static<typeof ServicePart>

export const ServiceResponse = Type.Object(
  {
    status: Type.Enum(['ok', 'degraded', 'unavailable'], {
      description: 'ok when every part is; unavailable when files cannot be uploaded'
    }),
    parts: Type.Array(ServicePart),
    limits: Type.Object(
      {
        requests_per_minute: limit('Requests of one token'),
        ai_requests_per_minute: limit('Generations, analyses and optimizations of one token'),
        uploads_at_once: limit('Uploads of one token under way'),
        file_bytes: Type.Integer({ minimum: 1, description: 'Largest file' }),
        trash_days: Type.Optional(
          Type.Integer({
            minimum: 0,
            description: 'Days for which a deleted file can be restored; 0: a delete is final'
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
        name: Type.String({ description: 'As the operator named it' }),
        is_local: Type.Boolean({ description: 'Whether it is the token that `npm start` printed' }),
        projects: Type.Optional(
          Type.Union([Type.Array(Type.String()), Type.Null()], {
            description: 'The projects that it opens; null is all'
          })
        ),
        expires_at: Type.Optional(
          Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
            description: 'When the service stops accepting it; null is never'
          })
        )
      },
      { ...exact, description: 'The token of this request' }
    )
  },
  exact
)
export type ServiceResponse = Static<typeof ServiceResponse>
