import t from 'tap'
import { Type, type Static } from '@filewright/schema'
import { loadConfig, loggingConfig, systemClock } from '../src/index.js'

const Schema = Type.Object({
  ...loggingConfig,
  PORT: Type.Integer({ minimum: 1, maximum: 65_535, default: 3000 }),
  URL: Type.String({ minLength: 3 }),
  SECRET: Type.Optional(Type.String({ minLength: 16 })),
  ON: Type.Boolean({ default: false })
})

type Config = Static<typeof Schema>

t.test('reads numbers and booleans from strings and fills in defaults', async (t) => {
  const config = loadConfig<Config>(Schema, { URL: 'http://x', PORT: '8080', ON: 'true', UNRELATED: 'x' })

  t.strictSame(config, { URL: 'http://x', PORT: 8080, ON: true, LOG_LEVEL: 'info' })
})

t.test('an empty variable counts as absent', async (t) => {
  const config = loadConfig<Config>(Schema, { URL: 'http://x', PORT: '', ON: '' })

  t.match(config, { PORT: 3000, ON: false })
})

t.test('0 and 1 are booleans where a boolean is expected', async (t) => {
  t.equal(loadConfig<Config>(Schema, { URL: 'http://x', ON: '1' }).ON, true)
  t.equal(loadConfig<Config>(Schema, { URL: 'http://x', ON: '0' }).ON, false)
})

t.test('every wrong key is reported at once, and no value is printed', async (t) => {
  const error = t.throws(
    () => loadConfig<Config>(Schema, { PORT: 'eighty', ON: 'maybe', SECRET: 'hunter2', LOG_LEVEL: 'loud' }),
    { code: 'CONFIG_INVALID' }
  ) as Error

  for (const key of ['PORT', 'URL is required', 'ON', 'SECRET', 'LOG_LEVEL']) t.match(error.message, key)
  for (const value of ['eighty', 'maybe', 'hunter2', 'loud']) t.notMatch(error.message, value)
})

t.test('the system clock returns the time', async (t) => {
  const before = Date.now()

  const now = systemClock.now().getTime()

  t.ok(now >= before && now <= Date.now())
})
