import { createInterface } from 'node:readline/promises'
import { safeText } from '@filewright/contracts'
import { isAppError } from '@filewright/runtime'
import { runAdmin } from './admin.js'
import { createAdapters } from './adapters.js'

/** Messages name the command of a checkout. Containers have no npm and set their own command. */
const { ADMIN_COMMAND: command = 'npm run admin --' } = process.env
const named = (text: string): string => text.replaceAll('npm run admin --', command)

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await lines.question(question)).trim()
  } finally {
    lines.close()
  }
}

const adapters = createAdapters(process.env)
try {
  process.exitCode = await runAdmin(process.argv.slice(2), {
    adapters,
    out: (text) => {
      process.stdout.write(`${named(text)}\n`)
    },
    err: (text) => {
      process.stderr.write(`${named(text)}\n`)
    },
    ask: process.stdin.isTTY && process.stderr.isTTY ? ask : undefined
  })
} catch (error) {
  process.stderr.write(`${named(safeText(sentenceOf(error)))}\n`)
  process.exitCode = 1
} finally {
  await adapters.close()
}

/** An expected failure is explained by its message; any other needs its stack trace. */
function sentenceOf(error: unknown): string {
  if (isAppError(error, 'DATABASE_UNAVAILABLE')) {
    return 'The database does not answer. Try: npm run admin -- doctor'
  }
  if (isAppError(error, 'QUEUE_UNAVAILABLE')) {
    return 'Redis does not answer, or no worker is there. Try: npm run admin -- doctor'
  }
  if (isAppError(error, 'WEBHOOKS_OFF')) {
    return 'WEBHOOK_KEY is not set, and without it there are no webhooks. Set the one of the gateways.'
  }
  return isAppError(error) ? `${error.message}.` : String((error as Error).stack)
}
