import { createDatabase } from '@filewright/db'
import { isAppError } from '@filewright/runtime'
import { runAdmin } from './admin.js'

const url = process.env['DATABASE_URL']
if (url === undefined || url === '') {
  process.stderr.write('DATABASE_URL is not set: it names the PostgreSQL database of the service.\n')
  process.exit(1)
}
const database = createDatabase({ url, poolSize: 1 })
try {
  process.exitCode = await runAdmin(process.argv.slice(2), { database, out: (text) => { process.stdout.write(`${text}\n`) }, err: (text) => { process.stderr.write(`${text}\n`) } })
} catch (error) {
  process.stderr.write(`${isAppError(error, 'DATABASE_UNAVAILABLE') ? 'The database does not answer.' : String(error)}\n`)
  process.exitCode = 1
} finally {
  await database.close()
}
