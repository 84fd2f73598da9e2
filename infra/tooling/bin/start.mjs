import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT, bootstrap, loadEnvFile } from './lib/bootstrap.mjs'
import { runMain } from './lib/failure.mjs'

/**
 * npm runs scripts through a shell. Some shells stay in between and die of the SIGTERM that npm hands them
 * without passing it on: then nobody waits for this process any more, and it stops as if it had been asked
 * itself.
 */
function stopWithShell() {
  const shell = process.ppid
  setInterval(() => {
    if (process.ppid !== shell) process.kill(process.pid, 'SIGTERM')
  }, 250).unref()
}

await runMain(async () => {
  if (process.env.npm_lifecycle_event !== undefined) stopWithShell()
  await bootstrap()
  loadEnvFile()
  // In the same process, so that a signal reaches the supervisor directly.
  await import(pathToFileURL(join(ROOT, 'infra', 'local', 'dist', 'bundle', 'main.js')).href)
})
