import type { Container } from './containers/container.js'
import type { Outcome } from './sample.js'
import type { Progress } from './upload-files.js'
import { missingTools, type ToolsDeps } from './tools.js'
import { upload, type UploadDeps } from './upload.js'

const TOLD_EVERY = 50

/** Makes each container and uploads it. */
export async function uploadContainers(
  containers: readonly Container[],
  tools: ToolsDeps,
  deps: UploadDeps,
  { say, skipped, signal }: Progress
): Promise<Outcome[]> {
  const missing = await missingTools(
    containers.flatMap(({ needs }) => needs),
    tools
  )
  const outcomes: Outcome[] = []
  for (const [number, { name, file, needs, make }] of containers.entries()) {
    if (signal.aborted) break
    if (number > 0 && number % TOLD_EVERY === 0) say(`${number} of ${containers.length} containers`)
    const absent = needs.filter((tool) => missing.has(tool))
    try {
      if (absent.length > 0) throw new Error(`${absent.join(' and ')} is missing`)
      const outcome = await upload({ source: name, name: file, load: make }, 'eicar', await make(), deps)
      if (!signal.aborted) outcomes.push(outcome)
    } catch (error) {
      skipped.push(`container "${name}": ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return outcomes
}
