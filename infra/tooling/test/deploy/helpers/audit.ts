export type Audit = { advisories: string[]; packages: number } | { noAnswer: string }

interface Lib {
  ACCEPTED: Record<string, string>
  readAudit: (output: string) => Audit
  askRegistry: (root: string) => Promise<Audit>
  lockFileDigest: (root: string) => string
  checkAdvisories: (root: string, reportFile?: string) => Promise<string>
  licenceProblems: (notices: string) => string[]
}

export const { ACCEPTED, readAudit, askRegistry, lockFileDigest, checkAdvisories, licenceProblems } =
  (await import(new URL('../../../../scripts/release/audit.mjs', import.meta.url).href)) as Lib
