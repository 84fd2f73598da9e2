import { poll } from '@filewright/testing'
import type { Operation } from './history.js'
import type { Subject } from './subject.js'

/**
 * Reads what clients did and asks the service for the result. Every acknowledged file must be returned byte
 * for byte until it was deleted, a deleted one nowhere, and a refused one must be in no list. An upload whose
 * connection broke may have happened or not, but completely or not at all.
 */
export async function checkHistory(operations: readonly Operation[], subject: Subject): Promise<string[]> {
  const violations: string[] = []
  const uploads = operations.filter(({ op }) => op === 'upload')
  const deletes = new Map(
    operations
      .filter(({ op, id, status }) => op === 'delete' && id !== undefined && (status === 200 || status === 0))
      .map((each) => [each.id, each.status])
  )
  const listed = await listProjects(uploads, subject, violations)

  for (const { id, name = '', project = '', sha256, status, flagged } of uploads) {
    const isListed = listed.get(project)?.has(name) === true
    if (flagged === true && (status === 201 || isListed)) {
      violations.push(`${name}: a flagged file was taken (${status})`)
    }
    if (status !== 201) {
      if (status !== 0 && isListed) violations.push(`${name}: answered ${status}, yet on the list`)
      continue
    }
    if (id === undefined) continue
    const deleted = deletes.get(id)
    if (deleted === undefined) {
      if (!isListed) violations.push(`${name}: acknowledged, yet not on the list`)
      const got = await subject.download(id)
      if (got.sha256 !== sha256) {
        violations.push(
          `${name}: acknowledged, and came back as ${got.status} ${got.sha256 ?? got.error ?? ''}`
        )
      }
    } else if (deleted === 200) {
      if (isListed) violations.push(`${name}: deleted, yet on the list`)
      for (const answer of [
        await subject.info(id),
        await subject.download(id),
        await subject.download(id, 'cdn')
      ]) {
        if (answer.status !== 404) violations.push(`${name}: deleted, and answered ${answer.status}`)
      }
    }
  }
  return violations
}

/**
 * A file whose last write was committed when the database crashed is withdrawn once it is back, which takes
 * seconds; the checker waits for it.
 */
export async function untilWithdrawn(operations: readonly Operation[], subject: Subject): Promise<void> {
  const refused = operations.filter(({ op, status }) => op === 'upload' && status >= 400)
  await poll(
    async () => {
      const listed = await listProjects(refused, subject, [])
      return refused.every(({ project = '', name = '' }) => listed.get(project)?.has(name) !== true)
    },
    { timeoutMs: 40_000, intervalMs: 1_000 }
  ).catch(() => {}) // the checker will say so
}

async function listProjects(
  uploads: readonly Operation[],
  subject: Subject,
  violations: string[]
): Promise<Map<string, Set<string>>> {
  const listed = new Map<string, Set<string>>()
  for (const project of new Set(uploads.map((upload) => upload.project ?? ''))) {
    const { status, names } = await subject.list(project)
    if (status !== 200) violations.push(`the list of ${project} answered ${status}`)
    const unique = new Set(names)
    if (unique.size !== names.length) {
      violations.push(`${project}: ${names.length - unique.size} names come twice`)
    }
    listed.set(project, unique)
  }
  return listed
}
