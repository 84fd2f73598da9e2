export interface Resource {
  apiVersion: string
  kind: string
  metadata: {
    name: string
    namespace?: string
    labels?: Record<string, string>
    annotations?: Record<string, string>
  }
  [key: string]: any
}

interface Kustomize {
  render: (folder: string) => Resource[]
  withHashes: (resources: Resource[]) => Resource[]
}

export const { render, withHashes } = (await import(
  new URL('../../../../scripts/kustomize.mjs', import.meta.url).href
)) as Kustomize
