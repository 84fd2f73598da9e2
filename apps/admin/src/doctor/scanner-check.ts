import { Type, type Static } from '@filewright/schema'
import { loadConfig } from '@filewright/runtime'
import {
  clamdConfig,
  inspectClamd,
  judgeSignatures,
  signatureAgeHours,
  signatureConfig
} from '@filewright/scanner'
import { broken, ok, reasonOf, settingOf, skipped, warning, type Check } from './check.js'

const ClamdConfig = Type.Object({ ...clamdConfig, ...signatureConfig })
type ClamdConfig = Static<typeof ClamdConfig>

const NO_SIGNATURES =
  'Find out why freshclam cannot download them, set another mirror, or mount its database: ' +
  'our own signatures find test files only.'
const OLD = 'Find out why freshclam no longer downloads new ones.'

export const clamdCheck: Check = {
  name: 'clamd',
  run: async (env) => {
    if (settingOf(env, 'CLAMD_SOCKET') === undefined && settingOf(env, 'CLAMD_HOST') === undefined) {
      return skipped(
        'neither CLAMD_SOCKET nor CLAMD_HOST is set here; the scan-worker runs only if its clamd detects EICAR'
      )
    }
    try {
      const config = loadConfig<ClamdConfig>(ClamdConfig, env)
      const { engine, signaturesAt, baseline } = await inspectClamd({
        socketPath: config.CLAMD_SOCKET,
        host: config.CLAMD_HOST,
        port: config.CLAMD_PORT
      })
      if (!baseline) {
        return warning(
          `${engine}, detects EICAR, but lacks Filewright's own signatures`,
          "Copy infra/clamav/signatures into clamd's folder: without them, archives that clamd cannot open are accepted."
        )
      }
      const state = judgeSignatures(signaturesAt, {
        maxAgeHours: config.SIGNATURES_MAX_AGE_HOURS,
        allowBaseline: config.ALLOW_BASELINE_SIGNATURES
      })
      if (signaturesAt === null) {
        const found = `${engine}, detects EICAR, but lacks the official signatures`
        if (state.ok) return warning(`${found}, which ALLOW_BASELINE_SIGNATURES accepts`, NO_SIGNATURES)
        return broken(`${found}: uploads are refused`, NO_SIGNATURES)
      }
      if (!state.ok) return broken(`${engine}: ${state.reason}; uploads are refused`, OLD)
      if (state.warning !== undefined) return warning(`${engine}: ${state.warning}`, OLD)
      return ok(`${engine}, detects EICAR, signatures ${signatureAgeHours(signaturesAt)} hours old`)
    } catch (error) {
      return broken(
        reasonOf(error),
        'Start clamd with infra/clamav/clamd.conf and at least the signatures of infra/clamav, and check CLAMD_SOCKET or CLAMD_HOST.'
      )
    }
  }
}
