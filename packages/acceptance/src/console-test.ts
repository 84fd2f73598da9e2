import type { Browser } from 'playwright-core'
import type { Test } from 'tap'
import { Filewright } from '@filewright/client'
import { shareStack, type SharedStack } from '@filewright/testing'
import { accessibilityProblems } from './axe.js'
import { findChromium, NO_CHROMIUM } from './browser.js'
import { launchBrowser, type ConsolePage } from './console-page.js'

export interface ConsoleTest extends Pick<SharedStack, 'baseUrl' | 'token' | 'dataDir'> {
  browser: Browser
  client: Filewright
}

/** Runs console tests in Chromium; skipped without Chromium. */
export async function testConsole(
  t: Test,
  name: string,
  run: (parts: ConsoleTest) => Promise<void>
): Promise<void> {
  t.setTimeout(600_000)
  const executablePath = findChromium()
  if (executablePath === undefined) {
    t.test(name, { skip: NO_CHROMIUM }, async () => {})
    return
  }
  const { baseUrl, token, dataDir } = await shareStack(t)
  const browser = await launchBrowser(t, executablePath)
  await run({ baseUrl, token, dataDir, browser, client: new Filewright({ baseUrl, token }) })
}

type Look = readonly [theme: 'light' | 'dark', width: 1440 | 768 | 390]

/** Every theme and every width; colours do not depend on the width. `LOOKS=all` takes all six pairs. */
export const looks: readonly Look[] =
  process.env.LOOKS === 'all'
    ? ([1440, 768, 390] as const).flatMap((width) => [['light', width] as const, ['dark', width] as const])
    : [
        ['light', 1440],
        ['dark', 768],
        ['light', 390]
      ]

/** The page is accessible and fits the screen. */
export async function lookAt(t: Test, { page, screenshot }: ConsolePage, name: string): Promise<void> {
  await screenshot(name)
  t.strictSame(await accessibilityProblems(page), [], name)
  const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
  t.equal(isTooWide, false, `${name} fits the screen`)
}
