import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ROOT } from '../helpers/root.js'
import { render, type Resource } from './helpers/kustomize.js'
import { containersOf, podOf } from './helpers/pods.js'

const guide = readFileSync(join(ROOT, 'docs/operations/kubernetes.md'), 'utf8')
/** DNS, metrics and the node's own agents. */
const SYSTEM = { cpus: 0.3, gib: 0.3 }

interface Size {
  cpus: number
  gib: number
}

function sizeOf(pod: any): Size {
  const requests = containersOf(pod).map(({ resources }) => resources.requests)
  return {
    cpus: requests.reduce((sum, { cpu }) => sum + cpusOf(cpu), 0),
    gib: requests.reduce((sum, { memory }) => sum + gibOf(memory), 0)
  }
}

function cpusOf(quantity: string): number {
  return quantity.endsWith('m') ? Number(quantity.slice(0, -1)) / 1_000 : Number(quantity)
}

function gibOf(quantity: string): number {
  const [, number, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? []
  if (unit === undefined) throw new Error(`unknown unit: ${quantity}`)
  return unit === 'Gi' ? Number(number) : Number(number) / 1_024
}

/** The number of pods of a workload during a rollout, at the smallest size that autoscaling allows. */
function podsOf({ kind, metadata, spec }: Resource, resources: Resource[]): number {
  const scaler = resources.find(
    (other) => other['spec']?.scaleTargetRef?.name === metadata.name && kind === 'Deployment'
  )
  const replicas = scaler?.['spec'].minReplicas ?? scaler?.['spec'].minReplicaCount ?? spec.replicas ?? 1
  const isReplaced = kind !== 'Deployment' || spec.strategy?.type === 'Recreate'
  const surge = isReplaced ? 0 : (spec.strategy?.rollingUpdate?.maxSurge ?? '25%')
  const extra = typeof surge === 'string' ? Math.ceil((replicas * Number.parseInt(surge)) / 100) : surge
  return replicas + extra
}

for (const overlay of ['small', 'production']) {
  t.test(`overlays/${overlay} fits the cluster size in the guide, even during a rollout`, async (t) => {
    const resources = render(join(ROOT, 'infra/k8s/overlays', overlay))
    const total = { ...SYSTEM }
    for (const resource of resources) {
      if (podOf(resource) === undefined) continue
      const { cpus, gib } = sizeOf(podOf(resource))
      total.cpus += cpus * podsOf(resource, resources)
      total.gib += gib * podsOf(resource, resources)
    }
    const [, cpus, gib] =
      new RegExp(`\\| \`overlays/${overlay}\` \\| (\\d+) CPUs, (\\d+) GiB \\|`).exec(guide) ?? []

    t.ok(total.cpus <= Number(cpus), `${total.cpus.toFixed(2)} of ${cpus} CPUs`)
    t.ok(total.gib <= Number(gib), `${total.gib.toFixed(2)} of ${gib} GiB`)
    if (overlay === 'small') t.match([cpus, gib], ['2', '4'])
  })
}
