import { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'
import { translateError } from './errors.js'
import { PrismaClient } from './generated/client.js'

export { Prisma } from './generated/client.js'

/** Every operation, including raw ones, goes through here, where driver errors become ours. */
export function createClient(pool: pg.Pool) {
  // Prisma's query compiler, loaded with the first query.
  return new PrismaClient({ adapter: new PrismaPg(pool), errorFormat: 'minimal' }).$extends({
    query: {
      $allOperations: async ({ args, query }) => {
        try {
          return await query(args)
        } catch (error) {
          throw translateError(error)
        }
      }
    }
  })
}

export type Client = ReturnType<typeof createClient>
