export { allowanceOf, bulkPauseMs, type Allowance } from './allowance.js'
// Separate from the schemas, which a browser does not need.
export { partNoteSentences, partNotes, type PartNote } from './part-notes.js'
export { fieldPatterns } from './field-patterns.js'
export { limits } from './limits.js'
export { proofSentence, withoutProof } from './proof.js'
export { safeJson, safeText } from './safe-text.js'
export { formatBytes } from './sizes.js'
export { quotaSentence, sentences } from './sentences.js'
export {
  aiRejectionCodes,
  rejectionCodes,
  type AiRejection,
  type AiRejectionCode,
  type Rejection,
  type RejectionCode
} from './rejections.js'
export {
  explainFailure,
  isFailure,
  paceNote,
  rateLimitNote,
  reasons,
  type FailureFacts,
  type Reason,
  type ReasonCode
} from './reasons.js'
export {
  eventBodies,
  eventData,
  eventTypes,
  isEventType,
  operatorEventTypes,
  projectEventTypes,
  type EventBody,
  type EventData,
  type EventType
} from './events.js'
export {
  ChangeWebhookRequest,
  CreateWebhookRequest,
  DeleteWebhookResponse,
  DeliveriesResponse,
  Delivery,
  deliveryStates,
  ListDeliveriesQuery,
  ListEventsQuery,
  ListWebhooksQuery,
  ReplayRequest,
  ReplayResponse,
  RotateWebhookRequest,
  Webhook,
  WebhookParams,
  WebhookResponse,
  WebhookSecretResponse,
  WebhooksResponse
} from './webhooks.js'
export { fileKinds, isFileKind, type FileKind } from './file-kinds.js'
export { ErrorResponse } from './errors.js'
export {
  ChangeFileRequest,
  DeleteFileResponse,
  DetailedFileInfo,
  DetailedFileResponse,
  DetailedFileSummary,
  DetailedListFilesResponse,
  detailedMediaType,
  FileInfo,
  FileParams,
  FileResponse,
  FileSummary,
  ListFilesQuery,
  ListFilesResponse,
  Pagination,
  sortOrders,
  UploadedFile,
  UploadForm,
  UploadResponse,
  type SortOrder
} from './files.js'
export {
  EmptyTrashQuery,
  EmptyTrashResponse,
  ListTrashQuery,
  TrashedFile,
  TrashResponse
} from './trash.js'
export { ListRecallsQuery, Recall, RecallsResponse } from './recalls.js'
export {
  ReceiptKey,
  ReceiptKeysResponse,
  receiptPayloadType,
  receiptPredicateType,
  ReceiptResponse,
  ReceiptStatement,
  statementType
} from './receipts.js'
export { ZipRequest } from './zip.js'
export {
  type GenerationDetails,
  type GenerationParams,
  GenerationResponse,
  GenerationsResponse,
  GenerationSummary,
  GenerationUsageResponse,
  generationKinds,
  generationStatuses,
  ListGenerationsQuery,
  type RecordedRequest,
  type RecordedResult,
  UsageEntry
} from './history.js'
export {
  FoldersResponse,
  FolderSummary,
  ListFoldersQuery,
  ListProjectsQuery,
  ProjectsResponse,
  ProjectSummary
} from './projects.js'
export {
  analysisTypes,
  AnalysisBatchResult,
  AnalysisResult,
  AnalyzeBatchRequest,
  AnalyzeRequest,
  Change,
  changeTypes,
  DetailedAnalysisResult,
  Finding,
  findingTypes,
  GenerateRequest,
  generationTypes,
  GenerationResult,
  ModelRecord,
  ModelsResponse,
  OptimizationResult,
  optimizationTypes,
  OptimizeRequest,
  Proof,
  type AnalysisType,
  type ChangeType,
  type FindingType,
  type GenerationType,
  type OptimizationType
} from './ai.js'
export {
  defaultModelId,
  isModelId,
  modelCapabilities,
  modelIds,
  modelOf,
  models,
  reviewModelId,
  type CatalogueModel,
  type ModelCapability,
  type ModelId
} from './models.js'
export { canonicalLanguage, languages, type Language } from './languages.js'
export { analyzedLanguages, hasAnalyzer } from './analyzed-languages.js'
export {
  partStates,
  ServicePart,
  serviceParts,
  ServiceResponse,
  type PartState,
  type ServicePartName
} from './service.js'
export {
  filesOfSarif,
  rulePath,
  severityNames,
  type AnalyzedFile,
  type RuledFinding,
  type SeverityName
} from './findings.js'
export { fixOfLine, isFixed, withLineFix, type DiffHunk, type LineFix } from './line-fixes.js'
export { scoreHalfWeight, scoreOf, typeWeights } from './score.js'
export { fingerprintKeys, type Fingerprints } from './fingerprints.js'
export {
  fingerprintsIn,
  levelOf,
  ruleIdOf,
  sarifLevels,
  sarifMediaType,
  toSarif,
  type BaselineState,
  type SarifFile,
  type SarifFinding,
  type SarifLevel,
  type SarifLog
} from './sarif.js'
export {
  CreateTokenRequest,
  ListTokensQuery,
  MAX_TOKEN_DAYS,
  RevokeTokenResponse,
  TokenInfo,
  TokenSecretResponse,
  TokensResponse,
  type TokenParams
} from './tokens.js'
export { answererOf, expiryText, quotaText } from './shared-words.js'
