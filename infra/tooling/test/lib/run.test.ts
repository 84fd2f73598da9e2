import { spawn } from 'node:child_process'
import { once } from 'node:events'
import t from 'tap'

const library = new URL('../../../bin/lib/run.mjs', import.meta.url).href
/** A program that ignores SIGTERM, as npm during an install. */
const STUBBORN = "process.on('SIGTERM', () => {}); console.log(process.pid); setInterval(() => {}, 1000)"

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

t.test('a program that ignores a signal is killed when the user asks again', async (t) => {
  const runner = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { run } from ${JSON.stringify(library)}
       await run(process.execPath, ['-e', ${JSON.stringify(STUBBORN)}], { onStdout: (text) => process.stdout.write(text) })`
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] }
  )
  t.teardown(() => runner.kill('SIGKILL'))
  const [text] = await once(runner.stdout, 'data')
  const pid = Number(text)
  t.ok(isAlive(pid))

  runner.kill('SIGTERM')
  await new Promise((resolve) => setTimeout(resolve, 200))
  t.ok(isAlive(pid), 'it has some time to end by itself')
  runner.kill('SIGTERM')
  const [code] = await once(runner, 'exit')

  t.equal(code, 128 + 15)
  t.notOk(isAlive(pid))
})
