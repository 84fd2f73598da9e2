export type { ByteRange, ScanOptions, Scanner, ScannerHealth, ScanSource, Verdict } from './scanner.js'
export { clamdConfig } from './clamd/clamd-address.js'
export {
  judgeSignatures,
  signatureAgeHours,
  signatureConfig,
  type SignaturePolicy
} from './clamd/signature-policy.js'
export { createClamdScanner, type ClamdScannerOptions } from './clamd/clamd-scanner.js'
export { inspectClamd, type ClamdFacts } from './clamd/inspect-clamd.js'
export type { ClamdTimeouts } from './clamd/timeouts.js'
export { baselineSignaturesDir, renderClamdConf, type ClamdConfOptions } from './clamd/clamd-conf.js'
export { guardArchive } from './archive-guard/archive-guard.js'
export type { GuardResult } from './archive-guard/guard-result.js'
