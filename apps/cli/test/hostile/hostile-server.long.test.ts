import t from 'tap'
import { everyPoison, testFields } from './fields.js'
import { createSandbox } from './sandbox.js'

t.setTimeout(600_000)

testFields(t, await createSandbox(t), everyPoison)
