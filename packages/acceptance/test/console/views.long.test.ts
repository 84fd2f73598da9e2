import type { Page } from 'playwright-core'
import t from 'tap'
import {
  admin,
  chooseFiles,
  clickSignOut,
  eicar,
  openConsole,
  png,
  writeCode,
  lookAt,
  looks,
  testConsole
} from '../../src/index.js'

const CODE = `export function first (list) {
  var a = list[0]
  if (a == null) {
    document.write(list)
  }
  return a
}
`

/** Heights are fractional; less than a pixel is not visible. */
const PIXEL = 1

await testConsole(t, 'every view of the console', async ({ baseUrl, token, dataDir, browser }) => {
  const { token: other } = await admin(dataDir, 'token', 'create', '--name', 'visitor', '--project', 'demo')

  for (const [theme, width] of looks) {
    t.test(
      `every view is accessible and keeps to the content policy, ${theme}, ${width} pixels wide`,
      async (t) => {
        const opened = await openConsole(t, browser, { baseUrl, theme, width })
        const { page, problems } = opened
        const look = async (name: string): Promise<void> => await lookAt(t, opened, name)

        await page.getByLabel('Access token').waitFor()
        await look('sign-in')
        await page.getByLabel('Access token').fill(token)
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { name: 'Projects' }).waitFor()
        await look('projects')

        await chooseFiles(page, [
          { path: 'first.js', content: CODE },
          { path: 'picture.png', content: png },
          { path: 'تقرير.txt', content: 'hello' },
          { path: 'bad.txt', content: eicar }
        ])
        await page.getByRole('dialog').getByLabel('Project').fill(`views-${theme}-${width}`)
        await look('choose-project')
        await page.getByRole('button', { name: 'Upload', exact: true }).click()
        await page.getByText('3 files uploaded · 1 refused').waitFor()
        await page.getByRole('link', { name: 'first.js' }).waitFor()
        await look('files')
        await chooseFiles(page, [{ path: 'first.js', content: CODE }])
        await page.getByRole('heading', { name: '“first.js” exists already' }).waitFor()
        await look('name-taken')
        await page.getByRole('button', { name: 'Skip' }).click()
        await page.getByText('1 skipped').waitFor()
        await page.getByRole('link', { name: 'picture.png' }).click()
        await page.locator('.preview img').waitFor()
        t.equal(await overlap(page, '.tray', '.details'), false, 'uploads beside the details')
        await page.getByRole('button', { name: 'Close the list of uploads' }).click()
        await look('details-picture')
        await page.getByRole('button', { name: 'Close', exact: true }).click()
        await page.getByRole('link', { name: 'first.js' }).click()
        await page.locator('.preview .cm-content').waitFor()
        await look('details-code')
        await page.getByRole('complementary').getByRole('button', { name: 'Delete' }).click()
        await look('delete')
        await page.getByRole('button', { name: 'Cancel' }).click()
        await page.getByRole('searchbox').fill('no such name')
        await page.getByText('No matching files').waitFor()
        await look('nothing-found')

        await page.goto(`${baseUrl}/#/code/generate`)
        await page.getByLabel('What should be written?').fill('an average')
        await page.getByRole('button', { name: 'Generate', exact: true }).click()
        await page.getByText(/Done, .* used/).waitFor()
        await look('generate')
        await page.goto(`${baseUrl}/#/code/analyze`)
        await writeCode(page, CODE)
        await page.getByRole('button', { name: 'Analyze', exact: true }).click()
        await page.locator('.findings li').first().waitFor()
        await look('analyze')
        await page.goto(`${baseUrl}/#/code/optimize`)
        await page.getByRole('button', { name: 'Optimize', exact: true }).click()
        await page
          .locator(width < 700 ? '.cm-deletedChunk' : '.cm-mergeView')
          .first()
          .waitFor()
        const { y = -1 } = (await page.locator('.code-diff').boundingBox()) ?? {}
        t.ok(y >= 0 && y < 430, 'the rewrite is on the screen')
        await look('optimize')
        await page.getByRole('button', { name: 'Unified' }).click()
        await page.locator('.cm-deletedChunk').first().waitFor()
        await look('optimize-one-column')
        await page.getByRole('button', { name: 'Save…' }).click()
        await look('save')
        await page.getByRole('button', { name: 'Cancel' }).click()
        await clickSignOut(page)
        await page.getByRole('heading', { name: 'Sign out and lose unsaved code?' }).waitFor()
        await look('sign-out')
        await page.getByRole('button', { name: 'Cancel' }).click()
        await page.goto(`${baseUrl}/#/rules/js/sql-injection`)
        await page.getByRole('heading', { name: 'js/sql-injection' }).waitFor()
        await look('rule')
        await page.goto(`${baseUrl}/#/nowhere`)
        await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
        await look('not-found')
        await page.goto(`${baseUrl}/#/service`)
        await page.getByText('Malware scanner').waitFor()
        await page.getByText(/^Degraded: \d of 5 components/).waitFor()
        await page.getByText('A sandbox answers with fixed samples.').waitFor()
        await look('service')

        await page.goto(`${baseUrl}/#token=${other}`)
        await page.getByRole('dialog').getByText('signs you out').waitFor()
        await look('link')
        await page.getByRole('button', { name: 'Cancel' }).click()
        await page.route(
          '**/api/ai/analyze',
          async (route) => await route.fulfill({ status: 401, json: { error: 'Unauthorized' } })
        )
        await page.goto(`${baseUrl}/#/code/analyze`)
        await page.getByRole('button', { name: 'Analyze', exact: true }).click()
        await page.getByLabel('Previous token').waitFor()
        await look('signed-out')

        t.strictSame(problems, [])
      }
    )
  }
})

async function overlap(page: Page, one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map(async (each) => await page.locator(each).boundingBox()))
  if (a === null || b === null || a === undefined || b === undefined) throw new Error('not shown')
  const isAcross = a.x + PIXEL < b.x + b.width && b.x + PIXEL < a.x + a.width
  return isAcross && a.y + PIXEL < b.y + b.height && b.y + PIXEL < a.y + a.height
}
