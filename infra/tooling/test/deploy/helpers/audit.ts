/** Of what `npm audit --json` prints. */
interface AuditReport {
  vulnerabilities?: Record<
    string,
    { via: Array<string | { title: string; url: string; range: string; severity: string }> }
  >
  metadata?: { dependencies: { total: number } }
  message?: string
}

export type Audit = { advisories: string[]; packages: number } | { noAnswer: string }

/** The registry's advisories for the lock file, or why there is no response. */
export function readAudit(output: string): Audit {
  const start = output.indexOf('{')
  let report: AuditReport
  try {
    report = JSON.parse(output.slice(start, output.lastIndexOf('}') + 1)) as AuditReport
  } catch {
    return { noAnswer: output.trim().slice(0, 200) }
  }
  if (report.vulnerabilities === undefined || report.metadata === undefined) {
    return { noAnswer: report.message ?? 'npm printed no report' }
  }
  const advisories = Object.entries(report.vulnerabilities).flatMap(([name, { via }]) =>
    via.flatMap((cause) =>
      // A name stands for a package that is in the list itself.
      typeof cause === 'string'
        ? []
        : [`${name} ${cause.range}: ${cause.title} (${cause.severity}, ${cause.url})`]
    )
  )
  return { advisories, packages: report.metadata.dependencies.total }
}
