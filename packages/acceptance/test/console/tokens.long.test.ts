import t from 'tap'
import { Filewright, UnauthorizedError } from '@filewright/client'
import { lookAt, looks, openConsole, testConsole } from '../../src/index.js'

await testConsole(t, 'access tokens in the console', async ({ baseUrl, token, browser, client }) => {
  t.test('an operator creates a token, which is shown once, and revokes it', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('link', { name: 'Manage tokens' }).click()
    await page.getByRole('heading', { name: 'Access tokens' }).waitFor()
    await page.getByRole('button', { name: 'New token' }).click()

    await dialog.getByLabel('Name').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('for-tests')
    await page.keyboard.press('Enter')
    await dialog.getByText('Enter at least one project.').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'New token' }).click()
    t.equal(await dialog.getByLabel('Name').inputValue(), 'for-tests', 'closing the form loses nothing')
    await dialog.getByLabel('These projects').fill('demo, other')
    await dialog.getByLabel('Expires').selectOption('In 7 days')
    await dialog.getByLabel('Quota of files').fill('10')
    await page.keyboard.press('Enter')

    const field = dialog.getByLabel('Access token')
    await field.waitFor()
    const secret = await field.inputValue()
    await page.goBack()
    t.equal(await field.inputValue(), secret, 'the back button does not lose it')
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Close without the token?' }).waitFor()
    await page.getByRole('button', { name: 'Show the secret' }).click()
    await dialog.getByRole('button', { name: 'I have saved it' }).click()
    await dialog.waitFor({ state: 'detached' })
    const made = new Filewright({ baseUrl, token: secret })
    t.match(await made.service(), {
      token: { name: 'for-tests', projects: ['demo', 'other'] },
      usage: { max_files: 10 }
    })

    await page.goto(`${baseUrl}/#/tokens`)
    const own = page.getByRole('row').filter({ hasText: 'this session' })
    await own.waitFor()
    t.match(await own.textContent(), 'local')
    t.equal(await own.getByRole('button').count(), 0, 'a token cannot revoke itself')
    const row = page.getByRole('row').filter({ hasText: 'for-tests' })
    t.match(await row.textContent(), /demo, other.*10 files/)
    t.notMatch(await page.locator('main').textContent(), secret)
    await row.getByRole('button', { name: 'Revoke for-tests' }).click()
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click()
    await row.getByText(/^revoked /).waitFor()
    await t.rejects(made.service(), UnauthorizedError)
    t.strictSame(problems, [])
  })

  t.test('a token of a user does not offer to manage tokens, and the page says why', async (t) => {
    const { secret } = await client.tokens.create({ name: 'user', projects: null })
    const { page, problems } = await openConsole(t, browser, { baseUrl })
    await page.getByLabel('Access token').fill(secret)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Projects' }).waitFor()

    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('dialog').getByText('All projects').waitFor()
    t.equal(await page.getByRole('link', { name: 'Manage tokens' }).count(), 0)
    await page.keyboard.press('Escape')
    await page.goto(`${baseUrl}/#/tokens`)
    await page.getByText('Only operators manage tokens').waitFor()
    t.strictSame(problems, [])
  })

  for (const [theme, width] of looks) {
    t.test(`the tokens are accessible, ${theme}, ${width} pixels wide`, async (t) => {
      const opened = await openConsole(t, browser, { baseUrl, token, theme, width })
      const { page, problems } = opened
      await page.goto(`${baseUrl}/#/tokens`)
      await page.getByRole('rowheader', { name: /local/ }).waitFor()
      await lookAt(t, opened, 'tokens')
      await page.getByRole('button', { name: 'New token' }).click()
      await page.getByRole('dialog').getByLabel('Name').waitFor()
      await lookAt(t, opened, 'token-form')
      t.strictSame(problems, [])
    })
  }
})
