export { createDatabase, type Database, type DatabaseOptions } from './database.js'
export { migrate, type MigrateOptions } from './migrations/migrate.js'
export { upgradeObstacles, type UpgradeObstacle } from './migrations/upgrade-obstacles.js'
export { migrationState, type MigrationState } from './migrations/migration-state.js'
export type {
  DownloadEntry,
  DownloadsRepository,
  RecallOptions,
  RecallRecord
} from './repositories/downloads.repository.js'
export type { FilesRepository } from './repositories/files.repository.js'
export type { FileFilter, FileOrder, ListOptions, ListPosition } from './repositories/files.list.js'
export type { FileChanges, NewFile, RefusedUpload, ScannedUpload } from './repositories/files.queries.js'
export { eventIdOf, parseEventId, type EventPosition } from './event-id.js'
export type {
  AttemptResult,
  ClaimedDelivery,
  ClaimOptions,
  DeliveriesRepository,
  DeliveryRecord,
  DeliveryState,
  RecordedAttempt
} from './repositories/deliveries.repository.js'
export type {
  NewWebhookEndpoint,
  WebhookChanges,
  WebhookEndpointRecord,
  WebhooksRepository
} from './repositories/webhooks.repository.js'
export type { EventGap, EventRecord, EventsRepository } from './repositories/events.repository.js'
export type { FolderOptions, FoldersRepository, FolderSummary } from './repositories/folders.repository.js'
export type {
  GenerationPosition,
  GenerationResult,
  GenerationsRepository,
  GenerationUsage,
  GenerationWithTexts,
  ListedGeneration,
  NewGeneration
} from './repositories/generations.repository.js'
export type { KeyClaim, KeyCompletion, KeyHolder } from './repositories/idempotency.queries.js'
export type { IdempotencyRecord, IdempotencyRepository } from './repositories/idempotency.repository.js'
export type {
  InstallationRecord,
  InstallationRepository,
  UnknownTime
} from './repositories/installation.repository.js'
export type { ProjectPageOptions, ProjectsRepository } from './repositories/projects.repository.js'
export type { PublishOutcome, QuotaRefusal, UploadQuotas } from './repositories/publish.js'
export type { QuotasRepository } from './repositories/quotas.repository.js'
export type { Issuer, ReceiptKeyRecord, ReceiptsRepository } from './repositories/receipts.repository.js'
export type { RescanClaim, RescansRepository } from './repositories/rescans.repository.js'
export type { NewToken, TokensRepository } from './repositories/tokens.repository.js'
export type {
  FileSelection,
  SelectedFile,
  SelectionsRepository
} from './repositories/selections.repository.js'
export type {
  MoveCounts,
  StoreMovesRepository,
  UncopiedFile
} from './repositories/store-moves.repository.js'
export type { KeptFileRecord, TrashListOptions, TrashRepository } from './repositories/trash.repository.js'
export type {
  FileRecord,
  FileState,
  GenerationKind,
  GenerationOutcome,
  GenerationRecord,
  ProjectSummary,
  ProjectUsage,
  Quota,
  QuotaUsage,
  ReadyFileRecord,
  StoredFileRecord,
  TokenRecord,
  TrashedFileRecord,
  Usage
} from './records.js'
