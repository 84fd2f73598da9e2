import t from 'tap'
import { poll, seedFiles, startStack } from '@filewright/testing'
import { Filewright } from '@filewright/client'
import { findChromium, launchBrowser, NO_CHROMIUM, openConsole } from '../../src/index.js'

t.setTimeout(900_000)

const FILES = 100_000
/** Files whose names contain `file-77`: one, and 10, 100 and 1,000 with more digits. */
const FOUND = 1_111

const executablePath = findChromium()
if (executablePath === undefined) {
  t.test('a project of 100,000 files', { skip: NO_CHROMIUM }, async () => {})
} else {
  const stack = await startStack(t)
  const { baseUrl, token } = stack
  await seedFiles(stack.info().databaseUrl, { many: FILES })
  const browser = await launchBrowser(t, executablePath)
  const client = new Filewright({ baseUrl, token })
  const { page, problems } = await openConsole(t, browser, { baseUrl, token })
  const total = async (search = ''): Promise<number> =>
    (await client.files.list({ projectId: 'many', limit: 1, ...(search === '' ? {} : { search }) }))
      .pagination.total

  /** Prints the time without a limit, because it depends on the machine. */
  async function timed(what: string, act: () => Promise<unknown>): Promise<void> {
    const start = performance.now()
    await act()
    t.comment(`${what}: ${Math.round(performance.now() - start)} ms`)
  }

  t.test('the list, its pages, sorting and searching', async (t) => {
    await timed('first page', async () => {
      await page.goto(`${baseUrl}/#/files/many`)
      await page.getByText('1–50 of 50,000').waitFor()
    })
    await timed('last page', async () => {
      await page.getByRole('button', { name: 'Last page' }).click()
      await page.getByText('49,951–50,000 of 50,000').waitFor()
    })
    await timed('sorted by name', async () => {
      await page.getByRole('columnheader', { name: 'Name' }).getByRole('link').click()
      await page.getByText('1–50 of 50,000').waitFor()
    })
    await timed('a search for one file', async () => {
      await page.getByRole('searchbox').fill('file-99999.txt')
      await page.getByText('1 file found for “file-99999.txt”').waitFor()
    })
    await timed('a search for 1,111 files', async () => {
      await page.getByRole('searchbox').fill('file-77')
      await page.getByText('1,111 files found for “file-77”').waitFor()
    })
    t.equal(await page.locator('.files tbody tr').count(), 50)
    await timed(
      'scrolled to the end of the page',
      async () => await page.locator('.files tbody tr').last().scrollIntoViewIfNeeded()
    )
  })

  t.test('1,111 files are selected, deleted and restored', async (t) => {
    await timed('selected', async () => {
      await page.getByRole('checkbox', { name: 'Select everything on this page' }).check()
      await page.getByText('50 files selected').waitFor()
    })
    await page.getByRole('button', { name: 'Delete all 1,111 in this list' }).click()
    await timed('deleted', async () => {
      await page.getByRole('button', { name: 'Delete 1,111 files' }).click()
      await page.getByText('1,111 files deleted').waitFor({ timeout: 300_000 })
    })
    t.equal(await total(), FILES - FOUND)
    t.equal(await total('file-77'), 0)

    await timed('restored', async () => {
      await page.getByRole('button', { name: 'Undo' }).click()
      await poll(async () => (await total('file-77')) === FOUND, {
        what: 'the restored files',
        timeoutMs: 300_000
      })
    })
    t.equal(await total(), FILES)
    t.strictSame(problems, [])
  })
}
