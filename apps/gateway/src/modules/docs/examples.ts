import {
  models,
  sentences,
  type AnalysisBatchResult,
  type AnalysisResult,
  type AnalyzeBatchRequest,
  type AnalyzeRequest,
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
  type ProjectsResponse,
  type ServiceResponse,
  type TrashResponse,
  type UploadForm,
  type UploadResponse,
  type ZipRequest,
  type GenerationsResponse,
  type GenerationUsageResponse
} from '@filewright/contracts'

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
const loop = 'for (var i = 0; i < items.length; i++) {\n  console.log(items[i])\n}'
const first = 'export function first (list) { var item = list[0]; return item }'

interface Examples {
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
  generations: GenerationsResponse
  generationUsage: GenerationUsageResponse
  erased: DeleteFileResponse
  emptied: EmptyTrashResponse
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
}

const analyzed: AnalysisResult = {
  analysis: [{ type: 'suggestion', message: '`var` is scoped to the whole function.', line: 1 }],
  score: 98,
  suggestions: ['Use `let` or `const`.']
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
  generations: {
    generations: [
      {
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
    ],
    next: null
  },
  generationUsage: {
    days: 30,
    usage: [{ day: '2026-01-15', model: 'alpha-4o-mini', requests: 12, tokens: 4_100 }]
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
    token: { name: 'ci', is_local: false, projects: ['demo'], expires_at: null }
  }
}
