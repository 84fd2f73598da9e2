import { Type, type Static } from 'typebox'

/** What the service stands on, in words of its users. */
export const serviceParts = ['records', 'queue', 'storage', 'scanner', 'models'] as const
export type ServicePartName = (typeof serviceParts)[number]

export const partStates = ['ok', 'degraded', 'down', 'unknown'] as const
export type PartState = (typeof partStates)[number]

const exact = { additionalProperties: false }
const limit = (description: string) =>
  Type.Integer({ minimum: 0, description: `${description}; 0 is no limit` })

export const ServicePart = Type.Object(
  {
    name: Type.Enum(serviceParts),
    state: Type.Enum(partStates),
    detail: Type.Optional(Type.String({ description: 'What stands behind it, such as a version' }))
  },
  exact
)
export type ServicePart = Static<typeof ServicePart>

export const ServiceResponse = Type.Object(
  {
    status: Type.Enum(['ok', 'degraded', 'unavailable'], { description: 'Of everything that files need' }),
    parts: Type.Array(ServicePart),
    limits: Type.Object(
      {
        requests_per_minute: limit('Requests of one token'),
        ai_requests_per_minute: limit('Generations, analyses and optimizations of one token'),
        uploads_at_once: limit('Uploads of one token under way'),
        file_bytes: Type.Integer({ minimum: 1, description: 'Largest file' })
      },
      exact
    ),
    dashboard_url: Type.Optional(
      Type.String({ description: "The operators' dashboard, where it is on the reader's own machine" })
    )
  },
  exact
)
export type ServiceResponse = Static<typeof ServiceResponse>
