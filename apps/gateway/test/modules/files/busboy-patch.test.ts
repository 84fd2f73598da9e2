import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'

const run = promisify(execFile)

/** A form of two parts with room for one, which ends inside the second. */
const CUT_FORM = `
  const body = '--b\\r\\nContent-Disposition: form-data; name="a"\\r\\n\\r\\n1\\r\\n' +
    '--b\\r\\nContent-Disposition: form-data; name="c"\\r\\n\\r\\n2'
  const parser = new Busboy({ headers: { 'content-type': 'multipart/form-data; boundary=b' }, limits: { parts: 1 } })
  parser.on('error', () => {})
  parser.end(body)
  setTimeout(() => console.log('alive'), 50)`

const patch = new URL('../../../src/modules/files/busboy-patch.js', import.meta.url).href

const parseCutForm = async (first: string): Promise<string> => {
  const script = `import { Busboy } from '@fastify/busboy'\n${first}\n${CUT_FORM}`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
    cwd: new URL('.', import.meta.url)
  })
  return stdout.trim()
}

t.test('a form that ends inside a skipped part is an error of that form, not a crash', async (t) => {
  t.equal(
    await parseCutForm(`import { listenToSkippedParts } from '${patch}'\nlistenToSkippedParts()`),
    'alive'
  )
})

t.test(
  'without the patch such a form crashes the process: once it does not, the patch can be removed',
  async (t) => {
    await t.rejects(parseCutForm(''), { message: /Unhandled 'error' event/ })
  }
)
