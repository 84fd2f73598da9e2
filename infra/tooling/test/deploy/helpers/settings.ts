import { DeliveryWorkerConfig } from '@filewright/delivery-worker'
import { GatewayConfig } from '@filewright/domain'
import { InferenceWorkerConfig } from '@filewright/inference-worker'
import { ScanWorkerConfig } from '@filewright/scan-worker'
import { loadConfig, type Environment } from '@filewright/runtime'

/** Variables that give access to the database. */
export const KEYS_TO_RECORDS = [
  'DATABASE_URL',
  'ACCESS_TOKEN',
  'ADMIN_PASSWORD',
  'POSTGRES_PASSWORD',
  'RECEIPT_KEY'
]

type Schema = Parameters<typeof loadConfig>[0] & { properties: object }
const schemas: Record<string, Schema> = {
  gateway: GatewayConfig,
  'scan-worker': ScanWorkerConfig,
  'inference-worker': InferenceWorkerConfig,
  'delivery-worker': DeliveryWorkerConfig
}

/** The problems that an app would report for this environment, one message each; none if it would start. */
export function problemsOf(app: string, env: Environment): string[] {
  const schema = schemas[app]
  if (schema === undefined) return [`${app} is not one of our apps`]
  const unknown = Object.keys(env)
    .filter((key) => !(key in schema.properties))
    .map((key) => `${app} reads no ${key}`)
  try {
    loadConfig(schema, env)
    return unknown
  } catch (error) {
    return [...unknown, (error as Error).message]
  }
}

/** What the app reads, with its defaults as strings. */
export function defaultsOf(app: string): Map<string, string | undefined> {
  return new Map(
    Object.entries(schemas[app]?.properties ?? {}).map(([key, property]) => {
      const { default: standard } = property as { default?: unknown }
      return [key, standard === undefined ? undefined : String(standard)]
    })
  )
}

/** Every variable that any of our processes reads. */
export const knownSettings = new Set(
  Object.values(schemas).flatMap(({ properties }) => Object.keys(properties))
)
