import { createLogger } from '@filewright/runtime'

export const silentLogger = createLogger({ name: 'test', level: 'silent' })
