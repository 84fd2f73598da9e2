import {
  AnalysisBatchResult,
  AnalysisResult,
  AnalyzeBatchRequest,
  AnalyzeRequest,
  DeleteFileResponse,
  DetailedFileResponse,
  DetailedListFilesResponse,
  ErrorResponse,
  FileResponse,
  FoldersResponse,
  GenerateRequest,
  GenerationResult,
  ListFilesResponse,
  ModelsResponse,
  OptimizationResult,
  OptimizeRequest,
  ProjectsResponse,
  ServiceResponse,
  UploadForm,
  UploadResponse
} from '@filewright/contracts'
import { parameters, responseHeaders } from './headers.js'
import { createPaths } from './operations.js'

/**
 * As in package.json, which a test compares: neither the bundle nor the image has that file at a fixed place.
 */
const VERSION = '0.1.0'

export interface OpenApiOptions {
  baseUrl: string
  cdnUrl: string
}

const description = `Store files in projects, each scanned for malware before anyone can read it, and generate, analyze and optimize code.

Every error is \`{ "error": "<sentence>" }\`. Beside what each operation lists, an unknown path is 404, a known path under another method 405 with \`Allow\`, and what never
became a request (broken HTTP, too large or too slow headers) 400, 431 or 408 on a connection that is then closed.`

/**
 * The OpenAPI 3.1 document. TypeBox's schemas are JSON Schema, which is what 3.1 speaks: nothing is said a
 * second time.
 */
export function createOpenApiDocument({ baseUrl, cdnUrl }: OpenApiOptions) {
  return {
    openapi: '3.1.0',
    info: { title: 'Filewright', version: VERSION, description, license: { name: 'MIT', identifier: 'MIT' } },
    // The first is where this document was read, whatever name the reader has for this machine.
    servers: [{ url: new URL(baseUrl).pathname, description: 'This server' }, { url: baseUrl }],
    security: [{ token: [] }],
    tags: [
      { name: 'files', description: 'Files of projects' },
      { name: 'projects', description: 'Projects and their folders' },
      { name: 'ai', description: 'Models and analyzers' },
      { name: 'service', description: 'The service itself' },
      {
        name: 'cdn',
        description: 'Public addresses: the unguessable id, or the signature beside it, is the permission'
      }
    ],
    paths: createPaths({ baseUrl, cdnUrl }),
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access token, as `npm start` or the admin command `token create` prints it'
        }
      },
      headers: responseHeaders,
      parameters,
      schemas: {
        AnalysisBatchResult,
        AnalysisResult,
        AnalyzeBatchRequest,
        AnalyzeRequest,
        DeleteFileResponse,
        DetailedFileResponse,
        DetailedListFilesResponse,
        ErrorResponse,
        FileResponse,
        FoldersResponse,
        GenerateRequest,
        GenerationResult,
        ListFilesResponse,
        ModelsResponse,
        OptimizationResult,
        OptimizeRequest,
        ProjectsResponse,
        ServiceResponse,
        UploadForm,
        UploadResponse
      }
    }
  }
}
