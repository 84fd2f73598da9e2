import type { FileReport } from '../analysis/report.js'
import { asText, withoutKnown } from '../analysis/report.js'
import { inspect, type InspectFlags, type Inspection } from '../analysis/inspect.js'
import { asSarif } from '../analysis/sarif.js'
import { exitCodes, Failure } from '../failure.js'
import { counted, jsonText, type Io } from '../io.js'
import { addFixes } from '../review/fixes.js'
import { asComment, resolvedSince } from '../review/comment.js'
import { hostFor, type HostName } from '../review/hosts.js'
import { asMarkdown, NOTHING } from '../review/markdown.js'
import { inspectPatch } from '../review/patch.js'
import { createPoster } from '../review/post.js'
import { pickRemarks, type Review } from '../review/remarks.js'
import type { Connection } from '../session.js'

export const reviewFormats = ['text', 'json', 'sarif', 'markdown'] as const

export interface ReviewFlags extends Omit<InspectFlags, 'baseline'> {
  format: (typeof reviewFormats)[number]
  /** A unified diff of the work tree, instead of a ref. */
  patch?: string
  /** Whether to look for fixes; each file with a finding costs a request. */
  fixes: boolean
  /** Writes the review as one comment of the pull request. */
  post?: HostName
}

/** The range of the pull request that a CI system works on. */
function rangeOf(env: Io['env']): string | undefined {
  const { GITHUB_BASE_REF: branch = '', CI_MERGE_REQUEST_DIFF_BASE_SHA: commit = '' } = env
  // Gitea and Forgejo set GitHub's variable.
  if (branch !== '') return `origin/${branch}`
  return commit === '' ? undefined : commit
}

const sinceOf = ({ env }: Io, { since }: ReviewFlags): string | undefined => since ?? rangeOf(env)

async function inspectChange(
  io: Io,
  client: Connection['client'],
  paths: string[],
  flags: ReviewFlags
): Promise<Inspection> {
  if (flags.patch !== undefined) {
    if (flags.since === undefined && paths.length === 0) {
      return await inspectPatch(io, client, flags.patch, flags)
    }
    throw new Failure('--patch names its files; leave --since and paths out', exitCodes.usage)
  }
  const since = sinceOf(io, flags)
  if (since === undefined) {
    throw new Failure(
      'Name what to compare with, such as --since origin/main; only in a pull request is it known',
      exitCodes.usage
    )
  }
  // A model's findings differ from run to run, so they would appear and disappear in the review.
  return await inspect(io, client, paths, { ...flags, since, model: flags.model ?? false })
}

export async function review(
  io: Io,
  { client, server }: Pick<Connection, 'client' | 'server'>,
  paths: string[],
  flags: ReviewFlags
): Promise<void> {
  // Reports missing settings before anything is analyzed.
  const poster = flags.post === undefined ? null : createPoster(hostFor(flags.post, io.env))
  const { reports } = await inspectChange(io, client, paths, flags)
  const byPath = new Map(reports.map((report) => [report.path, report]))
  const told = reports.map(withoutKnown)
  const picked = pickRemarks(told)
  const remarks = flags.fixes ? await addFixes(client, picked.remarks, byPath) : picked.remarks
  const result = { ...picked, remarks }
  if (flags.format === 'sarif') io.out(jsonText(asSarif(told)))
  else if (flags.format === 'markdown') io.out(asMarkdown(result, byPath))
  else if (flags.format === 'json') io.out(jsonText(jsonOf(result)))
  else {
    print(io, result, byPath, server)
    if (picked.more > 0) io.out(`All new findings: ${listCommand(io, flags)}\n`)
  }
  if (poster === null) return
  const all = told.flatMap(({ path, findings }) => findings.map((finding) => ({ path, finding })))
  const resolved = resolvedSince(await poster.current(), all)
  const posted = await poster.post(asComment(result, byPath, resolved), remarks.length === 0)
  io.note(`${postedTexts[posted]}\n`)
}

/** The command that prints the findings for which a review has no room. */
const listCommand = (io: Io, flags: ReviewFlags): string =>
  flags.patch === undefined
    ? `filewright analyze --since ${sinceOf(io, flags)}`
    : `filewright review --patch ${flags.patch} --sarif`

const postedTexts = {
  created: 'The review is posted',
  updated: 'The comment of the last run is updated',
  unchanged: 'The comment of the last run says the same',
  none: 'There is nothing to post'
}

function jsonOf({ remarks, ...rest }: Review): object {
  return {
    comments: remarks.map(({ path, finding: { fingerprints: _prints, state: _state, ...finding }, fix }) => ({
      path,
      ...finding,
      ...(fix === undefined ? {} : { fix })
    })),
    ...rest
  }
}

function print(io: Io, result: Review, byPath: ReadonlyMap<string, FileReport>, server: string): void {
  const { remarks, more, suppressed } = result
  for (const { path, finding, fix } of remarks) {
    const report = byPath.get(path)
    if (report === undefined) continue
    io.out(asText({ ...report, findings: [finding] }, server))
    if (fix === undefined) continue
    const removed = report.lines.slice(fix.first - 1, fix.last).map((line) => `-${line}\n`)
    io.out(
      `A fix after which the finding is gone:\n${removed.join('')}${fix.lines.map((line) => `+${line}\n`).join('')}\n`
    )
  }
  const notes = [
    ...(more === 0 ? [] : [`${counted(more, 'more finding')} of less harm`]),
    ...(suppressed === 0 ? [] : [counted(suppressed, 'new suppression')])
  ]
  const head = remarks.length === 0 ? NOTHING : counted(remarks.length, 'comment')
  io.out(`${[head, ...notes].join('; ')}\n`)
}
