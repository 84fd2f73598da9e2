import t from 'tap'
import { lookAt, looks, openConsole, testConsole } from '../../src/index.js'

await testConsole(t, 'the trash in the console', async ({ baseUrl, token, browser, client }) => {
  /** Stores files and deletes them. */
  async function discard(projectId: string, names: readonly string[]): Promise<string[]> {
    const ids: string[] = []
    for (const name of names) {
      const { id } = await client.files.upload(new Blob([name]), { projectId, folder: 'inner', name })
      await client.files.delete(id)
      ids.push(id)
    }
    return ids
  }
  const readable = async (projectId: string): Promise<string[]> =>
    (await client.files.list({ projectId, sort: 'name' })).files.map(({ name }) => name)
  const trashed = async (projectId: string): Promise<string[]> =>
    (await client.trash.list({ projectId })).files.map(({ name }) => name).sort()

  t.test('files are restored one by one and as a selection, and deleted permanently', async (t) => {
    await discard('bin', ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt'])
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/files/bin`)
    await page.getByRole('link', { name: 'Trash' }).click()
    await page.getByRole('heading', { name: 'Trash of bin' }).waitFor()
    await page.getByText(/stay here for 7 days and count towards your quota/).waitFor()

    await page.getByRole('button', { name: 'Restore a.txt' }).click()
    await page.getByText('1 file restored').waitFor()
    t.strictSame(await readable('bin'), ['a.txt'])

    await page.getByRole('checkbox', { name: 'Select b.txt' }).check()
    await page.getByRole('checkbox', { name: 'Select c.txt' }).check()
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await page.getByText('2 files restored').waitFor()
    t.strictSame(await readable('bin'), ['a.txt', 'b.txt', 'c.txt'])

    await page.getByRole('checkbox', { name: 'Select d.txt' }).check()
    await page.getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByRole('heading', { name: 'Delete 1 file permanently?' }).waitFor()
    await page.keyboard.press('Escape')
    t.strictSame(await trashed('bin'), ['d.txt', 'e.txt'], 'Escape deletes nothing')
    await page.getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByRole('button', { name: 'Delete 1 file', exact: true }).click()
    await page.getByText('1 file deleted permanently').waitFor()
    t.strictSame(await trashed('bin'), ['e.txt'])

    await page.getByRole('button', { name: 'Empty the trash' }).click()
    await page.getByRole('button', { name: 'Delete 1 file', exact: true }).click()
    await page.getByText('The trash is empty').waitFor()
    t.strictSame(await trashed('bin'), [])
    t.strictSame(await readable('bin'), ['a.txt', 'b.txt', 'c.txt'], 'stored files stay')
    t.strictSame(problems, [])
  })

  t.test(
    'a file that was withdrawn or erased meanwhile is not restored, and the page says why',
    async (t) => {
      const [withdrawn = '', gone = ''] = await discard('lost', ['withdrawn.txt', 'gone.txt'])
      const { page } = await openConsole(t, browser, { baseUrl, token })
      await page.goto(`${baseUrl}/#/trash/lost`)
      await page.getByRole('button', { name: 'Restore gone.txt' }).waitFor()
      // The gateway's response for such a file.
      await page.route(
        `**/api/trash/${withdrawn}/restore`,
        async (route) =>
          await route.fulfill({
            status: 410,
            headers: { 'x-rejection': 'withdrawn; new signatures found malware in this file' },
            json: { error: 'File was withdrawn' }
          })
      )
      await client.trash.delete(gone)

      await page.getByRole('button', { name: 'Restore withdrawn.txt' }).click()
      await page
        .getByText('1 file could not be restored: The file was withdrawn: new signatures found malware')
        .waitFor()
      await page.getByRole('button', { name: 'Restore gone.txt' }).waitFor({ state: 'detached' })

      t.strictSame(await readable('lost'), [])
    }
  )

  t.test('the trash is used without a mouse', async (t) => {
    await discard('trash-keys', ['a.txt', 'b.txt'])
    const { page } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/files/trash-keys`)
    await page.getByText('This project has no files yet').waitFor()

    await page.keyboard.press('Control+k')
    await page.keyboard.type('trash')
    await page.getByRole('option', { name: 'Trash', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Restore b.txt' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByText('1 file restored').waitFor()

    t.strictSame(await readable('trash-keys'), ['a.txt'], 'the one deleted last is the first in the list')
  })

  t.test('an emptied page redirects to the last one', async (t) => {
    await discard('pages', ['a.txt'])
    const { page } = await openConsole(t, browser, { baseUrl, token })

    await page.goto(`${baseUrl}/#/trash/pages?page=3`)

    await page.getByRole('button', { name: 'Restore a.txt' }).waitFor()
  })

  for (const [theme, width] of looks) {
    t.test(`the trash is accessible, ${theme}, ${width} pixels wide`, async (t) => {
      const project = `look-${width}`
      await discard(project, ['a report with a long name that does not fit.txt', 'b.txt'])
      const opened = await openConsole(t, browser, { baseUrl, token, theme, width })
      const { page, problems } = opened

      await page.goto(`${baseUrl}/#/trash/${project}`)
      await page.getByRole('button', { name: 'Restore b.txt' }).waitFor()
      await lookAt(t, opened, 'trash')
      await page.getByRole('checkbox', { name: 'Select b.txt' }).check()
      await lookAt(t, opened, 'trash-selected')
      await page.getByRole('button', { name: 'Empty the trash' }).click()
      await lookAt(t, opened, 'trash-empty-dialog')
      await page.getByRole('button', { name: 'Delete 2 files' }).click()
      await page.getByText('The trash is empty').waitFor()
      await lookAt(t, opened, 'trash-empty')
      t.strictSame(problems, [])
    })
  }
})
