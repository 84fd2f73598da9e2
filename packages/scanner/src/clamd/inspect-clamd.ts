import { clamdAddress, type ClamdAddressOptions } from './clamd-address.js'
import { runSelfTest, type SelfTestResult } from './self-test.js'
import { defaultTimeouts } from './timeouts.js'

export type ClamdFacts = SelfTestResult

/** One self-test and clamd's own information, for a single check. Fails with SCAN_UNAVAILABLE. */
export async function inspectClamd(options: ClamdAddressOptions): Promise<ClamdFacts> {
  const { connectMs, selfTestMs } = defaultTimeouts
  return await runSelfTest({
    address: clamdAddress(options),
    timeouts: { connectMs, idleMs: selfTestMs, totalMs: selfTestMs }
  })
}
