import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { Filewright } from '@filewright/client'
import { poll, startStack } from '@filewright/testing'
import {
  accessibilityProblems,
  chooseFiles,
  dropFiles,
  eicar,
  elf,
  findChromium,
  inFlight,
  launchBrowser,
  NO_CHROMIUM,
  openConsole,
  writeCode,
  type FileToDrop
} from '../../src/index.js'

t.setTimeout(900_000)

const filesOf = (count: number, folder = ''): FileToDrop[] =>
  Array.from({ length: count }, (_, i) => ({
    path: `${folder}file-${String(i + 1).padStart(3, '0')}.txt`,
    content: `content ${i}\n`
  }))

const CODE = `export function first (list) {
  var a = list[0]
  return a
}
`

const executablePath = findChromium()
if (executablePath === undefined) {
  t.test('work in the console', { skip: NO_CHROMIUM }, async () => {})
} else {
  const stack = await startStack(t)
  const { baseUrl, token } = stack
  const browser = await launchBrowser(t, executablePath)
  const client = new Filewright({ baseUrl, token })
  const open = async (t: Test, hash: string) => {
    const opened = await openConsole(t, browser, { baseUrl, token })
    await opened.page.goto(`${baseUrl}/#/${hash}`)
    return opened
  }
  const codeOf = async (page: Page): Promise<string> =>
    (await page.locator('.cm-line').allTextContents()).join('\n')

  t.test('thirty files and folders are dropped, two of them refused', async (t) => {
    const { page, problems } = await open(t, 'files/dropped')
    await page.getByText('This project has no files yet').waitFor()

    await dropFiles(page, [
      ...filesOf(18),
      ...filesOf(10, 'photos/2026/'),
      { path: 'virus.txt', content: eicar },
      { path: 'program', content: elf }
    ])
    await page.getByText('28 files uploaded · 2 refused').waitFor()
    await page.getByText('Malware was found in the file.').waitFor()
    await page.getByRole('row', { name: /photos/ }).waitFor()

    t.equal(await page.locator('.files tbody tr').count(), 19, '18 files and a folder')
    await page.locator('.files').getByRole('link', { name: 'photos' }).click()
    await page.locator('.files').getByRole('link', { name: '2026' }).click()
    await page.getByText('1–10 of 10').waitFor()
    t.equal(
      await page.getByRole('navigation', { name: 'Breadcrumb' }).textContent(),
      'All projectsdroppedphotos'
    )
    t.strictSame(problems, [])
  })

  t.test('a folder is deleted with everything below it, after one confirmation', async (t) => {
    for (const folder of ['old', 'old/2025', 'old/2025/may', 'new']) {
      await client.files.upload(new Blob([folder]), { projectId: 'folders', folder, name: 'a.txt' })
    }
    const { page, problems } = await open(t, 'files/folders')

    await page.getByRole('checkbox', { name: 'Select the folder old' }).check()
    await page.getByText('1 folder selected').waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('heading', { name: 'Delete the folder “old” and all 3 files in it?' }).waitFor()
    await page.getByRole('button', { name: 'Delete 3 files' }).click()
    await page.getByRole('checkbox', { name: 'Select the folder old' }).waitFor({ state: 'detached' })
    await page.getByText('3 files deleted').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('checkbox', { name: 'Select the folder old' }).check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('restore the files from the trash for 7 days').waitFor()
    await page.getByRole('button', { name: 'Delete 3 files' }).click()
    await page.getByRole('checkbox', { name: 'Select the folder old' }).waitFor({ state: 'detached' })
    await page.goto(`${baseUrl}/#/files/folders/new`)
    await page.getByRole('button', { name: 'Delete folder' }).click()
    await page.getByRole('button', { name: 'Delete 1 file' }).click()
    await page.getByText('This project has no files yet').waitFor()

    t.equal((await client.files.list({ projectId: 'folders' })).pagination.total, 0)
    t.strictSame(problems, [])
  })

  t.test('an upload is cancelled and retried, and one survives a restart of the gateway', async (t) => {
    const { page, problems } = await open(t, 'files/large')
    await page.getByText('This project has no files yet').waitFor()
    const context = await page.context().newCDPSession(page)
    await context.send('Network.enable')
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 1_000_000 }
    await context.send('Network.emulateNetworkConditions', slow)

    await chooseFiles(page, [{ path: 'large.txt', content: 'a line of text\n'.repeat(600_000) }])
    await page.getByRole('button', { name: 'Cancel large.txt' }).click()
    await page.getByText('1 cancelled').waitFor()
    t.equal((await client.files.list({ projectId: 'large' })).pagination.total, 0)

    await page.getByRole('button', { name: 'Try large.txt again' }).click()
    await page.getByRole('progressbar', { name: 'Progress of large.txt' }).waitFor()
    process.kill(stack.pid('gateway') ?? 0, 'SIGKILL')
    await context.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 })
    await page.getByText('1 file uploaded').waitFor({ timeout: 120_000 })

    t.equal((await client.files.list({ projectId: 'large' })).pagination.total, 1)
    t.strictSame(
      problems.filter((problem) => !problem.includes('ERR_')),
      []
    )
  })

  t.test('leaving the page asks while uploads run', async (t) => {
    const { page } = await open(t, 'files/leaving')
    const context = await page.context().newCDPSession(page)
    await context.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: 50_000
    })
    await chooseFiles(page, [{ path: 'large.txt', content: 'a line of text\n'.repeat(100_000) }])
    await page.getByRole('button', { name: 'Cancel large.txt' }).waitFor()

    const asked = page.waitForEvent('dialog')
    void page.reload().catch(() => {})
    const dialog = await asked
    t.equal(dialog.type(), 'beforeunload')
    await dialog.dismiss()
  })

  t.test('hundreds of files are paged, sorted, searched and deleted with one confirmation', async (t) => {
    await inFlight(250, 16, async (i) => {
      await client.files.upload(new Blob([`${i}`]), {
        projectId: 'hundreds',
        name: `file-${String(i).padStart(3, '0')}.txt`
      })
    })
    const { page, problems } = await open(t, 'files/hundreds')
    const names = async (): Promise<string[]> =>
      await page.locator('.files tbody .column-name').allTextContents()

    await page.getByText('1–50 of 250').waitFor()
    await page.getByRole('link', { name: 'Name', exact: true }).click()
    await poll(async () => (await names())[0] === 'file-000.txt')
    await page.getByRole('button', { name: 'Last page' }).click()
    await page.getByText('201–250 of 250').waitFor()
    await poll(async () => (await names()).at(-1) === 'file-249.txt')
    await page.getByRole('searchbox').fill('file-1')
    await page.getByText('1–50 of 100').waitFor()

    await page.getByRole('checkbox', { name: 'Select everything on this page' }).check()
    await page.getByRole('button', { name: 'Delete all 100 in this list' }).click()
    await page.getByRole('button', { name: 'Delete 100 files' }).click()
    await page.getByText('No matching files').waitFor({ timeout: 60_000 })
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await page.getByText('1–50 of 150').waitFor()
    await page.getByRole('checkbox', { name: 'Select everything on this page' }).check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Delete 50 files' }).click()
    await page.getByText('1–50 of 100').waitFor({ timeout: 60_000 })

    t.equal((await client.files.list({ projectId: 'hundreds' })).pagination.total, 100)
    t.strictSame(problems, [])
  })

  t.test('a generation appears as it is written, is saved and opened again', async (t) => {
    const { page, problems } = await open(t, 'code/generate')

    await page.getByLabel('What should be written?').fill('an average')
    await page.getByRole('button', { name: 'Generate', exact: true }).click()
    await page.getByText(/Done, .* used/).waitFor()
    await page.getByText('Answered by the sandbox').waitFor()
    const written = await codeOf(page)
    t.match(written, 'average')
    await page.getByRole('button', { name: 'Save…' }).click()
    await page.getByLabel('File name').fill('average.js')
    await page.getByRole('dialog').getByLabel('Project').fill('written')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('link', { name: 'Show it' }).click()
    await page.getByRole('link', { name: 'Open in Code' }).click()

    await page.getByRole('heading', { name: 'average.js' }).waitFor()
    await poll(async () => (await codeOf(page)) === written)
    t.strictSame(problems, [])
  })

  t.test('a second generation, as of another model, is shown beside the first', async (t) => {
    const { page, problems } = await open(t, 'code/generate')
    const compare = page.getByRole('button', { name: 'Compare with the previous code' })
    for (const [prompt, model, written] of [
      ['an average', 'alpha-4o-mini', 'average'],
      ['a debounce function', 'alpha-4o', 'debounce']
    ] as const) {
      await page.getByLabel('What should be written?').fill(prompt)
      await page.getByLabel('Model').selectOption(model)
      await page.getByRole('button', { name: 'Generate', exact: true }).click()
      // The sandbox model can end before anyone sees that it writes.
      await page.locator('.cm-content').filter({ hasText: written }).waitFor()
      await page.getByText(/Done, .* used/).waitFor()
    }

    await compare.click()
    t.match(await page.locator('.cm-merge-a .cm-content').textContent(), 'average')
    t.match(await page.locator('.cm-merge-b .cm-content').textContent(), 'debounce')
    t.strictSame(await accessibilityProblems(page), [])
    await compare.click()
    t.match(await codeOf(page), 'debounce', 'the newest is in the editor')
    t.strictSame(problems, [])
  })

  t.test('text typed over a selection arrives letter by letter', async (t) => {
    const { page, problems } = await open(t, 'code/analyze')
    await writeCode(page, CODE)

    await page.keyboard.press('Control+a')
    await page.keyboard.type('const answer = 42')

    t.equal(await codeOf(page), 'const answer = 42')
    t.strictSame(problems, [])
  })

  t.test('a finding leads to its line, and a rewrite is applied from its diff', async (t) => {
    const { page, problems } = await open(t, 'code/analyze')

    // Lines far from a change are folded.
    await writeCode(page, `${CODE}${'// unchanged\n'.repeat(20)}`)
    await page.getByRole('button', { name: 'Analyze', exact: true }).click()
    await page
      .getByRole('button', { name: /Line 2/ })
      .first()
      .click()
    t.equal(await page.locator('.cm-activeLine').textContent(), '  var a = list[0]')
    t.equal(await page.locator('.cm-lint-marker').count(), 1)

    await page.getByRole('link', { name: 'Optimize' }).click()
    await page.getByRole('button', { name: 'Optimize', exact: true }).click()
    await page.getByRole('button', { name: 'Apply to the editor' }).waitFor()
    const folded = page.locator('.cm-collapsedLines').first()
    t.match(await folded.textContent(), 'unchanged lines')
    for (const side of ['::before', '::after']) {
      const sign = await page.evaluate(
        `getComputedStyle(document.querySelector('.cm-collapsedLines'), '${side}').content`
      )
      t.equal(sign, 'none', 'no sign that fonts lack')
    }
    await page.getByRole('button', { name: 'Apply to the editor' }).click()
    await page.getByText('The rewrite is in the editor.').waitFor()
    t.match(await codeOf(page), 'const a = list[0]')
    t.strictSame(problems, [])
  })

  t.test('little is loaded for the first view, and the editor only when code is shown', async (t) => {
    // Uses a browser with an empty cache.
    const page = await browser.newPage()
    const bytes = new Map<string, number>()
    page.on('response', (response) => {
      if (!response.url().includes('/console/')) return
      void response
        .request()
        .sizes()
        .then(({ responseBodySize }) => {
          bytes.set(response.url(), responseBodySize)
        })
    })
    const total = (): number => [...bytes.values()].reduce((sum, size) => sum + size, 0)

    await page.goto(`${baseUrl}/#token=${token}`)
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    await poll(async () => bytes.size >= 2)
    const first = total()
    await page.goto(`${baseUrl}/#/code/analyze`)
    await writeCode(page, CODE)
    await page.locator('.cm-line span').first().waitFor()
    const editor = total() - first

    t.comment(`first view ${first} bytes, editor ${editor} bytes`)
    t.ok(first > 0 && first <= 60_000, `first view: ${first} bytes`)
    t.ok(editor > 0 && editor <= 200_000, `editor: ${editor} bytes`)
  })
}
