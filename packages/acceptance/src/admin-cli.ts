import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const script = resolve(
  fileURLToPath(new URL('.', import.meta.url)),
  '../../../../infra/tooling/bin/admin.mjs'
)

/** `npm run admin -- …` on the stack of this data folder; returns its JSON output. */
export async function admin(dataDir: string, ...args: string[]): Promise<any> {
  const { stdout } = await run(process.execPath, [script, ...args, '--json'], {
    env: { ...process.env, DATA_DIR: dataDir }
  })
  return JSON.parse(stdout)
}
