import { createClient } from './client.js'
import { openPool } from './connection.js'
import { requireLevel } from './migrations/level.js'
import { createStatementRunner } from './statements.js'
import { createTurns } from './turns.js'
import { createDownloadsRepository, type DownloadsRepository } from './repositories/downloads.repository.js'
import { createFilesRepository, type FilesRepository } from './repositories/files.repository.js'
import { createFileBatches } from './repositories/files.statements.js'
import {
  createDeliveriesRepository,
  type DeliveriesRepository
} from './repositories/deliveries.repository.js'
import { createWebhooksRepository, type WebhooksRepository } from './repositories/webhooks.repository.js'
import { createEventsRepository, type EventsRepository } from './repositories/events.repository.js'
import { createFoldersRepository, type FoldersRepository } from './repositories/folders.repository.js'
import {
  createGenerationsRepository,
  type GenerationsRepository
} from './repositories/generations.repository.js'
import {
  createIdempotencyRepository,
  type IdempotencyRepository
} from './repositories/idempotency.repository.js'
import {
  createInstallationRepository,
  type InstallationRepository
} from './repositories/installation.repository.js'
import { createProjectsRepository, type ProjectsRepository } from './repositories/projects.repository.js'
import { createQuotasRepository, type QuotasRepository } from './repositories/quotas.repository.js'
import { createReceiptsRepository, type ReceiptsRepository } from './repositories/receipts.repository.js'
import { createRescansRepository, type RescansRepository } from './repositories/rescans.repository.js'
import {
  createSelectionsRepository,
  type SelectionsRepository
} from './repositories/selections.repository.js'
import {
  createStoreMovesRepository,
  type StoreMovesRepository
} from './repositories/store-moves.repository.js'
import { createTrashRepository, type TrashRepository } from './repositories/trash.repository.js'
import { createTokensRepository, type TokensRepository } from './repositories/tokens.repository.js'

export interface DatabaseOptions {
  url: string
  /** Default 10. */
  poolSize?: number
  /** Limits both opening a connection and waiting for a free one. Default 2 s. */
  connectTimeoutMs?: number
  /** Default 5 s. */
  statementTimeoutMs?: number
  /**
   * Statements of the hottest paths are prepared once per connection. Not where connections share a session,
   * as in PGlite. Default false.
   */
  prepared?: boolean
}

export interface Database {
  tokens: TokensRepository
  projects: ProjectsRepository
  folders: FoldersRepository
  quotas: QuotasRepository
  files: FilesRepository
  trash: TrashRepository
  selections: SelectionsRepository
  generations: GenerationsRepository
  idempotency: IdempotencyRepository
  rescans: RescansRepository
  installation: InstallationRepository
  moves: StoreMovesRepository
  receipts: ReceiptsRepository
  downloads: DownloadsRepository
  events: EventsRepository
  webhooks: WebhooksRepository
  deliveries: DeliveriesRepository
  /** Rejects with DATABASE_UNAVAILABLE when the database does not answer. */
  ping: () => Promise<void>
  /** Rejects with DATABASE_UNAVAILABLE while a migration that this version needs is missing. */
  requireLevel: () => Promise<void>
  close: () => Promise<void>
}

/** Connects on the first call, not here: `ping` finds a database that is down at startup. */
export function createDatabase({
  url,
  poolSize = 10,
  connectTimeoutMs = 2_000,
  statementTimeoutMs = 5_000,
  prepared = false
}: DatabaseOptions): Database {
  const { pool, close } = openPool({ url, poolSize, connectTimeoutMs, statementTimeoutMs, prepared })
  const client = createClient(pool)
  const turns = createTurns({ connections: poolSize, patienceMs: connectTimeoutMs })
  const run = createStatementRunner(pool, { prepared, onAnswer: turns.noteAnswer })
  const batches = createFileBatches(run)
  let closing: Promise<void> | undefined

  return {
    tokens: createTokensRepository(client, run),
    projects: createProjectsRepository(client, run, turns),
    folders: createFoldersRepository(run, turns),
    quotas: createQuotasRepository(run, turns),
    files: createFilesRepository(client, run, batches, turns),
    selections: createSelectionsRepository(run, turns),
    trash: createTrashRepository(run, batches, turns),
    generations: createGenerationsRepository(client, run, turns),
    idempotency: createIdempotencyRepository(client, turns),
    rescans: createRescansRepository(client),
    installation: createInstallationRepository(run),
    moves: createStoreMovesRepository(run),
    receipts: createReceiptsRepository(run),
    downloads: createDownloadsRepository(run, turns),
    events: createEventsRepository(run, turns),
    webhooks: createWebhooksRepository(run, turns),
    deliveries: createDeliveriesRepository(run, turns),
    requireLevel: async () => await requireLevel(run),
    ping: async () => {
      await client.$queryRaw`SELECT 1`
    },
    close: async () => await (closing ??= client.$disconnect().then(close))
  }
}
