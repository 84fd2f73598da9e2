import t from 'tap'
import { lookAt, looks, openConsole, png, testConsole, zip } from '../../src/index.js'

const MARKDOWN = '# Title\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nconst a = 1\n```\n'

await testConsole(t, 'everyday states of the console', async ({ baseUrl, token, browser, client }) => {
  const archive = await zip({
    'docs/a-name-that-is-long-enough-to-need-a-second-line-on-a-phone.txt': 'a',
    'b.txt': 'b'
  })
  for (const [theme, width] of looks) {
    t.test(`dialogs, bars and troubles are accessible, ${theme}, ${width} pixels wide`, async (t) => {
      const projectId = `everyday-${theme}-${width}`
      const ids: Record<string, string> = {}
      for (const [name, content] of [
        ['readme.md', MARKDOWN],
        ['archive.zip', archive],
        ['picture.png', png],
        ['code.js', 'var a = 1\n']
      ] as const) {
        ids[name] = (await client.files.upload(new Blob([content]), { projectId, name })).id
      }
      const opened = await openConsole(t, browser, { baseUrl, token, theme, width })
      const { page, problems } = opened
      const look = async (name: string): Promise<void> => {
        await lookAt(t, opened, name)
      }
      const button = (name: string) => page.getByRole('button', { name, exact: true })

      await button('New project').click()
      await look('new-project')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('every')
      await page.getByRole('option').first().waitFor()
      await look('palette')
      await page.keyboard.press('Escape')
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
      await look('shortcuts')
      await page.keyboard.press('Escape')

      await page.goto(`${baseUrl}/#/files/${projectId}`)
      await page.getByText('1–4 of 4').waitFor()
      await button('New folder').click()
      await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('a\\b')
      await page.keyboard.press('Enter')
      await look('new-folder')
      await page.keyboard.press('Escape')
      await page.getByRole('checkbox', { name: 'Select everything on this page' }).check()
      await look('selection')
      await button('Clear the selection').click()
      for (const [name, state] of [
        ['archive.zip', 'archive'],
        ['readme.md', 'markdown-file']
      ] as const) {
        await page.goto(`${baseUrl}/#/files/${projectId}?file=${ids[name]}`)
        await page.getByRole('complementary').getByRole('heading', { name }).waitFor()
        await look(state)
      }
      await button('Rename or move…').click()
      await look('rename')
      await page.keyboard.press('Escape')
      await page.goto(`${baseUrl}/#/files/${projectId}`)
      await page.getByRole('checkbox', { name: 'Select code.js' }).check()
      await button('Delete').click()
      await button('Delete 1 file').click()
      await button('Undo').waitFor()
      await look('undo')

      await page.goto(`${baseUrl}/#/code/analyze`)
      await page.locator('.code-editor[aria-busy=false]').waitFor()
      await button('Open…').click()
      await page.getByRole('dialog').waitFor()
      await look('open')
      await page.keyboard.press('Escape')

      await page.route('**/api/files?**', async (route) => {
        await route.fulfill({ status: 500, json: { error: 'Internal server error' } })
      })
      await page.goto(`${baseUrl}/#/files/${projectId}/errors`)
      await page
        .getByRole('alert')
        .filter({ hasText: 'The files could not be listed' })
        .waitFor({ timeout: 60_000 })
      await look('error')
      await page.unroute('**/api/files?**')
      await page.context().setOffline(true)
      await page.goto(`${baseUrl}/#/files/${projectId}/offline`)
      await page
        .getByText(/Reconnecting/)
        .first()
        .waitFor()
      await look('offline')
      await page.context().setOffline(false)
      await page.getByText('This folder is empty').waitFor({ timeout: 60_000 })
      await page.route('**/api/service', async (route) => {
        await route.abort('connectionrefused')
      })
      await page.reload()
      await page.getByRole('heading', { name: 'The service does not answer' }).waitFor({ timeout: 60_000 })
      await look('away')
      t.strictSame(problems, [])
    })
  }
})
