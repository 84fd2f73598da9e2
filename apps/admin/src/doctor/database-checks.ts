import { createDatabase, migrationState, upgradeObstacles } from '@filewright/db'
import { broken, ok, reasonOf, settingOf, skipped, type Check } from './check.js'

const UNSET = 'DATABASE_URL is not set'
const SET_IT = 'Set it to the connection string of your PostgreSQL, or start the local stack with npm start.'

export const postgresCheck: Check = {
  name: 'PostgreSQL',
  run: async (env) => {
    const url = settingOf(env, 'DATABASE_URL')
    if (url === undefined) return broken(UNSET, SET_IT)
    try {
      const database = createDatabase({ url, poolSize: 1 })
      try {
        const startedAt = Date.now()
        await database.ping()
        return ok(`answers in ${Date.now() - startedAt} ms`)
      } finally {
        await database.close()
      }
    } catch (error) {
      return broken(
        `does not answer: ${reasonOf(error)}`,
        'Start PostgreSQL, and check host, user, password and database name in DATABASE_URL.'
      )
    }
  }
}

export const migrationsCheck: Check = {
  name: 'tables',
  run: async (env) => {
    const url = settingOf(env, 'DATABASE_URL')
    if (url === undefined) return skipped(UNSET)
    try {
      const { missing, unknown } = await migrationState({ url })
      if (unknown.length > 0) {
        return broken(
          `made by a newer version: ${unknown.join(', ')}`,
          'Start a version of the service at least as new as the database.'
        )
      }
      if (missing.length > 0) {
        return broken(`not up to date: ${missing.join(', ')} missing`, 'Run: npm run admin -- migrate')
      }
      return ok('up to date')
    } catch (error) {
      return skipped(`PostgreSQL does not answer: ${reasonOf(error)}`)
    }
  }
}

/** In place of migrationsCheck, by the new version before it migrates: missing migrations are what it is for. */
export const upgradeCheck: Check = {
  name: 'upgrade',
  run: async (env) => {
    const url = settingOf(env, 'DATABASE_URL')
    if (url === undefined) return broken(UNSET, SET_IT)
    try {
      const obstacles = await upgradeObstacles({ url })
      if (obstacles.length > 0) {
        return broken(
          obstacles.map(({ found }) => found).join('; '),
          obstacles.map(({ advice }) => advice).join(' ')
        )
      }
      const { missing } = await migrationState({ url })
      return ok(missing.length === 0 ? 'nothing to migrate' : `can be migrated: ${missing.join(', ')}`)
    } catch (error) {
      return broken(`PostgreSQL does not answer: ${reasonOf(error)}`, 'Nothing is known about the upgrade.')
    }
  }
}
