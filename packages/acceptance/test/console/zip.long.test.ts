import { readFile } from 'node:fs/promises'
import t from 'tap'
import { lookAt, looks, openConsole, testConsole } from '../../src/index.js'

await testConsole(t, 'ZIP archives in the console', async ({ baseUrl, token, browser, client }) => {
  for (const [folder, name] of [
    ['', 'a.txt'],
    ['docs', 'b.txt'],
    ['docs/deep', 'c.txt'],
    ['other', 'd.txt']
  ] as const) {
    await client.files.upload(new Blob([`content of ${name}`]), { projectId: 'zips', folder, name })
  }

  t.test('a selection of files and folders, or a whole folder, is downloaded as one file', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    const saved = async (click: () => Promise<void>): Promise<[string, string]> => {
      const [download] = await Promise.all([page.waitForEvent('download'), click()])
      return [download.suggestedFilename(), await readFile(await download.path(), 'latin1')]
    }
    await page.goto(`${baseUrl}/#/files/zips`)
    await page.getByRole('checkbox', { name: 'Select a.txt' }).check()
    await page.getByRole('checkbox', { name: 'Select the folder docs' }).check()

    const [name, archive] = await saved(
      async () => await page.getByRole('button', { name: 'Download as ZIP' }).click()
    )
    t.equal(name, 'zips.zip')
    for (const part of ['a.txt', 'docs/b.txt', 'docs/deep/c.txt', 'content of c.txt']) t.match(archive, part)
    t.notMatch(archive, 'd.txt')
    await page.getByText('zips.zip is downloaded.').waitFor()

    await page.goto(`${baseUrl}/#/files/zips/docs`)
    await page.getByRole('link', { name: 'b.txt' }).waitFor()
    const [folderName, ofFolder] = await saved(
      async () => await page.getByRole('button', { name: 'Download all' }).click()
    )
    t.equal(folderName, 'docs.zip')
    await page.getByText('docs.zip is downloaded.').waitFor()
    await page.getByRole('button', { name: 'Close this notice' }).click()
    await page.getByText('docs.zip is downloaded.').waitFor({ state: 'detached' })
    t.match(ofFolder, 'deep/c.txt')
    t.notMatch(ofFolder, 'docs/')
    t.strictSame(problems, [])
  })

  t.test('the note about a finished archive goes away by itself, a problem stays', async (t) => {
    const { page } = await openConsole(t, browser, { baseUrl, token })
    await page.clock.install()
    await page.goto(`${baseUrl}/#/files/zips`)
    const button = page.getByRole('button', { name: 'Download all' })

    await button.click()
    await page.getByText('zips.zip is downloaded.').waitFor()
    await page.clock.fastForward(10_000)
    await page.getByText('zips.zip is downloaded.').waitFor({ state: 'detached' })

    await page.route('**/api/files/zip', async (route) => {
      await route.fulfill({ status: 400, json: { error: 'No' } })
    })
    await button.click()
    await page.getByText('could not be downloaded').waitFor()
    await page.clock.fastForward(60_000)
    t.equal(await page.getByText('could not be downloaded').isVisible(), true)
  })

  t.test('a refused archive shows the reason, and nothing is saved', async (t) => {
    const { page } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/files/zips`)
    await page.route(
      '**/api/files/zip',
      async (route) => await route.fulfill({ status: 404, json: { error: 'File not found' } })
    )
    await page.getByRole('button', { name: 'Download all' }).click()

    await page.getByText('The ZIP archive could not be downloaded: File not found.').waitFor()
  })

  t.test('an incomplete archive is not saved', async (t) => {
    const { page } = await openConsole(t, browser, { baseUrl, token })
    const downloads: string[] = []
    page.on('download', (download) => {
      downloads.push(download.suggestedFilename())
    })
    await page.goto(`${baseUrl}/#/files/zips`)
    await page.route('**/api/files/zip', async (route) => await route.abort('connectionreset'))
    await page.getByRole('button', { name: 'Download all' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' })

    t.strictSame(downloads, [])
  })

  for (const [theme, width] of looks) {
    t.test(`the buttons are accessible, ${theme}, ${width} pixels wide`, async (t) => {
      const opened = await openConsole(t, browser, { baseUrl, token, theme, width })
      const { page } = opened
      await page.goto(`${baseUrl}/#/files/zips/docs`)
      await page.getByRole('button', { name: 'Download all' }).click()
      await page.getByText('docs.zip is downloaded.').waitFor()
      await lookAt(t, opened, 'zip-all')
      await page.getByRole('checkbox', { name: 'Select b.txt' }).check()
      await lookAt(t, opened, 'zip-selection')
    })
  }
})
