import { Type, type Static } from 'typebox'
import { loadConfig } from '@filewright/runtime'
import { clamdConfig, inspectClamd } from '@filewright/scanner'
import { broken, ok, reasonOf, settingOf, skipped, warning, type Check } from './check.js'

const ClamdConfig = Type.Object(clamdConfig)
type ClamdConfig = Static<typeof ClamdConfig>

const DAY_MS = 86_400_000
/** ClamAV publishes daily; a week without is a freshclam that no longer runs. */
const OLD_DAYS = 7

export const clamdCheck: Check = {
  name: 'clamd',
  run: async (env) => {
    if (settingOf(env, 'CLAMD_SOCKET') === undefined && settingOf(env, 'CLAMD_HOST') === undefined) {
      return skipped('neither CLAMD_SOCKET nor CLAMD_HOST is set here; the scan-worker is at work only if its clamd finds EICAR')
    }
    try {
      const config = loadConfig<ClamdConfig>(ClamdConfig, env)
      const { engine, signaturesAt, baseline } = await inspectClamd({ socketPath: config.CLAMD_SOCKET, host: config.CLAMD_HOST, port: config.CLAMD_PORT })
      if (!baseline) {
        return warning(`${engine}, finds EICAR, without our own signatures`, "Copy infra/clamav/signatures into clamd's folder: without them archives pass that it cannot look into.")
      }
      if (signaturesAt === null) {
        return warning(`${engine}, finds EICAR, without the official signatures`, 'Run freshclam, or mount its database: our own signatures find test files only.')
      }
      const days = Math.floor((Date.now() - signaturesAt.getTime()) / DAY_MS)
      if (days > OLD_DAYS) return warning(`${engine}, signatures ${days} days old`, 'Look why freshclam no longer fetches new ones.')
      return ok(`${engine}, finds EICAR, signatures ${days} days old`)
    } catch (error) {
      return broken(reasonOf(error), 'Start clamd with infra/clamav/clamd.conf and at least the signatures of infra/clamav, and check CLAMD_SOCKET or CLAMD_HOST.')
    }
  }
}
