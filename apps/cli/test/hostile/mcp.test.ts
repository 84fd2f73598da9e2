import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { BIDI, COMMANDS, EVIL } from './fields.js'
import { createSandbox, OBEYED } from './sandbox.js'
import { FILE_ID, honest } from './server.js'

t.setTimeout(60_000)

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url))
const { hostile, shell } = await createSandbox(t)

interface Result {
  content: Array<{ text: string }>
  isError?: boolean
}

/** The command as an editor starts it. Each line of its output is checked. */
async function startMcp(t: Test): Promise<(tool: string, args: object) => Promise<Result>> {
  const child = spawn(process.execPath, [MAIN, 'mcp', '--allow-write'], {
    cwd: shell.cwd,
    env: { ...shell.env, PATH: process.env.PATH },
    stdio: ['pipe', 'pipe', 'pipe']
  })
  let notes = ''
  child.stderr.on('data', (chunk) => {
    notes += String(chunk)
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  t.teardown(async () => {
    child.stdin.end()
    await once(child, 'exit')
  })
  let id = 0
  const request = async (method: string, params: object): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`)
    const { value = '' } = await lines.next()
    t.notMatch(String(value) + notes, OBEYED, `${method}: no such byte is on the wire`)
    return (JSON.parse(value as string) as { result: unknown }).result
  }
  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' }
  })
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
  return async (name, args) => (await request('tools/call', { name, arguments: args })) as Result
}

const code = { code: 'x', language: 'js' }
const calls: Array<[string, object]> = [
  ['analyze_code', code],
  ['optimize_code', code],
  ['list_files', {}],
  ['list_files', { project: 'p' }],
  ['upload_file', { project: 'p', name: 'x.txt', text: 'x' }],
  ['read_file', { id: FILE_ID }],
  ['delete_file', { id: FILE_ID }],
  ['restore_file', { id: FILE_ID }],
  ['move_file', { id: FILE_ID, name: 'x.txt' }]
]

t.test('an agent gets the results of an honest server', async (t) => {
  const call = await startMcp(t)
  hostile.say({})
  for (const [tool, args] of calls) t.notOk((await call(tool, args)).isError, tool)
})

t.test('no text from a server reaches an agent, or its terminal, as a control sequence', async (t) => {
  const call = await startMcp(t)
  hostile.say({
    '/api/ai/analyze/json': {
      analysis: [{ type: 'warning', message: EVIL, line: 1 }],
      score: 1,
      suggestions: [EVIL]
    },
    '/api/ai/optimize': {
      optimized_code: EVIL,
      changes: [{ type: 'refactor', description: EVIL, line: 1 }],
      improvements: [EVIL]
    },
    '/api/files': {
      ...honest['/api/files'],
      files: honest['/api/files'].files.map((file) => ({ ...file, description: EVIL }))
    }
  })
  for (const [tool, args] of calls) {
    const { content } = await call(tool, args)
    for (const { text } of content) t.notMatch(text, OBEYED, tool)
  }
  hostile.fail(400, { error: EVIL })
  for (const [tool, args] of calls) {
    const { content, isError } = await call(tool, args)
    t.ok(isError, tool)
    for (const { text } of content) t.notMatch(text, OBEYED, tool)
  }
})

t.test('file content is returned unchanged, and escaped on the wire', async (t) => {
  const call = await startMcp(t)
  const held = `${COMMANDS}${BIDI}\n`
  hostile.say({
    '/api/files/:id': { file: { ...honest['/api/files/:id'].file, size: Buffer.byteLength(held) } }
  })
  hostile.hold(Buffer.from(held))
  t.equal((await call('read_file', { id: FILE_ID })).content[0]?.text, held)
})
