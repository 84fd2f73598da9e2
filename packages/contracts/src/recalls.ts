import { Type, type Static } from '@filewright/schema'

const exact = { additionalProperties: false }
const timestamp = (description: string) => Type.String({ format: 'date-time', description })
const orNull = <T extends ReturnType<typeof Type.String>>(schema: T) => Type.Union([schema, Type.Null()])

/** A file that was clean when it was stored, and that newer signatures withdrew. */
export const Recall = Type.Object(
  {
    id: Type.String({ description: 'File identifier' }),
    project_id: orNull(
      Type.String({ description: 'Project of the file; null if the token has no access to it' })
    ),
    name: orNull(Type.String({ description: 'File name; null if the token has no access to the project' })),
    folder: orNull(Type.String({ description: 'Folder; null if the token has no access to the project' })),
    size: Type.Integer({ minimum: 0, description: 'In bytes' }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Of the bytes: finds copies' }),
    signature: orNull(Type.String({ description: 'Name of the malware' })),
    withdrawn_at: timestamp('When it was withdrawn'),
    downloaded_at: orNull(timestamp('When this token last downloaded it; null if it did not')),
    downloaders: Type.Integer({
      minimum: 0,
      description:
        'How many tokens had downloaded it; where the token cannot see the project, of its own projects'
    })
  },
  exact
)
export type Recall = Static<typeof Recall>

export const RecallsResponse = Type.Object({ recalls: Type.Array(Recall) }, exact)
export type RecallsResponse = Static<typeof RecallsResponse>

export const ListRecallsQuery = Type.Object({
  project_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, description: 'Only recalls that concern this project' })
  ),
  since: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'Only files withdrawn at this time or later; for the next page, pass `withdrawn_at` of the last recall'
    })
  ),
  after: Type.Optional(Type.String({ description: 'For the next page, pass `id` of the last recall' }))
})
export type ListRecallsQuery = Static<typeof ListRecallsQuery>
