import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The problems that axe finds on the page, one line each. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    // Without `resultTypes`, half of the work is a description of each element that passed.
    .options({ runOnly: TAGS, resultTypes: ['violations'] })
    // The console has no frames of other origins, for which axe would open another page each time.
    .setLegacyMode()
    .analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${id}: ${target.join(' ')} ${failureSummary?.split('\n')[1]?.trim() ?? ''}`
    )
  )
}
