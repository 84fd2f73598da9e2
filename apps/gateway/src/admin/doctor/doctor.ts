import { table, type AdminParts, type Answer } from '../command.js'
import { broken, reasonOf, type Check, type CheckResult } from './check.js'
import { migrationsCheck, postgresCheck } from './database-checks.js'
import { ollamaCheck } from './model-check.js'
import { configurationCheck, gatewayCheck, nodeCheck } from './process-checks.js'
import { inferenceWorkerCheck, redisCheck, scanWorkerCheck } from './queue-checks.js'
import { clamdCheck } from './scanner-check.js'
import { blobStoreCheck, diskCheck } from './storage-checks.js'

const checks: Check[] = [
  nodeCheck, configurationCheck, postgresCheck, migrationsCheck, redisCheck, clamdCheck, blobStoreCheck, diskCheck, ollamaCheck,
  gatewayCheck, scanWorkerCheck, inferenceWorkerCheck
]

/** Every part is asked itself, whatever the others say: one broken thing must not hide the next. */
export async function doctor ({ env }: AdminParts): Promise<Answer> {
  const results = await Promise.all(checks.map(async ({ name, run }): Promise<CheckResult & { name: string }> => {
    try {
      return { name, ...await run(env) }
    } catch (error) {
      return { name, ...broken(reasonOf(error), 'This should not happen: the check itself failed.') }
    }
  }))
  const failed = results.some(({ status }) => status === 'broken')
  const rows = results.map(({ name, status, found }) => [status === 'broken' ? 'BROKEN' : status, name, found])
  const advice = results.flatMap(({ name, advice }) => advice === undefined ? [] : [`${name}: ${advice}`])
  return {
    json: { ok: !failed, checks: results },
    text: [table(['STATE', 'PART', 'FOUND'], rows), ...(advice.length === 0 ? [] : [`What to do\n${advice.map((line) => `  ${line}`).join('\n')}`])].join('\n\n'),
    failed
  }
}
