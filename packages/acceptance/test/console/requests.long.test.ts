import t from 'tap'
import { startOllamaServer, startStack } from '@filewright/testing'
import { Filewright } from '@filewright/client'
import {
  defaultModels,
  findChromium,
  launchBrowser,
  lookAt,
  looks,
  NO_CHROMIUM,
  openConsole,
  writeCode,
  type ConsolePage
} from '../../src/index.js'

t.setTimeout(600_000)

const executablePath = findChromium()
if (executablePath === undefined) {
  t.test('requests of the history in the console', { skip: NO_CHROMIUM }, async () => {})
} else {
  const peer = await startOllamaServer({
    models: defaultModels,
    respond: ({ model }) => `\`\`\`js\nexport const writer = '${model}'\n\`\`\``
  })
  t.teardown(async () => await peer.close())
  const { baseUrl, token } = await startStack(t, { env: { OLLAMA_HOST: peer.url, STORE_PROMPTS: 'true' } })
  const client = new Filewright({ baseUrl, token })
  const browser = await launchBrowser(t, executablePath)
  const openLatest = async ({ page }: ConsolePage): Promise<void> => {
    await page.goto(`${baseUrl}/#/history`)
    await page.locator('.history tbody a').first().click()
    await page.getByRole('heading', { name: 'Result' }).waitFor()
    await page.locator('.cm-content').first().waitFor()
  }

  t.test('a generation is opened and run again with another model, side by side', async (t) => {
    const opened = await openConsole(t, browser, { baseUrl, token })
    const { page, problems } = opened
    await client.ai.generate({
      prompt: 'who writes?',
      type: 'code',
      language: 'javascript',
      model: 'alpha-4o'
    })
    await page.goto(`${baseUrl}/#/code/generate`)
    await writeCode(page, 'const mine = 1')

    await openLatest(opened)
    await page.getByText('who writes?').waitFor()
    await page.locator('.code-viewer').getByText("'qwen2.5-coder:7b'").waitFor()
    await page.getByRole('button', { name: 'Run again' }).click()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await page.getByRole('button', { name: 'Run again' }).click()
    await page.getByRole('button', { name: 'Discard the changes' }).click()

    await page.locator('.code-editor').getByText("'qwen2.5-coder:7b'").waitFor()
    t.equal(await page.getByLabel('What should be written?').inputValue(), 'who writes?')
    t.equal(await page.getByLabel('Model').inputValue(), 'alpha-4o')
    await page.getByLabel('Model').selectOption('alpha-4o-mini')
    await page.getByRole('button', { name: 'Generate', exact: true }).click()
    const diff = page.locator('.code-diff')
    await diff.getByText('Earlier: alpha-4o', { exact: true }).waitFor()
    await diff.getByText('Now: alpha-4o-mini', { exact: true }).waitFor()
    await diff.getByText("'qwen2.5-coder:7b'").waitFor()
    await diff.getByText("'qwen2.5-coder:1.5b'").waitFor()
    await lookAt(t, opened, 'run-again')
    t.strictSame(problems, [])
  })

  t.test('an analysis and an optimization are opened and put back into Code', async (t) => {
    const opened = await openConsole(t, browser, { baseUrl, token })
    const { page, problems } = opened
    const code = 'if (a == null) {\n  eval(a)\n}\n'
    await client.ai.analyze({ code, language: 'javascript', analysis_type: 'security' })

    await openLatest(opened)
    await page.locator('.changes li').first().waitFor()
    await page.getByRole('button', { name: 'Run again' }).click()
    await page.locator('.code-editor').getByText('eval(a)').waitFor()
    t.equal(await page.getByLabel('Look for').inputValue(), 'security')

    await client.ai.optimize({
      code: 'function sum (l) {\n  var t = 0\n  for (var i = 0; i < l.length; i++) { t += l[i] }\n  return t\n}',
      language: 'javascript'
    })
    await openLatest(opened)
    await page.locator('.code-diff').getByText('After').waitFor()
    await page.getByRole('button', { name: 'Run again' }).click()
    await page.locator('.code-editor').getByText('function sum').waitFor()
    t.match(page.url(), '#/code/optimize')
    t.strictSame(problems, [])
  })

  for (const [theme, width] of looks) {
    t.test(`a request is accessible, ${theme}, ${width} pixels wide`, async (t) => {
      const opened = await openConsole(t, browser, { baseUrl, token, theme, width })
      await openLatest(opened)
      await lookAt(t, opened, 'request-optimize')
      await opened.page.goto(`${baseUrl}/#/history`)
      await opened.page.locator('.history tbody a').last().click()
      await opened.page.locator('.code-viewer').getByText('export const writer').waitFor()
      await lookAt(t, opened, 'request-generate')
      t.strictSame(opened.problems, [])
    })
  }
}
