export { withoutRecord } from './blobs-without-record.js'
export {
  parseDescription,
  parseFileName,
  parseFolder,
  parseProjectId,
  parseText,
  parseTokenName
} from './fields.js'
export {
  defaultQuotas,
  GatewayConfig,
  loadGatewayConfig,
  quotaConfig,
  trustedProxies,
  type ResolvedConfig,
  type TrustedProxies
} from './gateway-config.js'
export { storeName, type Places } from './identity/places.js'
export { sampleContents, type Contents } from './identity/contents.js'
export { assertSameIdentity, compareIdentity, type IdentityDeps } from './identity/establish.js'
export { formatMarker, parseMarker } from './identity/identity.js'
export { createStoreGuard, guardedBlobs, type StoreGuard } from './identity/store-guard.js'
export { currentPlaces } from './stores/current-places.js'
export { copyBlob, type CopiedBlob, type CopyOptions } from './stores/copy-blob.js'
export { routedBlobs, type RoutedBlobs, type UploadPlace } from './stores/routed-blobs.js'
export { createStoreSet, type ConfiguredStore, type StoreSet, type StoreView } from './stores/store-set.js'
export { effectiveQuota, QuotaExceededError, type ExceededQuota } from './quotas.js'
export { createRequestVerdict, type RequestVerdict } from './request-verdict.js'
export { createRescanFile, type RescanFile } from './rescan-file.js'
export {
  createWebhookEndpoints,
  type NewWebhook,
  type Replay,
  type WebhookEndpoints,
  type WithSecret
} from './webhooks/webhook-endpoints.js'
export {
  parseDeliveryState,
  parseEventReference,
  parseEventTime,
  parseEventTypes,
  parseOverlapHours
} from './webhooks/webhook-fields.js'
