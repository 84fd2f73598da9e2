import { startClamdServer, type ClamdServer } from '@filewright/testing'
import { baselineSignaturesDir, renderClamdConf } from '../../src/index.js'

export type RunningClamd = ClamdServer

/** A real clamd with our configuration and nothing but our signatures. */
export async function startClamd (): Promise<RunningClamd> {
  return await startClamdServer({ renderConf: renderClamdConf, signaturesDir: baselineSignaturesDir() })
}
