import t from 'tap'
import { poll } from '@filewright/testing'
import { dropFiles, openConsole, testConsole } from '../../src/index.js'

await testConsole(t, 'the dialogs of the console', async ({ baseUrl, token, browser, client }) => {
  const countOf = async (projectId: string): Promise<number> =>
    (await client.files.list({ projectId })).pagination.total

  t.test('files dropped on the projects are uploaded by typing a name and Enter', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    await page.getByRole('heading', { name: 'Projects' }).waitFor()

    await dropFiles(page, [
      { path: 'a.txt', content: 'a' },
      { path: 'b.txt', content: 'b' }
    ])
    await page.getByRole('dialog').getByLabel('Project').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('typed-over')
    await page.keyboard.press('Enter')
    await page.getByText('2 files uploaded').waitFor()

    t.equal(await countOf('typed-over'), 2)
    t.strictSame(problems, [])
  })

  t.test('dropped files survive Escape, another drop and the back button', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/service`)
    await page.goto(`${baseUrl}/#/files`)
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    await dropFiles(page, [{ path: 'first.txt', content: 'a' }])
    await page.getByRole('heading', { name: 'Upload 1 file' }).waitFor()

    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Discard 1 file?' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Upload 1 file' }).waitFor()
    await dropFiles(page, [{ path: 'second.txt', content: 'b' }])
    await page.getByRole('heading', { name: 'Upload 2 files' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Upload 2 files' }).waitFor()
    await page.getByRole('dialog').getByLabel('Project').fill('survivors')
    await page.keyboard.press('Enter')
    await page.getByText('2 files uploaded').waitFor()

    t.equal(await countOf('survivors'), 2)
    t.strictSame(problems, [])
  })

  t.test('a drop is discarded only after the question is answered', async (t) => {
    const { page } = await openConsole(t, browser, { baseUrl, token })
    await dropFiles(page, [{ path: 'never.txt', content: 'a' }])
    await page.getByRole('dialog').getByLabel('Project').fill('discarded')

    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard 1 file' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    t.equal(await countOf('discarded'), 0)
  })

  t.test('a file dropped beside the drop zones does not replace the console', async (t) => {
    const { page } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/service`)
    await page.getByRole('heading', { name: 'Service' }).waitFor()

    await dropFiles(page, [{ path: 'beside.txt', content: 'a' }])
    await page.getByRole('heading', { name: 'Upload 1 file' }).waitFor()

    const isPrevented = await page.evaluate(`['dragover', 'drop'].map((type) =>
      !document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true })))`)
    t.strictSame(isPrevented, [true, true], 'the browser does not open the file')
  })

  t.test('every form dialog starts in its first field, with the text selected', async (t) => {
    await client.files.upload(new Blob(['x']), { projectId: 'fields', name: 'x.js' })
    const { page } = await openConsole(t, browser, { baseUrl, token })
    const focused = async (): Promise<unknown> =>
      await page.evaluate(`(() => {
        const { tagName, value = '', selectionStart, selectionEnd } = document.activeElement
        return tagName === 'INPUT' ? value.slice(selectionStart, selectionEnd) === value : tagName
      })()`)

    await page.getByRole('button', { name: 'New project' }).click()
    await page.getByRole('dialog').waitFor()
    t.equal(await focused(), true, 'new project')
    await page.keyboard.type('by-keyboard')
    await page.keyboard.press('Enter')
    await page.getByText('This project has no files yet').waitFor()

    await page.goto(`${baseUrl}/#/code/analyze`)
    await page.locator('.cm-content').click()
    await page.keyboard.insertText('let a = 1')
    await page.getByRole('button', { name: 'Save…' }).click()
    await page.getByRole('dialog').waitFor()
    t.equal(await focused(), true, 'save')
    await page.keyboard.type('renamed.js')
    await page.getByRole('dialog').getByLabel('Project').fill('fields')
    await page.keyboard.press('Enter')
    await page.getByText('Saved.').waitFor()
    await poll(async () => (await countOf('fields')) === 2)

    await page.goto(`${baseUrl}/#/files/fields`)
    await page.getByRole('link', { name: 'x.js', exact: true }).click()
    await page.getByRole('complementary').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').waitFor()
    t.equal(await page.locator(':focus').textContent(), 'Cancel', 'a question without a field')
  })
})
