import { isAppError } from '@filewright/runtime'
import { runAdmin } from './admin.js'
import { createParts } from './parts.js'

const parts = createParts(process.env)
try {
  process.exitCode = await runAdmin(process.argv.slice(2), {
    parts, out: (text) => { process.stdout.write(`${text}\n`) }, err: (text) => { process.stderr.write(`${text}\n`) }
  })
} catch (error) {
  process.stderr.write(`${sentenceOf(error)}\n`)
  process.exitCode = 1
} finally {
  await parts.close()
}

/** Foreseen failures say enough in a line; the rest needs its stack. */
function sentenceOf (error: unknown): string {
  if (isAppError(error, 'DATABASE_UNAVAILABLE')) return 'The database does not answer. Try: npm run admin -- doctor'
  if (isAppError(error, 'QUEUE_UNAVAILABLE')) return 'Redis does not answer, or no worker is there. Try: npm run admin -- doctor'
  return isAppError(error) ? `${error.message}.` : String((error as Error).stack)
}
