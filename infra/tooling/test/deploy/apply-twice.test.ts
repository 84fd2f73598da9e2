import { join, relative } from 'node:path'
import t from 'tap'
import { stringify } from 'yaml'
import { ROOT } from '../helpers/root.js'
import { render, withHashes, type Resource } from './helpers/kustomize.js'

/** The part of an existing object that the API server refuses to change. */
function immutablePart({ kind, spec }: Resource): unknown {
  switch (kind) {
    case 'Job':
      return [spec.selector, spec.template, spec.completions]
    case 'Deployment':
      return spec.selector
    case 'StatefulSet':
      return [spec.selector, spec.serviceName, spec.volumeClaimTemplates]
    case 'PersistentVolumeClaim':
      return { ...spec, resources: undefined }
    default:
      return undefined
  }
}

function immutableParts(resources: Resource[]): Record<string, unknown> {
  return Object.fromEntries(
    withHashes(resources).map((resource) => [
      `${resource.kind} ${resource.metadata.name}`,
      immutablePart(resource)
    ])
  )
}

for (const overlay of ['small', 'production']) {
  t.test(`overlays/${overlay} can be applied again after a change of any setting`, async (t) => {
    const folder = join(ROOT, 'infra/k8s/overlays', overlay)
    const before = render(folder)
    const maps = before.filter(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name !== 'clamav')
    t.ok(maps.length >= 5)

    for (const { metadata, data } of maps) {
      const name = metadata.name
      const [setting] = Object.keys(data)
      const own = t.testdir({ [name]: { 'kustomization.yaml': '' } })
      t.testdir({
        [name]: {
          'kustomization.yaml': stringify({
            namespace: 'filewright',
            resources: [relative(join(own, name), folder)],
            configMapGenerator: [{ name, behavior: 'merge', literals: [`${setting}=changed`] }]
          })
        }
      })
      const after = render(join(own, name))
      const [partsBefore, partsAfter] = [immutableParts(before), immutableParts(after)]

      t.not(
        Object.keys(partsAfter).find((key) => key.startsWith(`ConfigMap ${name}-`)),
        Object.keys(partsBefore).find((key) => key.startsWith(`ConfigMap ${name}-`)),
        `${name} has another name`
      )
      for (const [object, part] of Object.entries(partsAfter)) {
        if (object in partsBefore) t.strictSame(part, partsBefore[object], `${name}: ${object}`)
      }
    }
  })
}
