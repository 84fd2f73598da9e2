import type {
  DeleteFileResponse,
  DetailedFileInfo,
  DetailedFileResponse,
  DetailedFileSummary,
  DetailedListFilesResponse,
  EmptyTrashResponse,
  FolderSummary,
  FoldersResponse,
  Pagination,
  ProjectsResponse,
  ProjectSummary,
  Recall,
  RecallsResponse,
  ReceiptKey,
  ReceiptKeysResponse,
  ReceiptResponse,
  ServicePart,
  ServiceResponse,
  TrashedFile,
  TrashResponse,
  UploadedFile,
  UploadResponse,
  DeleteWebhookResponse,
  DeliveriesResponse,
  Delivery,
  ReplayResponse,
  RevokeTokenResponse,
  TokenInfo,
  TokenSecretResponse,
  TokensResponse,
  Webhook,
  WebhookResponse,
  WebhookSecretResponse,
  WebhooksResponse
} from '@filewright/contracts'
import {
  answer,
  arrayOf,
  base64,
  count,
  fileName,
  flag,
  folderName,
  folderPath,
  id,
  line,
  nullOr,
  objectOf,
  oneOf,
  optional,
  projectId,
  sha256,
  text,
  timestamp,
  webAddress
} from './checks.js'

// Checks of the service's responses. Names, ids and hashes become parts of paths and terminal output, so they
// must follow the service's own rules. Unknown keys of a later service are allowed.

const head = { id, name: fileName, size: count, type: line, created_at: timestamp }
const details = {
  folder: folderPath,
  description: nullOr(text),
  sha256,
  scanned_at: timestamp,
  scanner: nullOr(line)
}

const uploadedFile = objectOf<UploadedFile>({ ...head, url: webAddress })
const fileSummary = objectOf<DetailedFileSummary>({ ...head, ...details })
const fileInfo = objectOf<DetailedFileInfo>({
  ...head,
  ...details,
  url: webAddress,
  download_url: webAddress
})
const pagination = objectOf<Pagination>({ page: count, limit: count, total: count })

export const uploadAnswer = answer<UploadResponse>({ file: uploadedFile })
export const fileAnswer = answer<DetailedFileResponse>({ file: fileInfo })
export const filesAnswer = answer<DetailedListFilesResponse>({ files: arrayOf(fileSummary), pagination })
export const deleteAnswer = answer<DeleteFileResponse>({ message: text })

export const trashAnswer = answer<TrashResponse>({
  files: arrayOf(
    objectOf<TrashedFile>({ ...head, folder: folderPath, deleted_at: timestamp, expires_at: timestamp })
  ),
  pagination
})
export const emptyTrashAnswer = answer<EmptyTrashResponse>({ deleted: count })

export const recallsAnswer = answer<RecallsResponse>({
  recalls: arrayOf(
    objectOf<Recall>({
      id,
      project_id: nullOr(projectId),
      name: nullOr(fileName),
      folder: nullOr(folderPath),
      size: count,
      sha256,
      signature: nullOr(line),
      withdrawn_at: timestamp,
      downloaded_at: nullOr(timestamp),
      downloaders: count
    })
  )
})
export const receiptAnswer = answer<ReceiptResponse>({
  payloadType: oneOf('application/vnd.in-toto+json'),
  payload: base64,
  signatures: arrayOf(objectOf<ReceiptResponse['signatures'][number]>({ keyid: id, sig: base64 }))
})
export const receiptKeysAnswer = answer<ReceiptKeysResponse>({
  installation: id,
  keys: arrayOf(
    objectOf<ReceiptKey>({
      kty: line,
      crv: line,
      alg: line,
      use: line,
      kid: id,
      x: id,
      valid_from: timestamp,
      revoked_at: nullOr(timestamp)
    })
  )
})

const stored = { files: count, bytes: count }

export const projectsAnswer = answer<ProjectsResponse>({
  projects: arrayOf(objectOf<ProjectSummary>({ id: projectId, ...stored }))
})
export const foldersAnswer = answer<FoldersResponse>({
  folders: arrayOf(objectOf<FolderSummary>({ name: folderName, ...stored }))
})

const limit = nullOr(count)

export const serviceAnswer = answer<ServiceResponse>({
  status: oneOf('ok', 'degraded', 'unavailable'),
  parts: arrayOf(objectOf<ServicePart>({ name: line, state: line, note: optional(line) })),
  limits: objectOf<ServiceResponse['limits']>({
    requests_per_minute: count,
    ai_requests_per_minute: count,
    uploads_at_once: count,
    file_bytes: count,
    // Older servers do not send it.
    trash_days: optional(count)
  }),
  usage: objectOf<ServiceResponse['usage']>({ ...stored, max_files: limit, max_bytes: limit }),
  // Older servers do not send it.
  token: optional(
    objectOf<ServiceResponse['token']>({
      id: optional(line),
      name: line,
      is_local: flag,
      projects: optional(nullOr(arrayOf(projectId))),
      expires_at: optional(nullOr(timestamp)),
      is_operator: optional(flag)
    })
  )
})

const webhook = {
  id,
  project_id: projectId,
  url: webAddress,
  events: arrayOf(line),
  description: text,
  enabled: flag,
  created_at: timestamp,
  failing_since: nullOr(timestamp),
  disabled_at: nullOr(timestamp),
  disabled_reason: nullOr(line)
}

export const webhookAnswer = answer<WebhookResponse>({ webhook: objectOf<Webhook>(webhook) })
export const webhookSecretAnswer = answer<WebhookSecretResponse>({
  webhook: objectOf<WebhookSecretResponse['webhook']>({ ...webhook, secret: line })
})
export const webhooksAnswer = answer<WebhooksResponse>({ webhooks: arrayOf(objectOf<Webhook>(webhook)) })
const token = {
  id: line,
  name: line,
  projects: nullOr(arrayOf(projectId)),
  is_operator: flag,
  created_at: timestamp,
  expires_at: nullOr(timestamp),
  revoked_at: nullOr(timestamp),
  max_files: limit,
  max_bytes: limit
}
export const tokensAnswer = answer<TokensResponse>({
  tokens: arrayOf(objectOf<TokenInfo>(token)),
  next: nullOr(line)
})
export const tokenSecretAnswer = answer<TokenSecretResponse>({
  token: objectOf<TokenSecretResponse['token']>({ ...token, secret: line })
})
export const revokeTokenAnswer = answer<RevokeTokenResponse>({ message: text })
export const deleteWebhookAnswer = answer<DeleteWebhookResponse>({ message: text })
export const deliveriesAnswer = answer<DeliveriesResponse>({
  deliveries: arrayOf(
    objectOf<Delivery>({
      id,
      event_id: id,
      type: nullOr(line),
      state: oneOf('pending', 'delivered', 'failed'),
      attempts: count,
      created_at: timestamp,
      attempted_at: nullOr(timestamp),
      next_attempt_at: nullOr(timestamp),
      status: nullOr(count),
      duration_ms: nullOr(count),
      error: nullOr(line),
      response: nullOr(text)
    })
  )
})
export const replayAnswer = answer<ReplayResponse>({ replayed: count })
export const eventAnswer = answer<{ type: string; timestamp: string; data: object }>({
  type: line,
  timestamp,
  data: objectOf({})
})
