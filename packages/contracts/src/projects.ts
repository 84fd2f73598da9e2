import { Type, type Static } from '@filewright/schema'
import { fieldPatterns } from './field-patterns.js'
import { projectId } from './files.js'
import { limits } from './limits.js'

const exact = { additionalProperties: false }
const files = Type.Integer({ minimum: 0, description: 'Files in it' })
const bytes = Type.Integer({ minimum: 0, description: 'Their bytes' })
const after = (what: string) =>
  Type.Optional(
    Type.String({
      maxLength: limits.folderBytes,
      pattern: fieldPatterns.text,
      description: `Only ${what} after this one; a response has at most ${limits.namesPerAnswer}`
    })
  )

export const ProjectSummary = Type.Object(
  { id: Type.String({ description: 'Project' }), files, bytes },
  exact
)
export type ProjectSummary = Static<typeof ProjectSummary>

export const ProjectsResponse = Type.Object({ projects: Type.Array(ProjectSummary) }, exact)
export type ProjectsResponse = Static<typeof ProjectsResponse>

export const ListProjectsQuery = Type.Object({ after: after('projects') })
export type ListProjectsQuery = Static<typeof ListProjectsQuery>

export const FolderSummary = Type.Object(
  {
    name: Type.String({ description: 'Name of the sub-folder, without its parent' }),
    files,
    bytes
  },
  exact
)
export type FolderSummary = Static<typeof FolderSummary>

export const FoldersResponse = Type.Object({ folders: Type.Array(FolderSummary) }, exact)
export type FoldersResponse = Static<typeof FoldersResponse>

export const ListFoldersQuery = Type.Object({
  project_id: projectId,
  folder: Type.Optional(
    Type.String({
      pattern: fieldPatterns.folder,
      description: 'Parent folder; the root when absent'
    })
  ),
  after: after('names')
})
export type ListFoldersQuery = Static<typeof ListFoldersQuery>
