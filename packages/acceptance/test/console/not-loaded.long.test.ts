import t from 'tap'
import { openConsole, testConsole } from '../../src/index.js'

await testConsole(t, 'a part of the console that cannot be loaded', async ({ baseUrl, token, browser }) => {
  t.test('says that the device is offline, and loads when it is connected again', async (t) => {
    const { page } = await openConsole(t, browser, { baseUrl, token })
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    await page.context().setOffline(true)

    await page.getByRole('link', { name: 'History' }).click()
    await page.getByText('You are offline').waitFor()
    await page.context().setOffline(false)

    await page.getByRole('heading', { name: 'History' }).waitFor()
  })

  t.test('says that the service cannot be reached, and loads on request', async (t) => {
    const { page } = await openConsole(t, browser, { baseUrl, token })
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    await page.route('**/*', async (route) => await route.abort('connectionrefused'))

    await page.getByRole('link', { name: 'Service' }).click()
    await page.getByText('The service cannot be reached').waitFor()
    await page.unroute('**/*')
    await page.getByRole('button', { name: 'Try again' }).click()

    await page.getByRole('heading', { name: 'Service' }).waitFor()
  })

  t.test('says that the console has been updated only if it has', async (t) => {
    const { page } = await openConsole(t, browser, { baseUrl, token })
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    await page.route('**/console/part-*.js', async (route) => await route.fulfill({ status: 404 }))

    await page.getByRole('link', { name: 'Service' }).click()
    await page.getByText('The service cannot be reached').waitFor()
    const newer = '<script type="module" src="/console/console-NEWER.js"></script>'
    await page.route(`${baseUrl}/`, async (route) => await route.fulfill({ body: newer }))
    await page.getByRole('button', { name: 'Try again' }).click()

    await page.getByText('This page is out of date').waitFor()
  })
})
