import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { appArguments } from '@filewright/runtime'

export const ROOT = resolve(fileURLToPath(new URL('.', import.meta.url)), '../../../../..')

export type AppName = 'gateway' | 'scan-worker' | 'inference-worker'

/** An app without a supervisor. */
export interface App {
  readonly pid: number
  isRunning: () => boolean
  output: () => string
  /** Resolves with the exit code when it has ended. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

/** Builds the bundles for these apps if they are missing: the shipped bundles, with failpoints. */
export async function bundleWithFailpoints(): Promise<void> {
  if (await areFailpointsBundled()) return
  await promisify(execFile)(process.execPath, [
    join(ROOT, 'infra', 'tooling', 'scripts', 'bundle.mjs'),
    '--failpoints'
  ])
}

/** Both are built from the same compiled files. The shipped bundle is rebuilt after every change. */
async function areFailpointsBundled(): Promise<boolean> {
  const madeAt = async (workspace: string, kind: 'bundle' | 'failpoints'): Promise<number> =>
    await stat(join(ROOT, workspace, 'dist', kind, 'package.json')).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0
    )
  const workspaces = [
    'apps/gateway',
    'apps/scan-worker',
    'apps/inference-worker',
    'apps/delivery-worker',
    'infra/local'
  ]
  const fresh = workspaces.map(
    async (each) => (await madeAt(each, 'failpoints')) > (await madeAt(each, 'bundle'))
  )
  return (await Promise.all(fresh)).every(Boolean)
}

export function startApp(name: AppName, env: NodeJS.ProcessEnv): App {
  const child = spawn(process.execPath, appArguments(ROOT, name, 'failpoints'), {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...env },
    // The channel closes with this process, however it ends, and the app then stops by itself.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc']
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const exited = once(child, 'exit') as Promise<[number | null]>
  let running = true
  void exited.then(() => {
    running = false
  })
  return {
    pid: child.pid ?? 0,
    isRunning: () => running,
    output: () => output,
    stop: async (signal = 'SIGTERM') => {
      if (running) child.kill(signal)
      return (await exited)[0]
    }
  }
}
