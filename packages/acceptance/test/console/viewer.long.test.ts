import t from 'tap'
import { lookAt, looks, openConsole, png, testConsole } from '../../src/index.js'

const HOSTILE = `# Title

A [web link](https://example.com/a), a [script link](javascript:alert(1)), ![picture](https://example.com/a.png)
<img src="https://example.com/b.png" onerror="alert(1)"> <script>alert(1)</script>

- [x] done
- **bold** and \`code\` &amp; more

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
    await page.getByRole('button', { name: 'Source' }).click()
    await page.locator('.preview .cm-content').waitFor()
    t.strictSame(problems, [], 'no script ran and nothing was loaded')
  })

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
