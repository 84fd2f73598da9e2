import { Prisma, type Client } from '../client.js'
import type { ProjectSummary, ProjectUsage, Usage } from '../records.js'
import type { RunStatement, Statement } from '../statements.js'
import type { Turns } from '../turns.js'

export interface ProjectPageOptions {
  /** Absent: all projects. */
  ids?: string[]
  /** Only ids after this one. */
  after: string
  limit: number
}

export interface ProjectsRepository {
  /** By id, with the maintained counts; waits for the token's turn. */
  page: (options: ProjectPageOptions, tokenId: string) => Promise<Array<Usage & { id: string }>>
  list: () => Promise<ProjectSummary[]>
  /** Creates the project, without files, if it does not exist. Null: the bucket's own class. */
  setStorageClass: (id: string, storageClass: string | null) => Promise<void>
  /** Those of all projects, each once, with one of its projects. */
  storageClasses: () => Promise<Array<{ storageClass: string; projectId: string }>>
  /** Null if the project never had an upload. */
  usage: (id: string) => Promise<ProjectUsage | null>
}

interface SummaryRow {
  id: string
  createdAt: Date
  files: bigint
  bytes: bigint
}

interface UsageRow {
  kind: string | null
  files: bigint
  bytes: bigint
}

const totals = Prisma.sql`count(f.id) AS files, coalesce(sum(f.size_bytes), 0)::bigint AS bytes`

/** Files that are not ready add neither to the number of files nor to the bytes. */
const withReadyFiles = Prisma.sql`FROM projects p LEFT JOIN files f ON f.project_id = p.id AND f.state = 'ready'`

/** Selects projects first, so counts beyond the page are not read. */
const pageOfProjects: Statement = {
  text: `
    SELECT p.id, coalesce(sum(c.ready), 0)::float8 AS files, coalesce(sum(c.bytes), 0)::float8 AS bytes FROM (
      SELECT id FROM projects WHERE id > $1 AND ($2::text[] IS NULL OR id = ANY ($2)) ORDER BY id LIMIT $3
    ) p LEFT JOIN project_file_counts c ON c.project_id = p.id GROUP BY p.id ORDER BY p.id`
}

export function createProjectsRepository(
  client: Client,
  run: RunStatement,
  turns: Turns
): ProjectsRepository {
  return {
    page: async ({ ids, after, limit }, tokenId) =>
      await turns.take(
        tokenId,
        async () => await run<Usage & { id: string }>(pageOfProjects, [after, ids ?? null, limit])
      ),

    list: async () => {
      const rows = await client.$queryRaw<SummaryRow[]>`
        SELECT p.id, p.created_at AS "createdAt", ${totals} ${withReadyFiles} GROUP BY p.id ORDER BY p.id`
      return rows.map(({ id, createdAt, files, bytes }) => ({
        id,
        createdAt,
        files: Number(files),
        bytes: Number(bytes)
      }))
    },

    setStorageClass: async (id, storageClass) => {
      await client.project.upsert({ where: { id }, create: { id, storageClass }, update: { storageClass } })
    },

    storageClasses: async () => {
      const rows = await client.project.findMany({
        distinct: ['storageClass'],
        where: { storageClass: { not: null } },
        select: { storageClass: true, id: true },
        orderBy: { id: 'asc' }
      })
      return rows.flatMap(({ storageClass, id: projectId }) =>
        storageClass === null ? [] : [{ storageClass, projectId }]
      )
    },

    usage: async (id) => {
      const rows = await client.$queryRaw<
        UsageRow[]
      >`SELECT f.kind, ${totals} ${withReadyFiles} WHERE p.id = ${id} GROUP BY f.kind ORDER BY f.kind`
      if (rows.length === 0) return null

      const usage: ProjectUsage = { id, files: 0, bytes: 0, byKind: {} }
      for (const row of rows) {
        const files = Number(row.files)
        const bytes = Number(row.bytes)
        usage.files += files
        usage.bytes += bytes
        if (row.kind !== null) usage.byKind[row.kind] = { files, bytes }
      }
      return usage
    }
  }
}
