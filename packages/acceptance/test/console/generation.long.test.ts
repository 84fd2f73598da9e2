import { once } from 'node:events'
import t from 'tap'
import { startOllamaServer, startStack } from '@filewright/testing'
import {
  defaultModels,
  findChromium,
  launchBrowser,
  NO_CHROMIUM,
  openConsole,
  signOut,
  writeCode
} from '../../src/index.js'

t.setTimeout(300_000)

const code = Array.from({ length: 400 }, (_, line) => `export const value${line} = ${line}`).join('\n')

const executablePath = findChromium()
if (executablePath === undefined) {
  t.test('a generation in the console', { skip: NO_CHROMIUM }, async () => {})
} else {
  const peer = await startOllamaServer({
    models: defaultModels,
    respond: () => `\`\`\`js\n${code}\n\`\`\``,
    script: () => ({ kind: 'slow', perTokenMs: 10 })
  })
  t.teardown(async () => await peer.close())
  const { baseUrl, token } = await startStack(t, { env: { OLLAMA_HOST: peer.url } })
  const browser = await launchBrowser(t, executablePath)

  t.test('appears while the model writes; on stop the model stops and the text stays', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/code/generate`)
    await writeCode(page, 'const mine = 1')

    await page.getByLabel('What should be written?').fill('values')
    await page.getByRole('button', { name: 'Generate', exact: true }).click()
    await page.getByText('export const value1 = 1', { exact: true }).waitFor()
    await page.getByText('Answered by the model').waitFor()
    const stopped = once(peer.events, 'closed-by-client', { signal: AbortSignal.timeout(10_000) })
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped. The partial result is in the editor.').waitFor()
    await stopped

    t.notMatch(await page.locator('.cm-content').textContent(), 'value399')
    t.notMatch(await page.locator('.cm-content').textContent(), '```')
    await page.getByRole('button', { name: 'Restore the previous code' }).click()
    t.equal(await page.locator('.cm-content').textContent(), 'const mine = 1')
    t.strictSame(problems, [])
  })

  t.test('a sign-out stops the model, and its text is gone', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/code/generate`)
    await page.getByLabel('What should be written?').fill('values')
    await page.getByRole('button', { name: 'Generate', exact: true }).click()
    await page.getByText('export const value1 = 1', { exact: true }).waitFor()

    const stopped = once(peer.events, 'closed-by-client', { signal: AbortSignal.timeout(10_000) })
    await signOut(page)
    await stopped
    await page.getByLabel('Access token').fill(token)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    await page.goto(`${baseUrl}/#/code/generate`)
    await page.locator('.cm-placeholder').waitFor()

    t.equal(await page.getByLabel('What should be written?').inputValue(), '')
    t.strictSame(problems, [])
  })
}
