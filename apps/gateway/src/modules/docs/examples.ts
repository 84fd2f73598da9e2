import {
  models,
  sentences,
  type AnalysisBatchResult,
  type AnalysisResult,
  type AnalyzeBatchRequest,
  type AnalyzeRequest,
  type ChangeWebhookRequest,
  type CreateWebhookRequest,
  type DeleteWebhookResponse,
  type DeliveriesResponse,
  type ReplayRequest,
  type ReplayResponse,
  type RotateWebhookRequest,
  type WebhookResponse,
  type WebhookSecretResponse,
  type WebhooksResponse,
  type ChangeFileRequest,
  type DeleteFileResponse,
  type DetailedFileResponse,
  type DetailedListFilesResponse,
  type EmptyTrashResponse,
  type FileResponse,
  type FoldersResponse,
  type GenerateRequest,
  type GenerationResult,
  type ListFilesResponse,
  type ModelsResponse,
  type OptimizationResult,
  type OptimizeRequest,
  receiptPayloadType,
  type ProjectsResponse,
  type RecallsResponse,
  type ReceiptKeysResponse,
  type ReceiptResponse,
  type ServiceResponse,
  type TrashResponse,
  type UploadForm,
  type UploadResponse,
  type ZipRequest,
  type GenerationResponse,
  type GenerationsResponse,
  type GenerationSummary,
  type GenerationUsageResponse
} from '@filewright/contracts'
import { tokenExamples, type TokenExamples } from './token-examples.js'

/**
 * Examples in the document, and the default requests of the reference page. A test validates each one against
 * its schema.
 */
export const fileId = '4fR8uW2cXz0LkJ9sQvYbNe'
export const generationId = '1bHq7TzM5pKd3wVxR0eGuA'
const created = '2026-01-15T09:30:00.000Z'
const file = { id: fileId, name: 'report.pdf', size: 48_213, type: 'application/pdf', created_at: created }
const details = {
  folder: 'reports/2026',
  description: 'Figures of the year',
  sha256: '5e'.repeat(32),
  scanned_at: created,
  scanner: 'ClamAV 1.4.3/27460'
}
/** The thumbprint of the key in RFC 8037. */
const keyid = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'
const installationId = '7Kd2mVxQ0pRt5YcWb9NhLe'
const loop = 'for (var i = 0; i < items.length; i++) {\n  console.log(items[i])\n}'
const first = 'export function first (list) { var item = list[0]; return item }'

interface Examples extends TokenExamples {
  uploadForm: Omit<UploadForm, 'file'>
  uploaded: (url: string) => UploadResponse
  info: (url: string, downloadUrl: string) => FileResponse
  detailedInfo: (url: string, downloadUrl: string) => DetailedFileResponse
  list: ListFilesResponse
  changeFile: ChangeFileRequest
  detailedList: DetailedListFilesResponse
  projects: ProjectsResponse
  folders: FoldersResponse
  deleted: DeleteFileResponse
  trash: TrashResponse
  zip: ZipRequest
  generation: GenerationResponse
  generations: GenerationsResponse
  generationUsage: GenerationUsageResponse
  erased: DeleteFileResponse
  emptied: EmptyTrashResponse
  recalls: RecallsResponse
  receipt: ReceiptResponse
  receiptKeys: ReceiptKeysResponse
  generate: GenerateRequest
  generated: GenerationResult
  analyze: AnalyzeRequest
  analyzed: AnalysisResult
  analyzeBatch: AnalyzeBatchRequest
  analyzedBatch: AnalysisBatchResult
  optimize: OptimizeRequest
  optimized: OptimizationResult
  models: ModelsResponse
  service: ServiceResponse
  createWebhook: CreateWebhookRequest
  webhookCreated: WebhookSecretResponse
  webhook: WebhookResponse
  webhooks: WebhooksResponse
  changeWebhook: ChangeWebhookRequest
  rotateWebhook: RotateWebhookRequest
  webhookDeleted: DeleteWebhookResponse
  deliveries: DeliveriesResponse
  replay: ReplayRequest
  replayed: ReplayResponse
}

const webhook: WebhookResponse['webhook'] = {
  id: '6mTq2RzC8nKd5wVxJ1eGuB',
  project_id: 'demo',
  url: 'https://example.com/hook',
  events: ['file.created', 'file.withdrawn'],
  description: 'Index of the reports',
  enabled: true,
  created_at: created,
  failing_since: null,
  disabled_at: null,
  disabled_reason: null
}

const analyzed: AnalysisResult = {
  analysis: [{ type: 'suggestion', message: '`var` is scoped to the whole function.', line: 1 }],
  score: 98,
  suggestions: ['Use `let` or `const`.']
}

const generation: GenerationSummary = {
  id: generationId,
  kind: 'generate',
  type: 'code',
  model: 'alpha-4o-mini',
  engine: 'model',
  status: 'succeeded',
  tokens_used: 412,
  started_at: created,
  duration_ms: 2_300
}

export const examples: Examples = {
  uploadForm: { project_id: 'demo', folder: 'reports/2026', description: 'Figures of the year' },
  uploaded: (url) => ({ file: { ...file, url } }),
  info: (url, downloadUrl) => ({ file: { ...file, url, download_url: downloadUrl } }),
  detailedInfo: (url, downloadUrl) => ({ file: { ...file, url, download_url: downloadUrl, ...details } }),
  changeFile: { name: 'report-final.pdf', folder: 'reports/2026' },
  list: { files: [file], pagination: { page: 1, limit: 20, total: 1 } },
  detailedList: { files: [{ ...file, ...details }], pagination: { page: 1, limit: 20, total: 1 } },
  projects: { projects: [{ id: 'demo', files: 1, bytes: 48_213 }] },
  folders: { folders: [{ name: 'reports', files: 1, bytes: 48_213 }] },
  deleted: { message: sentences.fileDeleted },
  trash: {
    files: [
      {
        ...file,
        folder: details.folder,
        deleted_at: '2026-02-01T12:00:00.000Z',
        expires_at: '2026-02-08T12:00:00.000Z'
      }
    ],
    pagination: { page: 1, limit: 20, total: 1 }
  },
  zip: { project_id: 'demo', folder: 'reports', folders: ['reports/2026'], files: [fileId] },
  erased: { message: sentences.fileErased },
  emptied: { deleted: 12 },
  recalls: {
    recalls: [
      {
        id: fileId,
        project_id: 'demo',
        name: file.name,
        folder: details.folder,
        size: file.size,
        sha256: details.sha256,
        signature: 'Win.Test.EICAR_HDB-1',
        withdrawn_at: '2026-02-01T12:00:00.000Z',
        downloaded_at: '2026-01-20T08:00:00.000Z',
        downloaders: 2
      }
    ]
  },
  receipt: {
    payloadType: receiptPayloadType,
    payload: 'eyJfdHlwZSI6Imh0dHBzOi8vaW4tdG90by5pby9TdGF0ZW1lbnQvdjEiLCJzdWJqZWN0Ijpb…',
    signatures: [{ keyid, sig: 'qQm0eyCm6uH0VdZcvPpvQ7mHfCkPj2dUuJj5oEdFWqyYvJ1QhYJ3rVYhVnWl0zYq…' }]
  },
  receiptKeys: {
    installation: installationId,
    keys: [
      {
        kty: 'OKP',
        crv: 'Ed25519',
        alg: 'EdDSA',
        use: 'sig',
        kid: keyid,
        x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
        valid_from: created,
        revoked_at: null
      }
    ]
  },
  generation: {
    generation: {
      ...generation,
      request: {
        prompt: 'A debounce function',
        type: 'code',
        language: 'typescript',
        model: 'alpha-4o-mini'
      },
      result: { content: 'export function debounce…' }
    }
  },
  generations: { generations: [generation], next: null },
  generationUsage: {
    days: 30,
    usage: [{ day: '2026-01-15', model: 'alpha-4o-mini', engine: null, requests: 12, tokens: 4_100 }]
  },
  generate: { prompt: 'A debounce function', type: 'code', language: 'typescript', model: 'alpha-4o-mini' },
  generated: {
    id: generationId,
    content: 'export function debounce…',
    type: 'code',
    model: 'alpha-4o-mini',
    tokens_used: 412,
    created_at: created
  },
  analyze: { code: loop, language: 'javascript', analysis_type: 'style' },
  analyzed,
  analyzeBatch: {
    files: [{ path: 'src/sum.js', code: loop, language: 'javascript' }],
    analysis_type: 'style'
  },
  analyzedBatch: { files: [{ path: 'src/sum.js', ...analyzed }] },
  optimize: { code: first, language: 'javascript', optimization_type: 'readability' },
  optimized: {
    optimized_code: first.replace('var', 'const'),
    changes: [{ type: 'refactor', description: 'Declared with const what never changes.', line: 1 }],
    improvements: [
      'Removed 1 style finding',
      'Raised the analysis score from 98 to 100',
      'Same results on 370 generated inputs for 1 function'
    ]
  },
  models: { models: models.map((model) => ({ ...model, capabilities: [...model.capabilities] })) },
  service: {
    status: 'degraded',
    parts: [
      { name: 'scanner', state: 'ok' },
      { name: 'models', state: 'degraded', note: 'models-missing' }
    ],
    limits: {
      requests_per_minute: 600,
      ai_requests_per_minute: 60,
      uploads_at_once: 128,
      file_bytes: 52_428_800,
      trash_days: 7
    },
    usage: { files: 120, bytes: 48_213_000, max_files: 5_000, max_bytes: null },
    token: {
      id: '2cIr8UaN6qLe4xWyS1hFvB',
      name: 'ci',
      is_local: false,
      projects: ['demo'],
      expires_at: null,
      is_operator: false
    }
  },
  ...tokenExamples,
  createWebhook: {
    project_id: 'demo',
    url: webhook.url,
    events: webhook.events,
    description: webhook.description
  },
  webhookCreated: { webhook: { ...webhook, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' } },
  webhook: { webhook },
  webhooks: { webhooks: [webhook] },
  changeWebhook: { events: ['file.withdrawn'], enabled: true },
  rotateWebhook: { overlap_hours: 24 },
  webhookDeleted: { message: sentences.webhookDeleted },
  deliveries: {
    deliveries: [
      {
        id: '1207',
        event_id: 'evt_2s_1',
        type: 'file.created',
        state: 'pending',
        attempts: 1,
        created_at: created,
        attempted_at: created,
        next_attempt_at: '2026-01-15T09:30:05.000Z',
        status: 500,
        duration_ms: 87,
        error: null,
        response: 'Internal Server Error'
      }
    ]
  },
  replay: { from: created, to: '2026-01-15T10:00:00.000Z' },
  replayed: { replayed: 12 }
}
