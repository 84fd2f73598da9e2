import { Type, type Static } from '@filewright/schema'
import { fieldPatterns } from './field-patterns.js'
import { projectId } from './files.js'
import { limits } from './limits.js'

const folder = (description: string) => Type.String({ pattern: fieldPatterns.folder, description })

/** Without `folders` and `files`, the archive contains everything in `folder` and below it. */
export const ZipRequest = Type.Object(
  {
    project_id: projectId,
    folder: Type.Optional(
      folder('Names in the archive are relative to this folder; default the root of the project')
    ),
    folders: Type.Optional(
      Type.Array(folder('A folder of the project, including everything below it'), {
        maxItems: limits.foldersPerZip
      })
    ),
    files: Type.Optional(
      Type.Array(Type.String({ description: 'The id of a file' }), { maxItems: limits.filesPerZip })
    ),
    after: Type.Optional(
      Type.String({
        maxLength: limits.filePathChars,
        description:
          'Only entries whose name in the archive sorts after this one, to continue an interrupted download'
      })
    )
  },
  { additionalProperties: false }
)
export type ZipRequest = Static<typeof ZipRequest>
