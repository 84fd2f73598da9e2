import { startClamdServer, type ClamdServer } from '@filewright/testing'
import type { Test } from 'tap'
import { baselineSignaturesDir, createClamdScanner, renderClamdConf, type Scanner } from '../../src/index.js'
import { silentLogger } from './silent-logger.js'

export type RunningClamd = ClamdServer

/** A real clamd with our configuration and only our signatures. */
export async function startClamd(): Promise<RunningClamd> {
  return await startClamdServer({ renderConf: renderClamdConf, signaturesDir: baselineSignaturesDir() })
}

/** A scanner on such a clamd. Both stop at the end of the test. */
export async function startScanner(t: Test): Promise<{ scanner: Scanner; clamd: RunningClamd }> {
  const clamd = await startClamd()
  const scanner = createClamdScanner({ socketPath: clamd.socketPath, logger: silentLogger })
  t.teardown(async () => {
    await scanner.close()
    await clamd.stop()
  })
  await scanner.start()
  return { scanner, clamd }
}
