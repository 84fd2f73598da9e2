export {
  BadRequestError,
  ConflictError,
  ConnectionError,
  FilewrightError,
  ForbiddenError,
  IntegrityError,
  NotFoundError,
  ServiceError,
  TimeoutError,
  TooManyRequestsError,
  UnauthorizedError
} from './errors.js'
export type { AiApi, Generation } from './ai.js'
export type { Download } from './download.js'
export type {
  DownloadOptions,
  FilesApi,
  ListOptions,
  Progress,
  UploadOptions,
  ZipDownload,
  ZipOptions
} from './files.js'
export type { FilewrightOptions } from './filewright.js'
export type { RecallsOptions } from './recalls.js'
export type { TrashApi, TrashListOptions } from './trash.js'
export type { EventOptions, ReceivedEvent } from './follow-events.js'
export type { TokensApi } from './tokens.js'
export type { WebhooksApi } from './webhooks.js'
export type { UploadSource } from './source.js'
export type { CallOptions } from './transport.js'
export type {
  AnalysisBatchResult,
  AnalysisResult,
  AnalyzeBatchRequest,
  AnalyzeRequest,
  Change,
  DetailedFileInfo,
  DetailedFileSummary,
  DetailedListFilesResponse,
  Finding,
  FolderSummary,
  GenerateRequest,
  GenerationResult,
  GenerationsResponse,
  GenerationDetails,
  GenerationSummary,
  RecordedRequest,
  RecordedResult,
  GenerationUsageResponse,
  ModelRecord,
  OptimizationResult,
  OptimizeRequest,
  ProjectSummary,
  Recall,
  ReceiptKeysResponse,
  ReceiptResponse,
  SarifLog,
  ServicePart,
  ServiceResponse,
  SortOrder,
  TrashedFile,
  TrashResponse,
  UploadedFile,
  CreateTokenRequest,
  CreateWebhookRequest,
  TokenInfo,
  TokenSecretResponse,
  TokensResponse,
  ChangeWebhookRequest,
  Delivery,
  ReplayRequest,
  Webhook,
  EventType,
  UsageEntry
} from '@filewright/contracts'
