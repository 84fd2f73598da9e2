import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import * as keda from '@kubernetes-models/keda/keda.sh/v1alpha1'
import * as gatewayApi from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1'
import * as apps from 'kubernetes-models/apps/v1'
import * as autoscaling from 'kubernetes-models/autoscaling/v2'
import * as batch from 'kubernetes-models/batch/v1'
import * as networking from 'kubernetes-models/networking.k8s.io/v1'
import * as policy from 'kubernetes-models/policy/v1'
import * as core from 'kubernetes-models/v1'
import t from 'tap'
import { stringify } from 'yaml'
import { delivery, inference, scanFile } from '@filewright/queue'
import { ROOT } from '../helpers/root.js'
import { startCommand } from './helpers/start-command.js'
import { render, type Resource } from './helpers/kustomize.js'
import { containersOf, podOf, podTemplateOf } from './helpers/pods.js'
import { appNames, createKnownHosts, serviceNames } from '@filewright/runtime'
import { KEYS_TO_RECORDS, problemsOf } from './helpers/settings.js'

type Model = new (resource: object) => { validate: () => void }
const models: Record<string, object> = {
  'apps/v1': apps,
  'autoscaling/v2': autoscaling,
  'batch/v1': batch,
  'gateway.networking.k8s.io/v1': gatewayApi,
  'networking.k8s.io/v1': networking,
  'policy/v1': policy,
  'keda.sh/v1alpha1': keda,
  v1: core
}
const OURS: readonly string[] = serviceNames
const IMAGES: readonly string[] = appNames
/** Secrets that the operator creates as in docs/operations/kubernetes.md, with these keys. */
const SECRETS: Record<string, Record<string, string>> = {
  'filewright-database': { DATABASE_URL: 'postgresql://filewright@10.0.0.2/filewright' },
  'filewright-redis': { REDIS_URL: 'rediss://:secret@10.0.0.3:6379' },
  'filewright-admin': {
    ADMIN_PASSWORD: 'x'.repeat(16),
    CDN_SIGNING_KEY: 'y'.repeat(32),
    RECEIPT_KEY: `${'A'.repeat(43)}=`
  },
  'filewright-redis-keda': { address: '10.0.0.3:6379', password: 'secret' },
  // Optional: without it there are no webhooks.
  'filewright-webhooks': { WEBHOOK_KEY: 'z'.repeat(32) },
  'filewright-model': { OPENAI_API_KEY: 'secret' },
  'filewright-postgres': { POSTGRES_PASSWORD: 'secret' },
  'filewright-redis-server': { REDIS_PASSWORD: 'secret' },
  // Optional: empty where files are at Google or the pods have a role.
  'filewright-s3': {},
  'filewright-azure': {}
}

const KUSTOMIZATIONS = join(ROOT, 'infra/k8s')
/** Components that go together. */
const COMBINATIONS = [
  ['no-ollama', 'openai', 'otlp'],
  ['postgres', 'redis', 'prometheus-operator'],
  ['external-clamd', 'ingress', 'hpa']
]
const ownOverlays = t.testdir(
  Object.fromEntries(COMBINATIONS.map((names) => [names.join(), { 'kustomization.yaml': '' }]))
)
for (const names of COMBINATIONS) {
  const own = join(ownOverlays, names.join())
  writeFileSync(
    join(own, 'kustomization.yaml'),
    stringify({
      namespace: 'filewright',
      resources: [relative(own, join(KUSTOMIZATIONS, 'overlays/production'))],
      components: names.map((name) => relative(own, join(KUSTOMIZATIONS, 'components', name)))
    })
  )
}

for (const [title, folder] of [
  ['base', join(KUSTOMIZATIONS, 'base')],
  ['overlays/small', join(KUSTOMIZATIONS, 'overlays/small')],
  ['overlays/production', join(KUSTOMIZATIONS, 'overlays/production')],
  ...COMBINATIONS.map(
    (names) => [`overlays/production with ${names.join(', ')}`, join(ownOverlays, names.join())] as const
  )
] as const) {
  t.test(`infra/k8s/${title}`, async (t) => {
    const resources = render(folder)
    const find = (kind: string, name: string): Resource => {
      const found = resources.find((resource) => resource.kind === kind && resource.metadata.name === name)
      if (found === undefined) throw new Error(`there is no ${kind} ${name}`)
      return found
    }
    const workloads = resources.filter((resource) => podOf(resource) !== undefined)
    const containers = workloads.flatMap((resource) => containersOf(podOf(resource)))

    t.test('follows the schemas of Kubernetes and KEDA', async (t) => {
      for (const resource of resources) {
        const { apiVersion, kind, metadata } = resource
        // The Prometheus Operator's: the packages with its schemas need another version of the others.
        if (apiVersion === 'monitoring.coreos.com/v1') continue
        const Model = (models[apiVersion] as Record<string, Model> | undefined)?.[kind]
        if (Model === undefined) throw new Error(`no schema for ${apiVersion} ${kind}`)
        t.doesNotThrow(() => new Model(resource).validate(), `${kind} ${metadata.name}`)
      }
      t.throws(() => {
        ;new (apps.Deployment as unknown as Model)({
          ...find('Deployment', 'gateway'),
          spec: { replicas: 'two' }
        }).validate()
      }, 'the schemas can say no')
    })

    t.test(
      'each of our apps can start with its settings, and gets no setting that it does not read',
      async (t) => {
        for (const app of OURS) {
          const [container] = podOf(find('Deployment', app)).containers
          const env: Record<string, string> = {}
          for (const { configMapRef, secretRef } of container.envFrom) {
            if (secretRef !== undefined) {
              t.ok(
                secretRef.name in SECRETS,
                `secret ${secretRef.name} is one that the operations guide names`
              )
            }
            Object.assign(
              env,
              configMapRef === undefined
                ? SECRETS[secretRef.name]
                : find('ConfigMap', configMapRef.name)['data']
            )
          }
          t.strictSame(problemsOf(app, env), [], app)
          if (app !== 'gateway') {
            t.strictSame(
              KEYS_TO_RECORDS.filter((key) => key in env),
              [],
              `${app} has no key to the records`
            )
          }
          const port = container.ports.find(({ name }: { name: string }) => name === 'admin').containerPort
          t.equal(String(port), env['ADMIN_PORT'] ?? env['PROBE_PORT'], `${app}: probes ask where it listens`)
          const isKnown = createKnownHosts({
            names: env['ADMIN_HOSTS'] ?? '',
            listensOn: env['ADMIN_HOST'] ?? ''
          })
          for (const name of app === 'gateway' ? ['gateway-admin', 'gateway-admin.filewright.svc'] : []) {
            t.equal(find('Service', 'gateway-admin').metadata['namespace'], 'filewright')
            t.ok(isKnown(`${name}:${port}`), `${app} answers to ${name}`)
          }
          if (app === 'gateway') {
            t.equal(
              String(container.ports.find(({ name }: { name: string }) => name === 'http').containerPort),
              env['PORT']
            )
          }
        }
      }
    )

    t.test('every image is ours or has a version, and every command of ours starts the app', async (t) => {
      for (const { name, image, command = [] } of containers) {
        const app = /(?:^|\/)filewright\/([\w-]+)/.exec(image)?.[1]
        if (app === undefined) t.match(image, /:[\d.]+$/, name)
        else t.ok(IMAGES.includes(app), image)
        if (!command.includes('main.js')) continue
        const start = startCommand(app ?? '')
        t.strictSame(command.slice(0, start.length), start, name)
      }
    })

    t.test('every name that is referred to exists', async (t) => {
      for (const resource of workloads) {
        const { serviceAccountName, volumes = [] } = podOf(resource)
        if (serviceAccountName !== undefined) find('ServiceAccount', serviceAccountName)
        for (const { configMap, persistentVolumeClaim } of volumes) {
          if (configMap !== undefined) find('ConfigMap', configMap.name)
          if (persistentVolumeClaim !== undefined) {
            find('PersistentVolumeClaim', persistentVolumeClaim.claimName)
          }
        }
        for (const { volumeMounts = [] } of containersOf(podOf(resource))) {
          for (const { name } of volumeMounts) {
            t.ok(
              volumes.some((volume: { name: string }) => volume.name === name),
              `${resource.metadata.name}: volume ${name}`
            )
          }
        }
      }
      for (const service of resources.filter(({ kind }) => kind === 'Service')) {
        const { app } = service['spec'].selector
        const target = workloads.find((resource) => podTemplateOf(resource).metadata.labels.app === app)
        const ports = podOf(target as Resource)
          .containers.flatMap((container: any) => container.ports ?? [])
          .map(({ name }: { name: string }) => name)
        for (const { targetPort } of service['spec'].ports) {
          t.ok(ports.includes(targetPort), `${service.metadata.name}: port ${targetPort}`)
        }
      }
      for (const route of resources.filter(({ kind }) => kind === 'HTTPRoute')) {
        for (const { name, sectionName } of route['spec'].parentRefs) {
          const [listener] = find('Gateway', name)['spec'].listeners.filter(
            (each: { name: string }) => each.name === sectionName
          )
          t.ok(listener.hostname)
          // A route with host names of its own would not follow when an overlay changes the listener's.
          t.equal(route['spec'].hostnames, undefined, `${route.metadata.name} has the host of its listener`)
        }
        for (const { name, port } of route['spec'].rules.flatMap(({ backendRefs }: any) => backendRefs)) {
          t.ok(
            find('Service', name)['spec'].ports.some((each: { port: number }) => each.port === port),
            `${route.metadata.name} leads to a port`
          )
        }
      }
      for (const scaled of resources.filter(
        ({ kind }) => kind === 'ScaledObject' || kind === 'HorizontalPodAutoscaler'
      )) {
        find('Deployment', scaled['spec'].scaleTargetRef.name)
      }
      for (const { spec } of resources.filter(({ kind }) => kind === 'TriggerAuthentication')) {
        for (const { parameter, name, key } of spec.secretTargetRef) {
          t.ok(SECRETS[name]?.[key], `KEDA's ${parameter}`)
        }
      }
      for (const { metadata, spec } of resources.filter(({ kind }) => kind === 'Ingress')) {
        for (const { backend } of spec.rules.flatMap(({ http }: any) => http.paths)) {
          t.ok(
            find('Service', backend.service.name)['spec'].ports.some(
              ({ name }: { name: string }) => name === backend.service.port.name
            ),
            `${metadata.name} leads to a port`
          )
        }
      }
      for (const { spec } of resources.filter(({ kind }) => kind === 'PodMonitor')) {
        const [{ values }] = spec.selector.matchExpressions
        t.strictSame(values, OURS)
        for (const app of OURS) {
          t.ok(
            podOf(find('Deployment', app)).containers[0].ports.some(
              ({ name }: any) => name === spec.podMetricsEndpoints[0].port
            )
          )
        }
      }
      for (const app of OURS) find('PodDisruptionBudget', app)
    })

    t.test('a pod is killed only after its process had time to stop', async (t) => {
      for (const app of OURS) {
        const seconds = podOf(find('Deployment', app)).terminationGracePeriodSeconds as number
        t.ok(Number(find('ConfigMap', app)['data'].STOP_GRACE_MS) < seconds * 1_000, app)
      }
    })

    t.test('clamd ends after its worker, and neither waits longer than necessary', async (t) => {
      const { containers, initContainers } = podOf(find('Deployment', 'scan-worker'))
      if (title.includes('external-clamd')) return t.equal(initContainers, undefined)
      const [clamd] = initContainers
      t.match([containers.length, initContainers.length], [1, 1])
      t.match(clamd, { name: 'clamd', restartPolicy: 'Always' }, 'a sidecar is stopped last')
      for (const { name, lifecycle } of [...containers, ...initContainers]) t.notOk(lifecycle, name)
      t.ok(
        find('Deployment', 'scan-worker')['spec'].progressDeadlineSeconds >
          clamd.startupProbe.periodSeconds * clamd.startupProbe.failureThreshold
      )
    })

    t.test('no container starts a shell that would ignore SIGTERM', async (t) => {
      for (const { name, command = [], args = [] } of containers) {
        // The scripts in files have a test of their own: clamav-scripts.test.ts.
        if (command[1] === '-c') t.match(args[0], /^trap 'exit 143' TERM$/m, name)
      }
    })

    t.test('workers scale by the queues that they process', async (t) => {
      const prefix = find('ConfigMap', 'shared')['data'].QUEUE_PREFIX as string
      for (const [app, { name }] of [
        ['scan-worker', scanFile],
        ['inference-worker', inference],
        ['delivery-worker', delivery]
      ] as const) {
        if (title === 'overlays/small' || title.includes('hpa')) continue
        // TLS as in the guide's REDIS_URL: without it KEDA cannot read the queues, and nothing scales.
        t.match(
          find('ScaledObject', app)['spec'].triggers.map(({ metadata }: { metadata: object }) => metadata),
          [
            { listName: `${prefix}:${name}:prioritized`, enableTLS: 'true' },
            { listName: `${prefix}:held:${name}`, enableTLS: 'true' }
          ]
        )
      }
    })

    t.test(
      "the operators' commands have the gateway's settings, and call it by a known host name",
      async (t) => {
        const [gateway] = podOf(find('Deployment', 'gateway')).containers
        const [admin] = podOf(find('Deployment', 'admin')).containers
        t.strictSame(admin.envFrom, gateway.envFrom)
        const [{ name, value: host }] = admin.env
        const { ADMIN_HOSTS, ADMIN_PORT } = find('ConfigMap', 'gateway')['data']
        t.equal(name, 'ADMIN_HOST')
        t.ok(createKnownHosts({ names: ADMIN_HOSTS, listensOn: '0.0.0.0' })(`${host}:${ADMIN_PORT}`))
        t.equal(String(find('Service', host)['spec'].ports[0].port), ADMIN_PORT)
      }
    )

    t.test(
      "policies allow only the gateway, the operators' commands and the migration to reach PostgreSQL, and isolate the model",
      async (t) => {
        const policies = resources
          .filter(({ kind }) => kind === 'NetworkPolicy')
          .map((resource) => resource['spec'])
        const selects = (selector: any, app: string): boolean =>
          (selector.matchLabels === undefined || selector.matchLabels.app === app) &&
          (selector.matchExpressions ?? []).every(
            ({ operator, values }: { operator: string; values: string[] }) =>
              values.includes(app) === (operator === 'In')
          )
        const egressOf = (app: string): any[] =>
          policies
            .filter(
              ({ policyTypes, podSelector }) => policyTypes.includes('Egress') && selects(podSelector, app)
            )
            .flatMap(({ egress = [] }) => egress)
        const labels = workloads.map((resource) => podTemplateOf(resource).metadata.labels.app as string)

        t.ok(
          policies.some(
            ({ podSelector, policyTypes, ingress, egress }) =>
              Object.keys(podSelector).length === 0 &&
              policyTypes.length === 2 &&
              ingress === undefined &&
              egress === undefined
          ),
          'nothing is allowed by default'
        )
        const reaches = (app: string, wanted: number): boolean =>
          egressOf(app).some(({ ports }) => ports.some(({ port }: { port: number }) => port === wanted))
        if (title.includes('external-clamd')) {
          t.strictSame(
            labels.filter((app) => reaches(app, 3310)),
            ['scan-worker']
          )
        }
        t.strictSame(labels.filter((app) => reaches(app, 5432)).sort(), ['admin', 'gateway', 'migrate'])
        t.strictSame(egressOf('ollama'), [])
        for (const app of labels.filter((label) => label !== 'ollama')) {
          t.ok(egressOf(app).length > 0, `${app} reaches something`)
        }
        const { OTEL_EXPORTER_OTLP_ENDPOINT: collector } = find('ConfigMap', 'shared')['data']
        for (const app of OURS) t.equal(reaches(app, 4318), collector !== undefined, `${app}: traces`)
        const { MODEL_PROVIDER: provider } = find('ConfigMap', 'inference-worker')['data']
        t.equal(reaches('inference-worker', 443), provider === 'openai', 'a model elsewhere')
        t.equal(reaches('inference-worker', 11434), labels.includes('ollama'), 'a model in the cluster')
      }
    )

    t.test('every container runs confined, with a limit to its memory', async (t) => {
      for (const resource of workloads) {
        t.match(podOf(resource), {
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } }
        })
      }
      for (const {
        name,
        securityContext,
        resources: { limits, requests }
      } of containers) {
        t.match(
          securityContext,
          { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
          name
        )
        t.ok(limits.memory, name)
        t.ok(limits['ephemeral-storage'] && requests['ephemeral-storage'], `${name}: ephemeral storage`)
      }
    })
  })
}
