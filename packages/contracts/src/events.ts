import { Type, type Static, type TObject, type TSchema } from '@filewright/schema'
import { rejectionCodes } from './rejections.js'

const exact = { additionalProperties: false }
const text = (description: string) => Type.String({ description })
const time = (description: string) => Type.String({ format: 'date-time', description })
const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

const ofProject = { project_id: text('Project') }
const ofFile = {
  ...ofProject,
  file_id: text('File'),
  name: text('File name'),
  folder: text('Folder, empty for the root'),
  size: Type.Integer({ minimum: 0, description: 'Size in bytes' })
}
const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Of the bytes' })
const ofGeneration = {
  generation_id: text('Generation'),
  kind: Type.Union([Type.Literal('generate'), Type.Literal('analyze'), Type.Literal('optimize')]),
  model: orNull(Type.String(), 'Model from the catalogue; null if the request named none'),
  tokens_used: orNull(Type.Integer({ minimum: 0 }), "By the model's count; null where none was asked"),
  duration_ms: Type.Integer({ minimum: 0, description: 'From the request to its end' })
}
const ofPart = { since: time('When the service noticed it') }

/** What an event's `data` contains, by its type. The triggers in `packages/db` write it. */
export const eventData = {
  'file.created': Type.Object(
    {
      ...ofFile,
      type: text('Media type, detected from the content'),
      sha256,
      scanned_at: time('When the scanner found it clean'),
      restored: Type.Boolean({ description: 'True for a restore from the trash, false for an upload' })
    },
    exact
  ),
  'file.deleted': Type.Object(
    {
      ...ofFile,
      permanent: Type.Boolean({ description: 'True if the file is not in the trash and cannot be restored' })
    },
    exact
  ),
  'file.withdrawn': Type.Object(
    {
      ...ofFile,
      project_id: text('Project that gets the event'),
      name: orNull(Type.String(), "File name; null where the file is another project's"),
      folder: orNull(Type.String(), "Folder; null where the file is another project's"),
      token_ids: Type.Array(Type.String(), {
        description: "Tokens that had downloaded the file; of another project's file, only the project's own"
      }),
      sha256,
      signature: orNull(Type.String(), 'Name of the malware'),
      engine: orNull(Type.String(), 'Scanner and its version'),
      verdict_at: time('When the scanner found it')
    },
    exact
  ),
  'file.rejected': Type.Object(
    {
      ...ofProject,
      name: text('File name'),
      code: Type.Enum([...rejectionCodes], { description: 'As in the X-Rejection header' }),
      reason: text('As in the X-Rejection header')
    },
    exact
  ),
  'project.quota.warning': Type.Object(
    {
      ...ofProject,
      threshold: Type.Union([Type.Literal(80), Type.Literal(100)], { description: 'Percent of the limit' }),
      unit: Type.Union([Type.Literal('files'), Type.Literal('bytes')]),
      used: Type.Integer({ minimum: 0, description: 'Also by files in the trash' }),
      limit: Type.Integer({ minimum: 0 })
    },
    exact
  ),
  'generation.completed': Type.Object(ofGeneration, exact),
  'generation.failed': Type.Object(
    { ...ofGeneration, error: orNull(Type.String(), 'Code of the failure') },
    exact
  ),
  'scanner.degraded': Type.Object(ofPart, exact),
  'scanner.recovered': Type.Object(ofPart, exact)
} satisfies Record<string, TObject>

export type EventType = keyof typeof eventData
export type EventData<T extends EventType = EventType> = Static<(typeof eventData)[T]>

export const eventTypes = Object.keys(eventData) as EventType[]

/** Only endpoints that the operator created get these. */
export const operatorEventTypes: EventType[] = ['scanner.degraded', 'scanner.recovered']
export const projectEventTypes = eventTypes.filter((type) => !operatorEventTypes.includes(type))

export const isEventType = (value: unknown): value is EventType => eventTypes.includes(value as EventType)

/** The body of a delivery, and the data of a server-sent event. */
export interface EventBody<T extends EventType = EventType> {
  type: T
  /** The time of the event: ISO 8601, UTC, with milliseconds. */
  timestamp: string
  data: EventData<T>
}

const bodyOf = <T extends EventType>(type: T) =>
  Type.Object(
    { type: Type.Literal(type), timestamp: time('When it happened'), data: eventData[type] },
    { ...exact, title: type }
  )

export const eventBodies = Object.fromEntries(eventTypes.map((type) => [type, bodyOf(type)])) as {
  [T in EventType]: ReturnType<typeof bodyOf<T>>
}
