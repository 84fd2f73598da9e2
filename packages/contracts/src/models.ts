/** What a model can be used for. */
export const modelCapabilities = ['code', 'content', 'analysis'] as const
export type ModelCapability = (typeof modelCapabilities)[number]

export const modelIds = ['alpha-4o-mini', 'alpha-4o', 'beta-3', 'gamma'] as const
export type ModelId = (typeof modelIds)[number]

/** Used when a request names no model. */
export const defaultModelId: ModelId = 'alpha-4o-mini'

/**
 * Used for analyses and optimizations unless the operator chooses another. Reviewing code needs a better
 * model than writing a short piece of it.
 */
export const reviewModelId: ModelId = 'alpha-4o'

/** The public catalogue, in listing order. The configuration maps each entry to a runtime model. */
export const models = [
  {
    id: 'alpha-4o-mini',
    name: 'Alpha 4o mini',
    capabilities: ['code', 'content', 'analysis'],
    max_tokens: 128_000
  },
  { id: 'alpha-4o', name: 'Alpha 4o', capabilities: ['code', 'content', 'analysis'], max_tokens: 128_000 },
  { id: 'beta-3', name: 'Beta 3', capabilities: ['code', 'content', 'analysis'], max_tokens: 100_000 },
  { id: 'gamma', name: 'Gamma', capabilities: ['code', 'content'], max_tokens: 32_768 }
] as const satisfies ReadonlyArray<{
  id: ModelId
  name: string
  capabilities: readonly ModelCapability[]
  max_tokens: number
}>

export type CatalogueModel = (typeof models)[number]

export function isModelId(text: string): text is ModelId {
  return (modelIds as readonly string[]).includes(text)
}

const byId = new Map<ModelId, CatalogueModel>(models.map((model) => [model.id, model]))

export function modelOf(id: ModelId): CatalogueModel {
  const model = byId.get(id)
  if (model === undefined) throw new RangeError(`${id} is not in the catalogue`)
  return model
}
