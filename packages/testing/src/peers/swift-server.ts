import { execFile, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../free-port.js'
import { SWIFT_SCRIPT } from './swift-script.js'

const exec = promisify(execFile)

/** Debian's packages belong to Debian's Python, which may not be the first on the PATH. */
const PYTHON = '/usr/bin/python3'
const INSTALL = 'apt-get install --no-install-recommends python3-swift'
/** Test files run in parallel, and only one may install at a time. A new machine has no package lists. */
const INSTALL_SCRIPT = `
install () { apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 python3-swift; }
exec 9>"$1"
flock 9
install || { apt-get update && install; }`
const CREDENTIALS = { accessKeyId: 'test:tester', secretAccessKey: 'testing' }
const INSTALL_TIMEOUT_MS = 10 * 60_000

export interface SwiftServer {
  /** The address of its S3 interface. */
  readonly endpoint: string
  readonly region: string
  readonly credentials: { accessKeyId: string; secretAccessKey: string }
  createBucket: (name: string) => Promise<void>
  stop: () => Promise<void>
}

/** A private, real OpenStack Swift that speaks S3, on a free port of loopback and in a temporary folder. */
export async function startSwiftServer(): Promise<SwiftServer> {
  await ensureSwift()
  const [port, folder] = await Promise.all([freePort(), mkdtemp(join(tmpdir(), 'filewright-swift-'))])
  const child = spawn(PYTHON, ['-c', SWIFT_SCRIPT, folder, String(port)], { stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.on('data', (text: Buffer) => {
    said = (said + text.toString()).slice(-2_000)
  })
  const exited = once(child, 'exit')
  const started = await Promise.race([once(child.stdout, 'data').then(() => true), exited.then(() => false)])
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
    await rm(folder, { recursive: true, force: true })
  }
  if (!started) {
    await stop()
    throw new Error(
      `OpenStack Swift did not start. Its folder must be on a file system with extended attributes.\n${said}`
    )
  }
  const endpoint = `http://127.0.0.1:${port}`
  return {
    endpoint,
    region: 'us-east-1',
    credentials: CREDENTIALS,
    createBucket: async (name) => {
      const reply = await fetch(`${endpoint}/${name}`, { method: 'PUT', headers: signed('PUT', `/${name}`) })
      if (!reply.ok) throw new Error(`Swift made no bucket: ${reply.status} ${await reply.text()}`)
    },
    stop
  }
}

/** Signature version 2, which is short. */
function signed(method: string, path: string): Record<string, string> {
  const date = new Date().toUTCString()
  const text = `${method}\n\n\n${date}\n${path}`
  const signature = createHmac('sha1', CREDENTIALS.secretAccessKey).update(text).digest('base64')
  return { date, authorization: `AWS ${CREDENTIALS.accessKeyId}:${signature}` }
}

async function ensureSwift(): Promise<void> {
  if (await hasSwift()) return
  let reason = 'only root may install it'
  if (process.getuid?.() === 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    reason = await exec('sh', ['-c', INSTALL_SCRIPT, 'sh', join(tmpdir(), 'filewright-swift.lock')], {
      env,
      timeout: INSTALL_TIMEOUT_MS
    }).then(
      () => '',
      (error: Error) => error.message.slice(0, 500)
    )
  }
  if (await hasSwift()) return
  throw new Error(`These tests need OpenStack Swift as a real S3 server: ${INSTALL} (${reason})`)
}

async function hasSwift(): Promise<boolean> {
  return await exec(PYTHON, ['-c', 'import swift.proxy.server']).then(
    () => true,
    () => false
  )
}
