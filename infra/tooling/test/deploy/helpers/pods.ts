import type { Resource } from './kustomize.js'

/** The pods that a workload makes; undefined for a resource that makes none. */
export function podTemplateOf({ spec }: Resource): any {
  return spec?.template ?? spec?.jobTemplate?.spec.template
}

export function podOf(resource: Resource): any {
  return podTemplateOf(resource)?.spec
}

/** Sidecars first, as they start. */
export function containersOf(pod: any): Array<Record<string, any>> {
  return [...(pod.initContainers ?? []), ...pod.containers]
}
