import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChildSpec } from '../../src/managed-child.js'

/** A child that runs a line of JavaScript; it counts as ready once it has written to its log. */
export function scriptSpec(
  folder: string,
  name: string,
  script: string,
  more: Partial<ChildSpec> = {}
): ChildSpec {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, script)
  return {
    name,
    tier: 'base',
    command: process.execPath,
    args: [file],
    env: process.env,
    logFile: join(folder, `${name}.log`),
    ipc: true,
    ready: async () => null,
    readyTimeoutMs: 10_000,
    ...more
  }
}
