import { Type, Value, type TSchema } from '@filewright/schema'
import { AppError } from './errors.js'

export type Environment = Readonly<Record<string, string | undefined>>

const INTEGER = /^-?\d+$/

/**
 * Environment values are strings: converts them to the schema's type, and leaves invalid ones for the check
 * to report.
 */
function fromText(schema: TSchema, text: string): unknown {
  const type = (schema as { type?: string }).type
  if ((type === 'integer' || type === 'number') && INTEGER.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === '1')) return true
  if (type === 'boolean' && (text === 'false' || text === '0')) return false
  return text
}

/**
 * As created by `Type.Object`. Loosely typed on purpose: inferring schema types takes the compiler many
 * seconds per package.
 */
type ObjectSchema = TSchema & { properties: Record<string, TSchema>; required?: string[] }

/**
 * Reads the schema's keys from the environment: `loadConfig<GatewayConfig>(GatewayConfig, env)`. An empty
 * variable counts as absent, as in compose files. Every wrong key is reported at once. No value is ever
 * printed, because any of them may be a secret.
 */
export function loadConfig<C>(schema: TSchema, env: Environment): C {
  const { properties, required = [] } = schema as ObjectSchema
  const values: Record<string, unknown> = {}
  for (const [key, property] of Object.entries(properties)) {
    const text = env[key]
    if (text !== undefined && text !== '') values[key] = fromText(property, text)
  }
  const config = Value.Default(schema, values) as Record<string, unknown>
  if (Value.Check(schema, config)) return config as C

  const problems = Object.entries(properties).flatMap(([key, property]) => {
    if (config[key] === undefined) return required.includes(key) ? [`${key} is required`] : []
    return Value.Check(property, config[key]) ? [] : [`${key} ${ruleOf(property, config[key])}`]
  })
  throw new AppError('CONFIG_INVALID', `Invalid configuration: ${problems.join('; ')}`)
}

/** The rule that a value violates, as the end of a sentence. */
function ruleOf(property: TSchema, value: unknown): string {
  const choices = (property as { anyOf?: Array<{ const?: unknown }> }).anyOf?.map((choice) => choice.const)
  return choices === undefined
    ? (Value.Errors(property, value)[0]?.message ?? 'is invalid')
    : `must be one of ${choices.join(', ')}`
}

/** Kinds of settings, each with its default and its description. */
export const setting = {
  integer: (standard: number, [minimum, maximum]: readonly [number, number?], description: string) =>
    Type.Integer({ minimum, ...(maximum === undefined ? {} : { maximum }), default: standard, description }),
  flag: (standard: boolean, description: string) => Type.Boolean({ default: standard, description }),
  /** Text without a default. */
  optional: (description: string, rules: { minLength?: number; pattern?: string } = {}) =>
    Type.Optional(Type.String({ ...rules, description }))
}

/** Configuration that more than one app reads. */
export const loggingConfig = {
  LOG_LEVEL: Type.Union(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].map((level) => Type.Literal(level)),
    { default: 'info', description: 'Least severe level that is logged' }
  ),
  LOG_PRETTY: Type.Optional(
    Type.Boolean({ description: 'Human-readable log lines instead of JSON; default: on a terminal' })
  )
}

export const stopConfig = {
  STOP_GRACE_MS: setting.integer(
    8_000,
    [1],
    'Longest time to finish running work after SIGTERM; must be shorter than the orchestrator waits before it kills'
  )
}

export const tracingConfig = {
  OTEL_EXPORTER_OTLP_ENDPOINT: setting.optional(
    'OpenTelemetry collector (OTLP over HTTP) that receives the traces, e.g. http://localhost:4318; without it nothing is traced',
    { pattern: '^https?://' }
  )
}
