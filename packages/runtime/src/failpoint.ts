import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A named point where a test can kill this process or make its disk fail. `FAILPOINTS` names a folder. A file
 * in it with the point's name has one action per line, each used once: `kill`, or the code of an error to
 * throw, such as `EIO`. Every call carries the label `FAILPOINT:`, and the shipped bundles are built without
 * statements of that label.
 */
export function failpoint(name: string): void {
  const folder = process.env['FAILPOINTS']
  if (folder === undefined || folder === '') return
  const path = join(folder, name)
  let actions: string[]
  try {
    actions = readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  } catch {
    return // not armed
  }
  const [action, ...left] = actions
  // Logged before the call, so a test can tell that the failpoint was reached.
  if (left.length === 0) rmSync(path, { force: true })
  else writeFileSync(path, left.join('\n'))
  if (action === 'kill') process.kill(process.pid, 'SIGKILL')
  else if (action !== undefined) {
    throw Object.assign(new Error(`${action} at failpoint ${name}`), { code: action, syscall: 'failpoint' })
  }
}
