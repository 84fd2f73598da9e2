import { loadGatewayConfig } from '@filewright/domain'
import { broken, ok, reasonOf, settingOf, type Check } from './check.js'

/** As `engines` of package.json: two maintenance lines from a minor version on, then every version. */
const MAINTAINED_NODE: ReadonlyMap<number, number> = new Map([
  [20, 19],
  [22, 13]
])
const CURRENT_NODE = 24
const PROBE_MS = 20_000

export const nodeCheck: Check = {
  name: 'Node.js',
  run: async () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
    const isSupported = major >= CURRENT_NODE || minor >= (MAINTAINED_NODE.get(major) ?? Infinity)
    return isSupported
      ? ok(process.versions.node)
      : broken(process.versions.node, `Install Node.js ${CURRENT_NODE}.`)
  }
}

export const configurationCheck: Check = {
  name: 'configuration',
  run: async (env) => {
    try {
      loadGatewayConfig(env)
      return ok('every setting of the gateway is valid')
    } catch (error) {
      return broken(reasonOf(error), 'docs/configuration.md says what each setting accepts.')
    }
  }
}

/** Only the reason: a whole health response would fill the terminal. */
function waitsFor(text: string): string {
  try {
    const { reason } = JSON.parse(text) as { reason?: unknown }
    if (typeof reason === 'string') return reasonOf(reason)
  } catch {
    /* Another program listens there. */
  }
  return `not a Filewright health response: ${reasonOf(text).slice(0, 100)}`
}

export const gatewayCheck: Check = {
  name: 'gateway',
  run: async (env) => {
    const host = settingOf(env, 'ADMIN_HOST') ?? '127.0.0.1'
    const url = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${settingOf(env, 'ADMIN_PORT') ?? '3001'}/health/ready`
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_MS) })
      const text = await response.text()
      return response.ok
        ? ok(`ready at ${url}`)
        : broken(
            `answers ${response.status} at ${url}: ${waitsFor(text)}`,
            'Fix what it waits for; the other rows say how.'
          )
    } catch {
      return broken(
        `does not answer at ${url}`,
        'Start it with npm start, and check ADMIN_HOST and ADMIN_PORT.'
      )
    }
  }
}
