import { join } from 'node:path'
import { findProgram } from '../find-program.js'
import type { ChildSpec } from '../managed-child.js'
import { entryPath } from '../paths.js'
import { probeReady } from '../wait.js'
import type { Service, ServiceContext } from './service.js'

const HOST = '127.0.0.1'
const STANDARD_URL = `http://${HOST}:11434`
/** On loopback a reply comes at once, if at all. */
const FOUND_WITHIN_MS = 300
const ELSEWHERE_TIMEOUT_MS = 1_000

const SANDBOX_CAVEAT =
  'AI answers are fixed samples from a sandbox and are not written by a language model. ' +
  'For real ones install Ollama (https://ollama.com) and start again, or set OLLAMA_HOST.'

export interface OllamaChoice {
  /** `OLLAMA_HOST`, as a full address. */
  url: string | undefined
  /** Uses the sandbox without looking for Ollama. */
  sandbox: boolean
}

export interface OllamaContext extends ServiceContext {
  find?: (names: readonly string[]) => string | null
  standardUrl?: string
}

export interface OllamaPart extends Service<string> {
  /** Settings for the workers besides the address. */
  workerEnv: NodeJS.ProcessEnv
  /** Called once everything is started; null when there is nothing to warn about. */
  caveat: (signal: AbortSignal) => Promise<string | null>
}

/**
 * `OLLAMA_HOST`, otherwise an Ollama on its standard port, otherwise a private one, otherwise the sandbox
 * model.
 */
export async function planOllama(
  { url, sandbox }: OllamaChoice,
  context: OllamaContext
): Promise<OllamaPart> {
  const { find = findProgram, standardUrl = STANDARD_URL } = context
  if (url !== undefined) return ollamaElsewhere(url)
  if (sandbox) return await sandboxModel(context)
  if (await answers(standardUrl, AbortSignal.timeout(FOUND_WITHIN_MS))) return ollamaFound(standardUrl)
  const program = find(['ollama'])
  return program === null ? await sandboxModel(context) : await privateOllama(program, context)
}

/** Not checked at the start: without its model the service still stores files and analyzes code. */
function ollamaElsewhere(url: string): OllamaPart {
  const { host } = new URL(url)
  return {
    address: url,
    note: `Ollama at ${host} (OLLAMA_HOST)`,
    workerEnv: {},
    caveat: async (signal) =>
      (await answers(url, AbortSignal.any([signal, AbortSignal.timeout(ELSEWHERE_TIMEOUT_MS)])))
        ? null
        : `Ollama at ${host} (OLLAMA_HOST) does not answer: until it does, generating is unavailable, and analyses use only the static analyzers.`
  }
}

function ollamaFound(url: string): OllamaPart {
  return {
    address: url,
    note: `Ollama at ${new URL(url).host} (found running; OLLAMA_PULL=true fetches the models it lacks)`,
    workerEnv: {},
    caveat: async () => null
  }
}

async function privateOllama(
  program: string,
  { paths, env, guard, pickPort }: OllamaContext
): Promise<OllamaPart> {
  const port = await pickPort()
  const url = `http://${HOST}:${port}`
  // A new Ollama has no models.
  const pull = env.OLLAMA_PULL ?? 'true'
  return {
    address: url,
    note: `Ollama: private ${program}`,
    workerEnv: { OLLAMA_PULL: pull },
    caveat: async () =>
      pull === 'true'
        ? `Missing models are pulled in the background, which may take a while; until then generating is unavailable (progress: ${join(paths.logs, 'inference-worker-1.log')}).`
        : null,
    child: {
      ...server(url),
      name: 'ollama',
      ...guard(program, ['serve']),
      env: { ...env, OLLAMA_HOST: `${HOST}:${port}` },
      logFile: join(paths.logs, 'ollama.log'),
      ipc: false
    }
  }
}

async function sandboxModel({ paths, env, pickPort }: OllamaContext): Promise<OllamaPart> {
  const port = await pickPort()
  const url = `http://${HOST}:${port}`
  return {
    address: url,
    note: 'Models: sandbox, not a language model',
    workerEnv: {},
    caveat: async () => SANDBOX_CAVEAT,
    child: {
      ...server(url),
      name: 'sandbox-model',
      command: process.execPath,
      args: [entryPath('sandbox-model')],
      env: { ...env, SANDBOX_HOST: HOST, SANDBOX_PORT: String(port) },
      logFile: join(paths.logs, 'sandbox-model.log'),
      ipc: true
    }
  }
}

function server(url: string): Pick<ChildSpec, 'tier' | 'ready' | 'readyTimeoutMs'> {
  return {
    tier: 'base',
    ready: async (signal) => await probeReady(versionUrl(url), signal),
    readyTimeoutMs: 60_000
  }
}

async function answers(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(versionUrl(url), { signal })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

function versionUrl(url: string): string {
  return new URL('/api/version', url).href
}
