import t from 'tap'
import { gzipSync } from 'node:zlib'
import { rawTar, rawZip } from '@filewright/testing'
import {
  accessibilityProblems,
  chooseFiles,
  lookAt,
  looks,
  openConsole,
  png,
  testConsole
} from '../../src/index.js'

const HOSTILE = `# Title

A [web link](https://example.com/a), a [script link](javascript:alert(1)), ![picture](https://example.com/a.png)
<img src="https://example.com/b.png" onerror="alert(1)"> <script>alert(1)</script>

- [x] done
- **bold** and \`code\` &amp; more

1. first
2. second

## Part

| a | b |
|---|---|
| 1 | 2 |

\`\`\`js
const a = 1
\`\`\`

${'> '.repeat(300)}deep
`

await testConsole(t, 'the viewer of the console', async ({ baseUrl, token, browser, client }) => {
  for (const [name, content] of [
    ['1.md', HOSTILE],
    ['2.png', png],
    ['3.txt', 'plain text\n']
  ] as const) {
    const bytes = new Blob([typeof content === 'string' ? content : new Uint8Array(content)])
    await client.files.upload(bytes, { projectId: 'viewer', name })
  }

  t.test('Markdown is rendered without its HTML, its scripts and its remote content', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/files/viewer`)
    await page.getByRole('link', { name: '1.md' }).click()
    const markdown = page.locator('.markdown')

    await markdown.getByRole('heading', { name: 'Title' }).waitFor()
    t.equal(await markdown.locator('img, script, iframe, style').count(), 0)
    const links = await markdown.locator('a').all()
    t.strictSame(await Promise.all(links.map(async (link) => await link.getAttribute('href'))), [
      'https://example.com/a',
      'https://example.com/a.png'
    ])
    t.match(await markdown.textContent(), '<script>alert(1)</script>')
    t.match(await markdown.textContent(), 'code & more')
    t.equal(await markdown.getByRole('cell', { name: '2' }).count(), 1)
    const styleOf = async (selector: string, property: string): Promise<string> =>
      String(
        await page.evaluate(`getComputedStyle(document.querySelector('.markdown ${selector}')).${property}`)
      )
    t.equal(await styleOf('ul', 'listStyleType'), 'disc')
    t.equal(await styleOf('ol', 'listStyleType'), 'decimal')
    const sizes = await Promise.all(
      ['h3', 'h4', 'p'].map(async (selector) => parseFloat(await styleOf(selector, 'fontSize')))
    )
    t.ok(
      sizes[0]! > sizes[1]! && sizes[1]! > sizes[2]!,
      `headings are larger than text: ${sizes.join(', ')} px`
    )
    await page.getByRole('button', { name: 'Source' }).click()
    await page.locator('.preview .cm-content').waitFor()
    t.strictSame(problems, [], 'no script ran and nothing was loaded')
  })

  t.test('a file is renamed and moved; a taken name is refused', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    for (const name of ['before.txt', 'taken.txt']) {
      await client.files.upload(new Blob([name]), { projectId: 'renamed', name })
    }
    await page.goto(`${baseUrl}/#/files/renamed`)
    await page.getByRole('link', { name: 'before.txt' }).click()
    await page.getByRole('button', { name: 'Rename or move' }).click()
    const dialog = page.getByRole('dialog')
    t.strictSame(await accessibilityProblems(page), [])
    await page.keyboard.type('taken.txt')
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').filter({ hasText: 'taken.txt' }).waitFor()
    await dialog.getByLabel('File name').fill('after.txt')
    await dialog.getByLabel(/^Folder/).fill('new/place')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })

    await page.getByRole('heading', { name: 'after.txt' }).waitFor()
    await page.getByRole('link', { name: 'after.txt' }).waitFor()
    t.match(page.url(), '#/files/renamed/new/place')
    t.strictSame(problems, [])
  })

  t.test('a new folder opens at once and exists with its first file', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl, token, width: 390 })
    await page.goto(`${baseUrl}/#/files/viewer`)
    await page.getByRole('button', { name: 'New folder' }).click()
    const field = page.getByRole('dialog').getByLabel('Name')
    await field.waitFor()
    await page.keyboard.type('..')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'Enter a name' }).waitFor()
    await field.fill('fresh')
    await page.keyboard.press('Enter')
    await page.getByText('This folder is empty').waitFor()
    t.strictSame(await accessibilityProblems(page), [])
    await chooseFiles(page, [{ path: 'first.txt', content: 'first' }])
    await page.getByRole('link', { name: 'first.txt' }).waitFor()

    t.match((await client.files.list({ projectId: 'viewer', folder: 'fresh' })).files, [
      { name: 'first.txt' }
    ])
    t.strictSame(problems, [])
  })

  for (const [name, bytes] of [
    ['a.zip', rawZip([{ name: 'in/one.txt', data: Buffer.from('1') }])],
    ['a.tar', rawTar([{ name: 'in/one.txt', data: Buffer.from('1') }])],
    ['a.tar.gz', gzipSync(rawTar([{ name: 'in/one.txt', data: Buffer.from('1') }]))]
  ] as const) {
    t.test(`the names in ${name} are listed`, async (t) => {
      await client.files.upload(new Blob([new Uint8Array(bytes)]), { projectId: 'archives', name })
      const { page, problems } = await openConsole(t, browser, { baseUrl, token })
      await page.goto(`${baseUrl}/#/files/archives`)
      await page.getByRole('link', { name, exact: true }).click()

      const list = page.getByRole('region', { name: 'Content of the archive' })
      await list.getByRole('cell', { name: 'in/one.txt' }).waitFor()
      t.match(await list.textContent(), '1 entry')
      t.strictSame(await accessibilityProblems(page), [])
      t.strictSame(problems, [])
    })
  }

  t.test('arrow keys show the other files of the list at full size', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/files/viewer?sort=name`)
    await page.getByRole('link', { name: '1.md' }).click()
    await page.getByRole('button', { name: 'Full size' }).click()
    const viewer = page.getByRole('dialog')
    await viewer.getByText('1 of 3').waitFor()

    await page.keyboard.press('ArrowRight')
    await viewer.getByRole('img', { name: '2.png' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await viewer.getByText('3 of 3').waitFor()
    await page.keyboard.press('ArrowRight')
    await viewer.locator('.cm-content').waitFor()
    await page.keyboard.press('ArrowLeft')
    await viewer.getByRole('img', { name: '2.png' }).waitFor()
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'detached' })

    await page.getByRole('complementary').getByRole('heading', { name: '2.png' }).waitFor()
    t.strictSame(problems, [])
  })

  t.test('an empty project says which kinds of file are accepted', async (t) => {
    const { page } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/files/nothing-in-it`)

    await page.getByText(/Accepted: images, documents.*up to 50 MB each.*Not accepted: video/).waitFor()
  })

  for (const [theme, width] of looks) {
    t.test(`the viewer is accessible, ${theme}, ${width} pixels wide`, async (t) => {
      const opened = await openConsole(t, browser, { baseUrl, token, theme, width })
      const { page } = opened
      await page.goto(`${baseUrl}/#/files/viewer?sort=name`)
      await page.getByRole('link', { name: '1.md' }).click()
      await page.locator('.markdown').waitFor()
      await lookAt(t, opened, 'markdown')
      await page.getByRole('button', { name: 'Full size' }).click()
      await page.getByRole('dialog').locator('.markdown').waitFor()
      await lookAt(t, opened, 'viewer-markdown')
      await page.getByRole('button', { name: 'Next file' }).click()
      await page.getByRole('dialog').getByRole('img', { name: '2.png' }).waitFor()
      await lookAt(t, opened, 'viewer-image')
    })
  }
})
