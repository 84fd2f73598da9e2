import type { Page } from 'playwright-core'
import t from 'tap'
import { poll } from '@filewright/testing'
import { chooseFiles, eicar, openConsole, writeCode, testConsole } from '../../src/index.js'

await testConsole(t, 'names that are taken', async ({ baseUrl, token, browser, client }) => {
  const store = async (projectId: string, ...names: string[]): Promise<void> => {
    for (const name of names) await client.files.upload(new Blob(['old']), { projectId, name })
  }
  const contentsOf = async (projectId: string): Promise<Record<string, string>> => {
    const { files } = await client.files.list({ projectId, sort: 'name', limit: 100 })
    const entries = files.map(async ({ id, name }): Promise<[string, string]> => {
      const bytes = await (await client.files.download(id)).bytes()
      return [name, new TextDecoder().decode(bytes)]
    })
    return Object.fromEntries(await Promise.all(entries))
  }
  const upload = async (page: Page, ...names: string[]): Promise<void> =>
    await chooseFiles(
      page,
      names.map((path) => ({ path, content: 'new' }))
    )
  const question = (page: Page, name: string) =>
    page.getByRole('heading', { name: `“${name}” exists already` })

  t.test(
    'for a taken name the console asks; replacing stores the new file first, then deletes the old one',
    async (t) => {
      await store('replaced', 'a.txt')
      const { page, problems } = await openConsole(t, browser, { baseUrl, token })
      const calls: string[] = []
      page.on('response', (response) => {
        const method = response.request().method()
        if (method !== 'GET') calls.push(`${method} ${response.status()}`)
      })
      await page.goto(`${baseUrl}/#/files/replaced`)
      await page.getByRole('link', { name: 'a.txt' }).waitFor()

      await upload(page, 'a.txt', 'b.txt')
      await question(page, 'a.txt').waitFor()
      // The other file does not wait for the answer.
      await poll(async () => 'b.txt' in (await contentsOf('replaced')))
      await page.getByRole('button', { name: 'Replace' }).click()
      await page.getByText('2 files uploaded').waitFor()

      t.strictSame(await contentsOf('replaced'), { 'a.txt': 'new', 'b.txt': 'new' })
      t.equal((await client.files.list({ projectId: 'replaced' })).pagination.total, 2)
      t.strictSame(calls, ['POST 201', 'POST 201', 'DELETE 200'])
      t.strictSame(problems, [])
    }
  )

  t.test('the old file stays if the new one is refused, cancelled or skipped', async (t) => {
    await store('stays', 'a.txt')
    const { page } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/files/stays`)
    await page.getByRole('link', { name: 'a.txt' }).waitFor()

    await chooseFiles(page, [{ path: 'a.txt', content: eicar }])
    await page.getByRole('button', { name: 'Replace' }).click()
    await page.getByText('1 refused').waitFor()
    t.strictSame(await contentsOf('stays'), { 'a.txt': 'old' })

    await upload(page, 'a.txt')
    await question(page, 'a.txt').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('1 cancelled').waitFor()
    await page.getByRole('button', { name: 'Try a.txt again' }).click()
    await question(page, 'a.txt').waitFor()
    await page.getByRole('button', { name: 'Skip' }).click()
    await page.getByText('1 skipped').waitFor()

    t.strictSame(await contentsOf('stays'), { 'a.txt': 'old' })
  })

  t.test('both are kept under numbered names, for all files at once', async (t) => {
    await store('kept', 'a.txt', 'a (2).txt', 'b', 'c.tar.gz')
    const { page } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/files/kept`)
    await page.getByRole('link', { name: 'a.txt' }).waitFor()

    await upload(page, 'a.txt', 'b', 'c.tar.gz', 'd.txt')
    await page.getByRole('checkbox', { name: /for all further files/ }).check()
    await page.keyboard.press('Enter')
    await page.getByText('4 files uploaded').waitFor()

    t.strictSame(await contentsOf('kept'), {
      'a.txt': 'old',
      'a (2).txt': 'old',
      'a (3).txt': 'new',
      b: 'old',
      'b (2)': 'new',
      'c.tar.gz': 'old',
      'c.tar (2).gz': 'new',
      'd.txt': 'new'
    })
  })

  t.test('a file that is chosen twice in a row also causes the question', async (t) => {
    const { page } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/files/twice`)
    await page.getByText('This project has no files yet').waitFor()

    await upload(page, 'a.txt')
    await upload(page, 'a.txt')
    await question(page, 'a.txt').waitFor()
    await page.getByRole('button', { name: 'Replace' }).click()
    await page.getByText('file uploaded').or(page.getByText('files uploaded')).waitFor()

    await poll(async () => (await client.files.list({ projectId: 'twice' })).pagination.total === 1)
  })

  t.test('code is saved over a stored file only on request', async (t) => {
    await store('saved', 'a.js')
    const { page } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/code/analyze`)
    await writeCode(page, 'new')
    await page.getByRole('button', { name: 'Save…' }).click()
    await page.getByLabel('File name').fill('a.js')
    await page.getByRole('dialog').getByLabel('Project').fill('saved')
    await page.keyboard.press('Enter')
    await page.getByText('“a.js” exists already').waitFor()
    t.strictSame(await contentsOf('saved'), { 'a.js': 'old' })

    await page.getByRole('button', { name: 'Replace' }).click()
    await page.getByText('Saved.').waitFor()

    t.strictSame(await contentsOf('saved'), { 'a.js': 'new' })
  })
})
