import { execFile, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { freePort } from '../free-port.js'

const exec = promisify(execFile)

/** Not one of our dependencies: it needs 200 MB of packages that nothing else uses. */
const PACKAGE = 'azurite@3.35.0'
const FOLDER = fileURLToPath(
  new URL(`../../../../../node_modules/.cache/filewright/${PACKAGE.replace('@', '-')}`, import.meta.url)
)
/** Test files run in parallel, and only one may install at a time. */
const INSTALL_SCRIPT = `
exec 9>"$1/install.lock"
flock 9
[ -e "$1/node_modules/azurite/package.json" ] || npm install --prefix "$1" --no-save --no-audit --no-fund ${PACKAGE}`
const INSTALL_TIMEOUT_MS = 10 * 60_000

/** Published by Microsoft for the emulator. */
const ACCOUNT = 'devstoreaccount1'
const ACCOUNT_KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

export interface AzuriteServer {
  /** With the account in its path. */
  readonly endpoint: string
  readonly account: string
  readonly accountKey: string
  createContainer: (name: string) => Promise<void>
  stop: () => Promise<void>
}

/** Microsoft's emulator of Azure Blob Storage, on a free port of loopback and in a temporary folder. */
export async function startAzuriteServer(): Promise<AzuriteServer> {
  const main = await ensureAzurite()
  const [port, folder] = await Promise.all([freePort(), mkdtemp(join(tmpdir(), 'filewright-azurite-'))])
  const child = spawn(
    process.execPath,
    // It refuses versions of the protocol that are newer than itself.
    [main, '--blobHost', '127.0.0.1', '--blobPort', String(port), '--location', folder].concat(
      '--skipApiVersionCheck',
      '--disableTelemetry',
      '--silent'
    ),
    { stdio: ['ignore', 'pipe', 'pipe'] }
  )
  let said = ''
  const exited = once(child, 'exit')
  const listening = new Promise<boolean>((resolve) => {
    const listen = (text: Buffer): void => {
      said = (said + text.toString()).slice(-2_000)
      if (said.includes('successfully listen')) resolve(true)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    void exited.then(() => resolve(false))
  })
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
    await rm(folder, { recursive: true, force: true })
  }
  if (!(await listening)) {
    await stop()
    throw new Error(`Azurite did not start.\n${said}`)
  }
  const endpoint = `http://127.0.0.1:${port}/${ACCOUNT}`
  return {
    endpoint,
    account: ACCOUNT,
    accountKey: ACCOUNT_KEY,
    createContainer: async (name) => {
      const reply = await fetch(`${endpoint}/${name}?restype=container`, {
        method: 'PUT',
        headers: signedForCreate(name)
      })
      if (!reply.ok) throw new Error(`Azurite made no container: ${reply.status} ${await reply.text()}`)
    },
    stop
  }
}

function signedForCreate(name: string): Record<string, string> {
  const headers = { 'x-ms-date': new Date().toUTCString(), 'x-ms-version': '2021-12-02' }
  const text = [
    'PUT',
    ...Array.from({ length: 11 }, () => ''),
    ...Object.entries(headers).map(([header, value]) => `${header}:${value}`),
    // The account is in the path of the emulator as well.
    `/${ACCOUNT}/${ACCOUNT}/${name}`,
    'restype:container'
  ].join('\n')
  const signature = createHmac('sha256', Buffer.from(ACCOUNT_KEY, 'base64')).update(text).digest('base64')
  return { ...headers, authorization: `SharedKey ${ACCOUNT}:${signature}` }
}

/** @returns the path of its program */
async function ensureAzurite(): Promise<string> {
  await mkdir(FOLDER, { recursive: true })
  await exec('sh', ['-c', INSTALL_SCRIPT, 'sh', FOLDER], { timeout: INSTALL_TIMEOUT_MS }).catch(
    (error: Error) => {
      throw new Error(
        `These tests need Microsoft's emulator of Azure Blob Storage: ${error.message.slice(0, 500)}`
      )
    }
  )
  return createRequire(join(FOLDER, 'node_modules', 'x.js')).resolve('azurite/dist/src/blob/main.js')
}
