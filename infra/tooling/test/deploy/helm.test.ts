import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import Ajv from 'ajv'
import t, { type Test } from 'tap'
import { parse, stringify } from 'yaml'
import { ROOT } from '../helpers/root.js'
import { coalesce, renderChart } from './helpers/helm.js'
import { render, type Resource } from './helpers/kustomize.js'

const CHART = join(ROOT, 'infra/helm/filewright')
const OVERLAYS = join(ROOT, 'infra/k8s/overlays')
const COMPONENTS = join(ROOT, 'infra/k8s/components')
const read = (path: string): string => readFileSync(join(CHART, path), 'utf8')

interface Patch {
  target: { kind: string; name: string }
  patch: string
}
interface Case {
  title: string
  /** Components on top of the overlay; without one, of the base. */
  overlay?: 'small' | 'production'
  components?: string[]
  values?: object
  /** What a user of kustomize would have in an overlay of his own. */
  literals?: Record<string, string[]>
  patches?: Patch[]
}

const set = (kind: string, name: string, path: string, value: unknown): Patch => ({
  target: { kind, name },
  patch: JSON.stringify([{ op: 'replace', path, value }])
})
const noTls = ['scan-worker', 'inference-worker', 'delivery-worker'].flatMap((name) =>
  [0, 1].map((index) => set('ScaledObject', name, `/spec/triggers/${index}/metadata/enableTLS`, 'false'))
)

const CASES: Case[] = [
  { title: 'the base' },
  { title: 'overlays/small', overlay: 'small' },
  { title: 'overlays/production', overlay: 'production' },
  {
    title: 'everything in the cluster',
    components: ['postgres', 'redis'],
    values: { postgresql: { bundled: true }, redis: { bundled: true } },
    patches: noTls
  },
  {
    title: 'everything in the cluster of overlays/small',
    overlay: 'small',
    components: ['postgres', 'redis', 'prometheus-operator'],
    values: { postgresql: { bundled: true }, redis: { bundled: true }, monitoring: { enabled: true } }
  },
  {
    title: 'clamd, model and collector elsewhere, an Ingress and plain autoscaling',
    overlay: 'production',
    components: ['external-clamd', 'no-ollama', 'openai', 'otlp', 'ingress', 'hpa'],
    values: {
      clamd: { bundled: false, host: 'clamd.internal', cidr: '10.1.2.3/32' },
      model: { provider: 'openai', baseUrl: 'https://models.internal/v1' },
      tracing: { enabled: true },
      routes: { kind: 'ingress' },
      autoscaling: { kind: 'hpa' }
    },
    literals: {
      'scan-worker': ['CLAMD_HOST=clamd.internal'],
      'inference-worker': ['OPENAI_BASE_URL=https://models.internal/v1']
    },
    patches: [
      set('NetworkPolicy', 'to-clamd', '/spec/egress/0/to/0/ipBlock/cidr', '10.1.2.3/32'),
      set('Ingress', 'api', '/spec/ingressClassName', 'your-class'),
      set('Ingress', 'cdn-origin', '/spec/ingressClassName', 'your-class'),
      set('HorizontalPodAutoscaler', 'scan-worker', '/spec/minReplicas', 4),
      set('HorizontalPodAutoscaler', 'scan-worker', '/spec/maxReplicas', 200)
    ]
  },
  {
    title: 'a setting of the user',
    values: {
      settings: { gateway: { UNKNOWN: null, STOP_GRACE_MS: 1000000, CDN_URL: 'https://other.example.com' } }
    },
    literals: { gateway: ['STOP_GRACE_MS=1000000', 'CDN_URL=https://other.example.com'] }
  },
  ...['no-autoscaling', 'hpa', 'no-ollama', 'ingress', 'external-clamd', 'otlp', 'prometheus-operator'].map(
    (component) => ({ title: component, components: [component], values: switchesOf(component) })
  )
]

function switchesOf(component: string): object {
  const values: Record<string, object> = {
    'no-autoscaling': { autoscaling: { kind: 'none' } },
    hpa: { autoscaling: { kind: 'hpa' } },
    'no-ollama': { model: { provider: 'none' } },
    ingress: { routes: { kind: 'ingress' } },
    'external-clamd': { clamd: { bundled: false } },
    otlp: { tracing: { enabled: true } },
    'prometheus-operator': { monitoring: { enabled: true } }
  }
  return values[component] ?? {}
}

function kustomized(t: Test, { overlay, components = [], literals = {}, patches = [] }: Case): Resource[] {
  const own = t.testdir({ 'kustomization.yaml': '' })
  const from = overlay === undefined ? join(ROOT, 'infra/k8s/base') : join(OVERLAYS, overlay)
  const outer = t.testdirName
  writeFileSync(
    join(own, 'kustomization.yaml'),
    stringify({
      namespace: 'filewright',
      resources: [relative(outer, from)],
      components: components.map((name) => relative(outer, join(COMPONENTS, name))),
      configMapGenerator: Object.entries(literals).map(([name, list]) => ({
        name,
        behavior: 'merge',
        literals: list
      })),
      images:
        overlay === undefined ? APPS.map((app) => ({ name: `filewright/${app}`, newTag: VERSION })) : [],
      patches
    })
  )
  return render(own)
}

const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string
}
const APPS = ['gateway', 'admin', 'scan-worker', 'inference-worker', 'delivery-worker']

const valuesOf = ({ overlay, values = {} }: Case): object =>
  coalesce(overlay === undefined ? {} : parse(read(`values-${overlay}.yaml`)), values)

/** Without what only one of the two has; docs/adr/0074 lists it. */
function comparable(resources: Resource[]): Record<string, unknown> {
  return Object.fromEntries(
    resources
      .filter(({ kind }) => kind !== 'Namespace')
      .map((resource) => {
        const { kind, metadata } = resource
        if (kind === 'Job') metadata.name = metadata.name.replace(/-[0-9a-f]{10}$/, '')
        withoutChartsOwn(resource)
        return [`${kind} ${metadata.name}`, resource] as const
      })
      .sort(([a], [b]) => (a < b ? -1 : 1))
  )
}

function withoutChartsOwn(value: any): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries<any>(value)) {
    if (key === 'annotations') {
      delete inner['checksum/config']
      delete inner['helm.sh/resource-policy']
      if (Object.keys(inner).length === 0) delete value[key]
    } else withoutChartsOwn(inner)
  }
}

t.test('the chart is what infra/k8s makes it', async (t) => {
  const script = fileURLToPath(new URL('../../../scripts/helm-chart.mjs', import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })

  t.equal(status, 0, stderr)
})

for (const each of CASES) {
  t.test(`Helm and kustomize render the same objects: ${each.title}`, async (t) => {
    const fromHelm = comparable(renderChart(CHART, valuesOf(each)))
    const fromKustomize = comparable(kustomized(t, each))

    t.ok(Object.keys(fromHelm).length > 30)
    t.strictSame(Object.keys(fromHelm), Object.keys(fromKustomize))
    t.strictSame(fromHelm, fromKustomize)
  })
}

t.test('the values have a schema, which knows every value and refuses unknown ones', async (t) => {
  const validate = new Ajv().compile(JSON.parse(read('values.schema.json')))
  const isValid = (given: object): boolean => validate(coalesce(parse(read('values.yaml')), given)) === true

  for (const each of CASES) t.ok(isValid(valuesOf(each)), `${each.title}: ${JSON.stringify(validate.errors)}`)
  t.ok(isValid({ gateway: { replicas: 3 }, global: { anything: 1 } }))
  t.notOk(isValid({ gateway: { replica: 3 } }), 'a typing error')
  t.notOk(isValid({ autoscaling: { kind: 'vpa' } }), 'a choice that is not there')
  t.notOk(
    isValid({ settings: { gateway: { BASE_URL: ['https://a.example'] } } }),
    'a setting that is not a scalar'
  )
})

t.test('values reach the objects', async (t) => {
  const find = (given: object, kind: string, name: string): Resource => {
    const [found] = renderChart(CHART, given, 'elsewhere').filter(
      ({ kind: k, metadata }) => k === kind && metadata.name === name
    )
    if (found === undefined) throw new Error(`no ${kind} ${name}`)
    return found
  }
  const gateway = find(
    {
      image: { tag: '9.9.9', pullPolicy: 'Always' },
      imagePullSecrets: [{ name: 'registry' }],
      gateway: {
        replicas: 0,
        podAnnotations: { a: 'b' },
        nodeSelector: { disk: 'fast' },
        priorityClassName: '1'
      },
      secrets: { database: 'yours' }
    },
    'Deployment',
    'gateway'
  )
  const [container] = gateway['spec'].template.spec.containers

  t.equal(gateway.metadata.namespace, 'elsewhere')
  t.match(container, { image: 'filewright/gateway:9.9.9', imagePullPolicy: 'Always' })
  t.match(gateway['spec'].template.spec, {
    imagePullSecrets: [{ name: 'registry' }],
    nodeSelector: { disk: 'fast' },
    priorityClassName: '1'
  })
  t.equal(gateway['spec'].replicas, 0, 'none is a number, too')
  t.match(gateway['spec'].template.metadata.annotations, { a: 'b', 'prometheus.io/port': '3001' })
  t.ok(container.envFrom.some(({ secretRef }: any) => secretRef?.name === 'yours'))
  t.match(find({}, 'ConfigMap', 'gateway')['data'].ADMIN_HOSTS, /gateway-admin\.elsewhere\.svc/)
})

t.test('a changed setting replaces the pods that read it, and no others', async (t) => {
  const checksums = (given: object): Record<string, string> =>
    Object.fromEntries(
      renderChart(CHART, given).flatMap(({ metadata, spec }) => {
        const checksum = spec?.template?.metadata?.annotations?.['checksum/config'] as string | undefined
        return checksum === undefined ? [] : [[metadata.name, checksum]]
      })
    )
  const changed = (given: object): string[] => {
    const [before, after] = [checksums({}), checksums(given)]
    return Object.keys(before).filter((name) => before[name] !== after[name])
  }

  t.strictSame(changed({ settings: { gateway: { MAX_WAITERS: '1' } } }), ['admin', 'gateway'])
  t.strictSame(changed({ routes: { api: { host: 'a.example.com' } } }), ['admin', 'gateway'])
  t.strictSame(changed({ settings: { inferenceWorker: { INFERENCE_CONCURRENCY: 2 } } }), ['inference-worker'])
  t.equal(changed({ settings: { shared: { LOG_LEVEL: 'debug' } } }).length, 5)
})

t.test('another image is another migration, and the same values are the same one', async (t) => {
  const nameOf = (given: object): string =>
    renderChart(CHART, given).find(({ kind }) => kind === 'Job')?.metadata.name ?? ''

  t.match(nameOf({}), /^migrate-[0-9a-f]{10}$/)
  t.equal(nameOf({ settings: { gateway: { MAX_WAITERS: 1 } } }), nameOf({}))
  t.not(nameOf({ image: { tag: '2.0.0' } }), nameOf({}))
})
