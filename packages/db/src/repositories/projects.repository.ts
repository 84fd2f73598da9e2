import { Prisma, type Client } from '../client.js'
import type { ProjectSummary, ProjectUsage } from '../records.js'

export interface ProjectsRepository {
  list: () => Promise<ProjectSummary[]>
  /** Null when nothing was ever uploaded to the project. */
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

/** Files that are not ready belong to nobody yet: they count neither as files nor as bytes. */
const withReadyFiles = Prisma.sql`FROM projects p LEFT JOIN files f ON f.project_id = p.id AND f.state = 'ready'`

export function createProjectsRepository (client: Client): ProjectsRepository {
  return {
    list: async () => {
      const rows = await client.$queryRaw<SummaryRow[]>`
        SELECT p.id, p.created_at AS "createdAt", ${totals} ${withReadyFiles} GROUP BY p.id ORDER BY p.id`
      return rows.map(({ id, createdAt, files, bytes }) => ({ id, createdAt, files: Number(files), bytes: Number(bytes) }))
    },

    usage: async (id) => {
      const rows = await client.$queryRaw<UsageRow[]>`SELECT f.kind, ${totals} ${withReadyFiles} WHERE p.id = ${id} GROUP BY f.kind ORDER BY f.kind`
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
