import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { APPS, appNames, type App } from '@filewright/runtime'
import { ROOT } from '../helpers/root.js'
import { render, type Resource } from './helpers/kustomize.js'

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

interface Compose {
  services: Record<string, { build?: { args: { APP: string } } }>
}
interface Bundles {
  BUNDLES: ReadonlyArray<{ workspace: string }>
}
const compose = parse(read('docker-compose.yml'), { merge: true }) as Compose
const { BUNDLES } = (await import(new URL('../../../scripts/bundles.mjs', import.meta.url).href)) as Bundles
const dockerfile = read('infra/docker/Dockerfile')
const resources = render(join(ROOT, 'infra/k8s/base'))
const alerts = read('infra/prometheus/alerts.yaml')

const built = Object.values(compose.services).flatMap(({ build }) => build?.args.APP ?? [])
const bundled = BUNDLES.map(({ workspace }) => workspace)
const stages = [...dockerfile.matchAll(/^FROM run AS (\S+)$/gm)].map(([, name = '']) => name)
const compiled = (command: string): string[] =>
  (new RegExp(`${command} (apps/[^\\n\\\\&]+)`).exec(dockerfile)?.[1] ?? '').trim().split(' ')
const containersOf = (resource: Resource): Array<{ image: string }> =>
  resource['spec']?.template?.spec?.containers ??
  resource['spec']?.jobTemplate?.spec?.template?.spec?.containers ??
  []
const images = resources.flatMap(containersOf).map(({ image }) => image.split(':')[0])
const hasResource = (kinds: readonly string[], name: string): boolean =>
  resources.some(({ kind, metadata }) => kinds.includes(kind) && metadata.name === name)
const wordIn = (text: string, word: string): boolean => new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(text)

/** The places that must name an app, and whether they do. */
function placesOf(name: string, { isService, queue }: App): Record<string, boolean> {
  return {
    [`apps/${name}`]: existsSync(join(ROOT, 'apps', name, 'package.json')),
    'tsconfig.json': read('tsconfig.json').includes(`"apps/${name}"`),
    'infra/tooling/scripts/bundles.mjs': bundled.includes(`apps/${name}`),
    'infra/docker/Dockerfile: stage': stages.includes(name),
    'infra/docker/Dockerfile: compile': compiled('tsc -b').includes(`apps/${name}`),
    'infra/docker/Dockerfile: bundle': compiled('bundle.mjs').includes(`apps/${name}`),
    'infra/docker/smoke.sh': wordIn(read('infra/docker/smoke.sh'), name),
    'docker-compose.yml': built.includes(name),
    'infra/k8s/base: image': images.includes(`filewright/${name}`),
    ...Object.fromEntries(
      ['small', 'production'].map((overlay) => [
        `infra/k8s/overlays/${overlay}`,
        read(`infra/k8s/overlays/${overlay}/kustomization.yaml`).includes(`name: filewright/${name},`)
      ])
    ),
    ...(isService
      ? {
          'infra/k8s/base: deployment': hasResource(['Deployment'], name),
          'infra/k8s/base/service-accounts.yaml': hasResource(['ServiceAccount'], name),
          'infra/k8s/base/disruption-budgets.yaml': hasResource(['PodDisruptionBudget'], name),
          'infra/k8s/base/autoscaling.yaml': hasResource(['HorizontalPodAutoscaler', 'ScaledObject'], name),
          'infra/k8s/base/network-policies.yaml': wordIn(read('infra/k8s/base/network-policies.yaml'), name),
          'infra/local/src/services/apps.ts': wordIn(read('infra/local/src/services/apps.ts'), name),
          'infra/tooling/scripts/config-docs.mjs': wordIn(read('infra/tooling/scripts/config-docs.mjs'), name)
        }
      : {}),
    ...(queue === undefined
      ? {}
      : {
          'infra/prometheus/alerts.yaml': alerts.includes(
            `filewright_queue_oldest_job_seconds{queue="${queue}"}`
          )
        })
  }
}

const missing = (places: Record<string, boolean>): string[] =>
  Object.keys(places).filter((place) => places[place] !== true)

t.test('every app of the table is in every place that needs it', async (t) => {
  for (const name of appNames) t.strictSame(missing(placesOf(name, APPS[name])), [], name)
})

t.test('a new worker that is only in the table is reported missing in every place', async (t) => {
  const places = placesOf('toy-worker', { flags: [], isService: true, queue: 'toy' })

  t.strictSame(missing(places), Object.keys(places))
  t.equal(Object.keys(places).length, 19)
})

t.test('no place names an app that is not in the table', async (t) => {
  const known = new Set<string>(appNames)
  const named = [
    ...built,
    ...stages,
    ...bundled.filter((workspace) => workspace.startsWith('apps/')).map((path) => path.slice('apps/'.length)),
    ...images.flatMap((image = '') =>
      image.startsWith('filewright/') ? image.slice('filewright/'.length) : []
    )
  ]

  t.ok(named.length >= 4 * appNames.length)
  t.strictSame(
    named.filter((name) => !known.has(name)),
    []
  )
})
