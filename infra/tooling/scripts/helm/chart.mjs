// Makes the Helm chart of the kustomize base and its components: the base is what the default values render, a component is
// what one switch of the values changes. Returns the chart's files by their paths.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse, stringify } from 'yaml'
import { dataOf, keysOf, load, readKustomization } from '../kustomize.mjs'
import { Block, emit, entriesOf, If, literal, negated, Optional, Raw } from './template.mjs'
import { Values } from './values.mjs'

/** @typedef {import('../kustomize.mjs').Resource} Resource */
/** @typedef {{ object: Resource, file: string, when: string[] }} Item an object, its template's name, and the conditions that must hold */

/** Which values stand for a component. Every folder of infra/k8s/components has a line here. */
const SWITCHES = {
  'no-autoscaling': { when: 'eq .Values.autoscaling.kind "none"' },
  hpa: { when: 'eq .Values.autoscaling.kind "hpa"' },
  'no-ollama': { when: 'ne .Values.model.provider "ollama"' },
  openai: { when: 'eq .Values.model.provider "openai"' },
  ingress: { when: 'eq .Values.routes.kind "ingress"' },
  postgres: { when: '.Values.postgresql.bundled' },
  redis: { when: '.Values.redis.bundled' },
  'external-clamd': { when: 'not .Values.clamd.bundled' },
  otlp: { when: '.Values.tracing.enabled' },
  'prometheus-operator': { when: '.Values.monitoring.enabled' }
}

/** Deployments and the like, by the name of their part of the values. */
const WORKLOADS = {
  gateway: ['Deployment', 'gateway'],
  scanWorker: ['Deployment', 'scan-worker'],
  inferenceWorker: ['Deployment', 'inference-worker'],
  deliveryWorker: ['Deployment', 'delivery-worker'],
  admin: ['Deployment', 'admin'],
  migrate: ['Job', 'migrate'],
  signatures: ['Deployment', 'signatures'],
  ollama: ['StatefulSet', 'ollama'],
  models: ['CronJob', 'models'],
  postgresql: ['StatefulSet', 'postgres'],
  redis: ['Deployment', 'redis']
}
const SCALED = ['gateway', 'scanWorker', 'inferenceWorker', 'deliveryWorker']

const SECRETS = {
  'filewright-database': ['database', 'DATABASE_URL'],
  'filewright-redis': ['redis', 'REDIS_URL'],
  'filewright-redis-keda': ['redisForKeda', 'address and password, for KEDA'],
  'filewright-admin': ['admin', 'ADMIN_PASSWORD, CDN_SIGNING_KEY and RECEIPT_KEY'],
  'filewright-webhooks': ['webhooks', 'WEBHOOK_KEY; optional'],
  'filewright-s3': ['s3', 'keys of S3; optional'],
  'filewright-azure': ['azure', 'keys of Azure; optional'],
  'filewright-model': ['model', 'OPENAI_API_KEY; optional'],
  'filewright-postgres': ['postgres', 'POSTGRES_PASSWORD, for the bundled PostgreSQL'],
  'filewright-redis-server': ['redisServer', 'REDIS_PASSWORD, for the bundled Redis']
}

const NAMESPACES = {
  'gateway-system': ['gatewayNamespace', "Where your Gateway or Ingress controller's proxies run."],
  monitoring: ['monitoringNamespace', 'Where Prometheus and the collector of traces run.'],
  keda: ['kedaNamespace', 'Where KEDA runs.'],
  'kube-system': undefined
}

/** Settings that follow from other values, unless the user sets them. The second is for the component named. */
const DERIVED = {
  gateway: {
    ADMIN_HOSTS: {
      base: 'gateway-admin,gateway-admin.{{ .Release.Namespace }},gateway-admin.{{ .Release.Namespace }}.svc,gateway-admin.{{ .Release.Namespace }}.svc.cluster.local'
    },
    BASE_URL: { base: 'https://{{ .Values.routes.api.host }}' },
    CDN_URL: {
      base: 'https://{{ .Values.routes.cdn.host }}',
      ingress: 'https://{{ .Values.routes.cdn.host }}/cdn'
    }
  },
  shared: { OTEL_EXPORTER_OTLP_ENDPOINT: { otlp: '{{ .Values.tracing.endpoint }}' } },
  'scan-worker': {
    CLAMD_HOST: { 'external-clamd': '{{ .Values.clamd.host }}' },
    CLAMD_PORT: {},
    CLAMD_DATABASE_DIR: {}
  },
  'inference-worker': { MODEL_PROVIDER: {}, OPENAI_BASE_URL: { openai: '{{ .Values.model.baseUrl }}' } }
}

/** null takes a default away. */
const SETTING = { type: ['string', 'number', 'boolean', 'null'] }

/**
 * @param {string} root the repository
 * @returns {Map<string, string>}
 */
export function chartFiles(root) {
  const chart = new Chart(join(root, 'infra/k8s'))
  const { version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const metadata = {
    apiVersion: 'v2',
    name: 'filewright',
    description,
    type: 'application',
    version,
    appVersion: version,
    // Sidecars.
    kubeVersion: '>=1.29.0-0'
  }
  const files = chart.files()
  files.set('Chart.yaml', `# Written by npm run docs, of infra/k8s and package.json.\n${stringify(metadata)}`)
  return files
}

/** The alert rules for the Prometheus Operator. @param {string} root */
export function prometheusRule(root) {
  const { groups } = parse(readFileSync(join(root, 'infra/prometheus/alerts.yaml'), 'utf8'))
  const rule = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'filewright', namespace: 'filewright' },
    spec: { groups }
  }
  return `# Written by npm run docs, of infra/prometheus/alerts.yaml.\n${stringify(rule, { lineWidth: 0 })}`
}

class Chart {
  /** @type {Item[]} */
  #items = []
  /** @type {Map<string, { base: Record<string, string>, changed: Record<string, Record<string, string>> }>} */
  #settings = new Map()
  #values = new Values()

  /** @param {string} folder */
  constructor(folder) {
    this.#readBase(join(folder, 'base'))
    const components = Object.keys(SWITCHES)
    const known = readdirSync(join(folder, 'components'))
    const missing = known.filter((name) => !components.includes(name))
    if (missing.length > 0) throw new Error(`no switch for the components ${missing.join(', ')}`)
    const kustomizations = components.map((name) =>
      this.#readComponent(name, join(folder, 'components', name))
    )
    this.#addValues()
    for (const [name, { patches = [] }] of kustomizations) {
      for (const patch of patches) this.#patch(name, patch)
    }
    this.#addChecksums()
    for (const { object } of this.#items) {
      object.metadata['namespace'] = new Raw('{{ .Release.Namespace | quote }}')
    }
  }

  files() {
    /** @type {Map<string, string[]>} */
    const templates = new Map()
    for (const item of this.#items) {
      const documents = templates.get(item.file) ?? []
      templates.set(item.file, [...documents, wrapped(emit(item.object), item.when)])
    }
    for (const name of this.#settings.keys()) {
      templates.set(`configmap-${name}.yaml`, [this.#settingsTemplate(name)])
    }
    /** @type {Map<string, string>} */
    const files = new Map()
    for (const [file, documents] of templates) {
      files.set(`templates/${file}`, `${HEAD}${documents.map((text) => `---\n${text}`).join('')}`)
    }
    files.set('values.yaml', this.#values.yaml(VALUES_HEAD))
    files.set('values.schema.json', this.#values.schema())
    return files
  }

  /** @param {string} folder */
  #readBase(folder) {
    const { resources = [], labels = [], configMapGenerator = [] } = readKustomization(folder)
    const common = Object.assign({}, ...labels.map(({ pairs }) => pairs))
    for (const path of resources) {
      // Helm or an administrator creates the namespace.
      if (path === 'namespace.yaml') continue
      for (const object of load(join(folder, path))) {
        object.metadata['labels'] = { ...object.metadata['labels'], ...common }
        this.#items.push({ object, file: fileOf(object, path), when: [] })
      }
    }
    for (const generator of configMapGenerator) {
      this.#settings.set(generator.name, { base: dataOf(folder, generator), changed: {} })
    }
    this.#commonLabels = common
  }
  /** @type {Record<string, string>} */
  #commonLabels = {}

  /** @param {keyof typeof SWITCHES | string} name @param {string} folder @returns {[string, import('../kustomize.mjs').Kustomization]} */
  #readComponent(name, folder) {
    const kustomization = readKustomization(folder)
    const when = whenOf(name)
    for (const path of kustomization.resources ?? []) {
      for (const object of load(join(folder, path))) {
        this.#items.push({ object, file: fileOf(object, `${name}.yaml`), when: [when] })
      }
    }
    for (const generator of kustomization.configMapGenerator ?? []) {
      const settings = this.#settings.get(generator.name)
      if (settings === undefined) throw new Error(`${name}: there is no ConfigMap ${generator.name}`)
      settings.changed[name] = dataOf(folder, generator)
    }
    return [name, kustomization]
  }

  /** @param {string} kind @param {string} name */
  #find(kind, name) {
    const items = this.#items.filter(({ object }) => object.kind === kind && object.metadata.name === name)
    if (items.length === 0) throw new Error(`there is no ${kind} ${name}`)
    return items
  }

  /** @param {string} kind @param {string} name @param {string} path with dots @param {(value: any) => unknown} replace */
  #replace(kind, name, path, replace) {
    for (const { object } of this.#find(kind, name)) {
      const keys = path.split('.')
      const last = keys.pop() ?? ''
      const parent = keys.reduce((inner, key) => inner?.[key], /** @type {any} */ (object))
      if (parent === undefined) throw new Error(`${kind} ${name} has no ${path}`)
      parent[last] = replace(parent[last])
    }
  }

  /**
   * Makes a place of an object a value.
   * @param {string} key @param {string} about @param {[string, string]} object kind and name @param {string} path @param {'scalar' | 'block'} [form] @param {object} [schema]
   */
  #value(key, about, [kind, name], path, form = 'scalar', schema) {
    this.#replace(kind, name, path, (value) => {
      if (value === undefined) throw new Error(`${kind} ${name} has no ${path}`)
      const expression = this.#values.add(key, about, value, schema)
      if (form === 'block') return new Block(expression)
      // Numbers of the values are floating point: 1000000 would become 1e+06.
      return new Raw(`{{ ${expression} | ${typeof value === 'number' ? 'int' : 'quote'} }}`)
    })
  }

  #addValues() {
    const values = this.#values
    values.add(
      'image.repository',
      'Registry and path of our images; the name of the app follows.',
      'filewright'
    )
    values.add('image.tag', "Version of our images; the chart's by default.", '')
    values.add('image.pullPolicy', 'Always, IfNotPresent or Never; what Kubernetes takes by default.', '', {
      enum: ['', 'Always', 'IfNotPresent', 'Never']
    })
    values.add('imagePullSecrets', 'Names of secrets for your registry: [{ name: … }].', [])
    values.add('storageClass', 'Storage class of all volumes; the default one of the cluster if empty.', '')
    this.#addSwitches()
    for (const [secret, [key = '', about = '']] of Object.entries(SECRETS)) {
      values.add(`secrets.${key}`, `Name of the secret with ${about}.`, secret)
    }
    this.#addRoutes()
    for (const [key, [kind = '', name = '']] of Object.entries(WORKLOADS)) this.#addWorkload(key, kind, name)
    this.#addScaling()
    this.#addVolumes()
    for (const name of ['gateway', 'scan-worker']) {
      const key = `${camel(name)}.serviceAccountAnnotations`
      const about = 'For workload identity: who the pods are at your cloud.'
      this.#replace(
        'ServiceAccount',
        name,
        'metadata.annotations',
        () => new Optional(values.add(key, about, {}))
      )
    }
    this.#addSettings()
    for (const item of this.#items) {
      item.object = this.#generic(item.object)
      if (item.object.kind !== 'NetworkPolicy') continue
      item.when.push(
        values.add('networkPolicies.enabled', 'Allow no connection that the chart does not know.', true)
      )
    }
  }

  #addSwitches() {
    const values = this.#values
    values.add('autoscaling.kind', 'keda (by waiting jobs), hpa (by processor) or none.', 'keda', {
      enum: ['keda', 'hpa', 'none']
    })
    values.add(
      'model.provider',
      'ollama (in the cluster), openai (a server that speaks its API) or none.',
      'ollama',
      {
        enum: ['ollama', 'openai', 'none']
      }
    )
    values.add(
      'model.baseUrl',
      'Address of a server that speaks the API of OpenAI.',
      'https://models.example.com/v1'
    )
    values.add('routes.kind', 'gateway-api or ingress.', 'gateway-api', { enum: ['gateway-api', 'ingress'] })
    values.add('postgresql.bundled', 'Run PostgreSQL in the cluster: one pod, no backups.', false)
    values.add('redis.bundled', 'Run Redis in the cluster: one pod.', false)
    values.add('redis.tls', 'KEDA speaks TLS to your Redis. REDIS_URL says it for our own processes.', true)
    values.add('clamd.bundled', 'Run a clamd beside each scan worker.', true)
    values.add('clamd.host', 'Name of your clamd, if none is bundled.', 'clamd.example.com')
    values.add('tracing.enabled', 'Send traces to a collector.', false)
    values.add('tracing.endpoint', 'Its address.', 'http://collector.monitoring:4318')
    values.add('monitoring.enabled', 'A PodMonitor and alert rules for the Prometheus Operator.', false)
    values.add('monitoring.labels', 'Labels by which your Prometheus selects both.', {})
    for (const kind of ['PodMonitor', 'PrometheusRule']) {
      this.#replace(kind, 'filewright', 'metadata.labels', () => new Optional('.Values.monitoring.labels'))
    }
    /** @type {Array<[string, string, string]>} */
    const addresses = [
      ['postgresql', 'to-postgres', 'Addresses of your PostgreSQL.'],
      ['redis', 'to-redis', 'Addresses of your Redis.'],
      ['clamd', 'to-clamd', 'Addresses of your clamd.']
    ]
    for (const [key, policy, about] of addresses) {
      this.#value(`${key}.cidr`, about, ['NetworkPolicy', policy], 'spec.egress.0.to.0.ipBlock.cidr')
    }
    const model = 'Addresses of the server that speaks the API of OpenAI.'
    this.#value('model.ipBlock', model, ['NetworkPolicy', 'to-openai'], 'spec.egress.0.to.0.ipBlock', 'block')
    this.#value('model.port', 'Its port.', ['NetworkPolicy', 'to-openai'], 'spec.egress.0.ports.0.port')
    this.#value(
      'clamd.resources',
      'Requests and limits of clamd.',
      ['Deployment', 'scan-worker'],
      'spec.template.spec.initContainers.0.resources',
      'block'
    )
  }

  #addRoutes() {
    const values = this.#values
    const about = 'Class of your Gateway or Ingress controller.'
    this.#value('routes.className', about, ['Gateway', 'public'], 'spec.gatewayClassName')
    const annotations = values.add(
      'routes.annotations',
      'Annotations of the Gateway or of both Ingresses.',
      {}
    )
    this.#replace('Gateway', 'public', 'metadata.annotations', () => new Optional(annotations))
    /** @type {Array<[string, string, string, number]>} */
    const names = [
      ['api', 'api', 'API', 0],
      ['cdn', 'cdn-origin', 'origin that a CDN fetches from', 1]
    ]
    for (const [key, ingress, title, index] of names) {
      const host = /** @type {const} */ ([`routes.${key}.host`, `Host name of the ${title}.`])
      const secret = /** @type {const} */ ([
        `routes.${key}.tlsSecret`,
        'Name of the secret with its certificate.'
      ])
      const listener = `spec.listeners.${index}`
      this.#value(...host, ['Gateway', 'public'], `${listener}.hostname`)
      this.#value(...secret, ['Gateway', 'public'], `${listener}.tls.certificateRefs.0.name`)
      this.#value('routes.className', about, ['Ingress', ingress], 'spec.ingressClassName')
      this.#replace('Ingress', ingress, 'metadata.annotations', () => new Optional(annotations))
      this.#value(...host, ['Ingress', ingress], 'spec.rules.0.host')
      this.#value(...host, ['Ingress', ingress], 'spec.tls.0.hosts.0')
      this.#value(...secret, ['Ingress', ingress], 'spec.tls.0.secretName')
    }
  }

  /** @param {string} key @param {string} kind @param {string} name */
  #addWorkload(key, kind, name) {
    const values = this.#values
    const path = kind === 'CronJob' ? 'spec.jobTemplate.spec.template' : 'spec.template'
    const pod = `${path}.spec`
    const optional = (
      /** @type {string} */ field,
      /** @type {string} */ about,
      /** @type {unknown} */ empty
    ) => {
      const expression = values.add(`${key}.${field}`, about, empty)
      this.#replace(
        kind,
        name,
        `${pod}.${field}`,
        (value) => value ?? new Optional(expression, typeof empty === 'string' ? 'scalar' : 'block')
      )
    }
    this.#value(
      `${key}.resources`,
      'Requests and limits.',
      [kind, name],
      `${pod}.containers.0.resources`,
      'block'
    )
    if (key === 'signatures') {
      this.#value(
        'signatures.serverResources',
        'Requests and limits of its web server.',
        [kind, name],
        `${pod}.containers.1.resources`,
        'block'
      )
    }
    if (SCALED.includes(key)) {
      const replicas = values.add(`${key}.replicas`, 'Number of pods where nothing scales it.', null, {
        type: ['integer', 'null']
      })
      const given = `not (kindIs "invalid" ${replicas})`
      this.#replace(
        kind,
        name,
        'spec.replicas',
        () => new If(given, new Raw(`{{ ${replicas} | int }}`), undefined)
      )
      this.#value(
        `${key}.rollingUpdate`,
        'How pods are replaced.',
        [kind, name],
        'spec.strategy.rollingUpdate',
        'block'
      )
    }
    const annotations = values.add(`${key}.podAnnotations`, 'Annotations of its pods.', {})
    this.#replace(kind, name, `${path}.metadata.annotations`, (given) =>
      given === undefined ? new Optional(annotations) : { ...given, [entriesOf(annotations)]: true }
    )
    optional('nodeSelector', 'Labels of the nodes it may run on.', {})
    optional('tolerations', 'Taints that it tolerates.', [])
    if (key !== 'models') optional('affinity', 'Where its pods go.', {})
    optional('priorityClassName', 'Its priority.', '')
    this.#replace(kind, name, `${pod}.imagePullSecrets`, () => new Optional('$.Values.imagePullSecrets'))
    if (kind === 'Job') {
      // A Job cannot be changed: another image or pod template is another Job.
      const parts = `(list .Chart.AppVersion .Values.image .Values.imagePullSecrets .Values.secrets.database .Values.${key})`
      this.#replace(
        kind,
        name,
        'metadata.name',
        () => new Raw(`migrate-{{ toJson ${parts} | sha256sum | trunc 10 }}`)
      )
    }
  }

  #addScaling() {
    const bounds = (
      /** @type {string} */ key,
      /** @type {[string, string]} */ object,
      /** @type {string} */ min,
      /** @type {string} */ max
    ) => {
      this.#value(`${key}.autoscaling.min`, 'Fewest pods.', object, `spec.${min}`)
      this.#value(`${key}.autoscaling.max`, 'Most pods.', object, `spec.${max}`)
    }
    const cpu = 'spec.metrics.0.resource.target.averageUtilization'
    for (const key of SCALED) {
      const name = WORKLOADS[/** @type {'gateway'} */ (key)][1] ?? ''
      bounds(key, ['HorizontalPodAutoscaler', name], 'minReplicas', 'maxReplicas')
      const about = 'Percentage of the requested processor that an HPA aims at.'
      this.#value(`${key}.autoscaling.cpu`, about, ['HorizontalPodAutoscaler', name], cpu)
      if (key === 'gateway') continue
      bounds(key, ['ScaledObject', name], 'minReplicaCount', 'maxReplicaCount')
      for (const index of [0, 1]) {
        this.#replace('ScaledObject', name, `spec.triggers.${index}.metadata`, (metadata) => ({
          ...metadata,
          listName: new Raw(
            `'${metadata.listName.replace('fw:', '{{ .Values.settings.shared.QUEUE_PREFIX }}:')}'`
          ),
          enableTLS: new Raw(`'{{ and .Values.redis.tls (not .Values.redis.bundled) }}'`)
        }))
      }
    }
  }

  #addVolumes() {
    for (const [key, name] of [
      ['signatures', 'signatures'],
      ['models', 'models'],
      ['postgresql', 'postgres']
    ]) {
      this.#value(
        `${key}.storage`,
        'Size of its volume.',
        ['PersistentVolumeClaim', name ?? ''],
        'spec.resources.requests.storage'
      )
      this.#replace(
        'PersistentVolumeClaim',
        name ?? '',
        'spec.storageClassName',
        () => new Optional('.Values.storageClass', 'scalar')
      )
    }
    // The bytes of a database outlive a release that is removed by mistake.
    this.#replace('PersistentVolumeClaim', 'postgres', 'metadata.annotations', () => ({
      'helm.sh/resource-policy': 'keep'
    }))
  }

  #addSettings() {
    for (const [name, { base, changed }] of this.#settings) {
      const derived = Object.keys(/** @type {Record<string, object>} */ (DERIVED)[name] ?? {})
      const unknown = Object.values(changed)
        .flatMap(Object.keys)
        .filter((key) => !derived.includes(key))
      if (unknown.length > 0) throw new Error(`DERIVED does not know ${unknown.join(', ')} of ${name}`)
      const defaults = Object.fromEntries(Object.entries(base).filter(([key]) => !derived.includes(key)))
      const about =
        name === 'shared'
          ? 'Settings of every process'
          : name === 'blobs'
            ? 'Where files are: the bucket'
            : `Settings of ${name}`
      this.#values.add(`settings.${camel(name)}`, `${about} (docs/configuration.md).`, defaults, {
        type: 'object',
        additionalProperties: SETTING
      })
    }
  }

  /** @param {string} name */
  #settingsTemplate(name) {
    const { base, changed } = this.#settings.get(name) ?? { base: {}, changed: {} }
    const map = `.Values.settings.${camel(name)}`
    const lines = emit({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, labels: this.#commonLabels, namespace: new Raw('{{ .Release.Namespace | quote }}') }
    })
    const derived =
      /** @type {Record<string, Record<string, Record<string, string>>>} */ (DERIVED)[name] ?? {}
    const extra = Object.entries(derived).map(([key, texts]) => {
      const text = (/** @type {string} */ of, /** @type {string | undefined} */ given) =>
        given === undefined ? '' : `  ${key}: ${JSON.stringify(texts[of] ?? literal(given))}\n`
      const components = Object.entries(changed).filter(([, data]) => key in data)
      if (components.length > 1) throw new Error(`${name}: two components set ${key}`)
      const [component] = components
      const plain = text('base', base[key])
      const body =
        component === undefined
          ? plain
          : `  {{- if ${whenOf(component[0])} }}\n${text(component[0], component[1][key])}  {{- else }}\n${plain}  {{- end }}\n`
      return `  {{- if not (hasKey ${map} "${key}") }}\n${body}  {{- end }}\n`
    })
    const text =
      '{{ if kindIs "string" $value }}{{ $value | quote }}{{ else }}{{ $value | toJson | quote }}{{ end }}'
    const given = `  {{- if not (kindIs "invalid" $value) }}\n  {{ $key }}: ${text}\n  {{- end }}\n`
    return `${lines}data:\n  {{- range $key, $value := ${map} }}\n${given}  {{- end }}\n${extra.join('')}`
  }

  /** What is replaced wherever it is: images, secrets, namespaces. @param {any} value @returns {any} */
  #generic(value) {
    if (Array.isArray(value)) return value.map((item) => this.#generic(item))
    if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) {
      return value
    }
    const object = Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, this.#generic(inner)])
    )
    if (typeof object['image'] === 'string') {
      object['image'] = this.#image(object['image'])
      object['imagePullPolicy'] = new Optional('$.Values.image.pullPolicy', 'scalar')
    }
    if (object['secretRef'] !== undefined) object['secretRef'].name = secret(object['secretRef'].name)
    if (object['secretTargetRef'] !== undefined) {
      for (const ref of object['secretTargetRef']) ref.name = secret(ref.name)
    }
    const namespace = object['kubernetes.io/metadata.name']
    if (namespace !== undefined) {
      if (!(namespace in NAMESPACES)) throw new Error(`no value for the namespace ${namespace}`)
      const found = NAMESPACES[/** @type {keyof typeof NAMESPACES} */ (namespace)]
      if (found !== undefined) {
        const expression = this.#values.add(`networkPolicies.${found[0]}`, found[1] ?? '', namespace)
        object['kubernetes.io/metadata.name'] = new Raw(`{{ ${expression} | quote }}`)
      }
    }
    if (object['name'] === 'ADMIN_COMMAND') {
      object['value'] = new Raw(object['value'].replace('-n filewright', '-n {{ .Release.Namespace }}'))
    }
    return object
  }

  /** @param {string} image */
  #image(image) {
    const [, app] = /^filewright\/([\w-]+)$/.exec(image) ?? []
    if (app !== undefined) {
      return new Raw(
        `"{{ .Values.image.repository }}/${app}:{{ .Values.image.tag | default .Chart.AppVersion }}"`
      )
    }
    const key = basename(image).split(':')[0] ?? ''
    return new Raw(
      `{{ ${this.#values.add(`images.${camel(key)}`, 'Image with its version.', image)} | quote }}`
    )
  }

  /** @param {string} component @param {import('../kustomize.mjs').Patch} patch */
  #patch(component, { target, patch }) {
    const [item, second] = this.#find(target.kind, target.name).filter(
      ({ when }) => !when.includes(whenOf(component))
    )
    if (item === undefined || second !== undefined) {
      throw new Error(`${component}: ${target.kind} ${target.name}`)
    }
    const operations = parse(patch)
    const when = whenOf(component)
    if (!Array.isArray(operations)) item.when.push(negated(when))
    for (const operation of Array.isArray(operations) ? operations : []) {
      applyIf(item.object, operation, when, (value) => this.#generic(value))
    }
  }

  /** Pods are replaced when a ConfigMap that they read changes. */
  #addChecksums() {
    for (const [kind, name] of Object.values(WORKLOADS)) {
      if (kind === 'Job' || kind === 'CronJob') continue
      const [item] = this.#find(kind ?? '', name ?? '')
      const template = /** @type {any} */ (item?.object)['spec'].template
      const maps = new Set(
        [...JSON.stringify(template).matchAll(/"configMap(?:Ref)?":\{"name":"([\w-]+)"/g)].map(
          ([, map]) => map
        )
      )
      if (maps.size === 0) continue
      const parts = [...maps].map((map) => `(include (print $.Template.BasePath "/configmap-${map}.yaml") .)`)
      const checksum = new Raw(`{{ print ${parts.join(' ')} | sha256sum }}`)
      const annotations = template.metadata.annotations
      template.metadata.annotations =
        annotations instanceof Optional
          ? { 'checksum/config': checksum, [entriesOf(annotations.expression)]: true }
          : { 'checksum/config': checksum, ...annotations }
    }
  }
}

/**
 * A JSON Patch that holds under a condition. Removals go from the end of an array to its start, so that places stay where they are.
 * @param {any} target @param {import('../kustomize.mjs').Operation} operation @param {string} when @param {(value: any) => any} generic
 */
function applyIf(target, { op, path, value }, when, generic) {
  const keys = keysOf(path)
  const last = keys.pop() ?? ''
  const parent = keys.reduce((inner, key) => inner?.[key], target)
  if (parent === undefined || (op !== 'add' && parent[last] === undefined)) {
    throw new Error(`${path} is not there to ${op}`)
  }
  const changed = op === 'remove' ? undefined : generic(value)
  if (last === '-') parent.push(new If(when, changed, undefined))
  else parent[last] = new If(when, changed, parent[last])
}

/** @param {string} component */
function whenOf(component) {
  return SWITCHES[/** @type {keyof typeof SWITCHES} */ (component)].when
}

/** @param {string} name */
function secret(name) {
  if (!(name in SECRETS)) throw new Error(`no value for the secret ${name}`)
  return new Raw(`{{ .Values.secrets.${SECRETS[/** @type {keyof typeof SECRETS} */ (name)][0]} | quote }}`)
}

/** ConfigMaps have a file each, from which pods take their checksum. @param {Resource} object @param {string} path */
function fileOf({ kind, metadata }, path) {
  return kind === 'ConfigMap' ? `configmap-${metadata.name}.yaml` : basename(path)
}

const camel = (/** @type {string} */ name) => name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())

/** @param {string} text @param {string[]} when */
function wrapped(text, when) {
  if (when.length === 0) return text
  const condition = when.length === 1 ? when[0] : `and ${when.map((each) => `(${each})`).join(' ')}`
  return `{{- if ${condition} }}\n${text}{{- end }}\n`
}

const HEAD = '# Written by npm run docs, of infra/k8s. Do not edit.\n'
const VALUES_HEAD = `# The chart's values, with what infra/k8s has as their defaults. Written by npm run docs. Do not edit.
# The secrets named under "secrets" are yours to make: values end up in Helm's records of a release.
`
