import t from 'tap'
import { poll } from '@filewright/testing'
import { accessibilityProblems, lookAt, openConsole, writeCode, testConsole } from '../../src/index.js'

/** A suggestion on line 2, an error on line 5, and more below. */
const VULNERABLE = `import express from 'express'
var app = express()
app.get('/users', async (request, response) => {
  const { name } = request.query
  response.json(await db.query("SELECT * FROM users WHERE name = '" + name + "'"))
})
`

const FLAWLESS = `export const add = (first: number, second: number): number => first + second
`

await testConsole(t, 'findings and reasons in the console', async ({ baseUrl, token, browser }) => {
  t.test('an SQL injection is an error with rule, fix and documentation, before all others', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/code/analyze`)
    await writeCode(page, VULNERABLE)
    await page.getByRole('button', { name: 'Analyze', exact: true }).click()
    await page.locator('.findings li').first().waitFor({ timeout: 120_000 })

    const first = page.locator('.findings li').first()
    t.match(await first.textContent(), /Error · Line 5/)
    t.match(await first.textContent(), 'js/sql-injection')
    t.match(await first.textContent(), 'Pass the values as query parameters.')
    const items = await page.locator('.findings li').all()
    const levels = await Promise.all(items.map(async (item) => await item.getAttribute('data-level')))
    const order = levels.map((level) => ['error', 'warning', 'suggestion'].indexOf(level ?? ''))
    t.strictSame(order, order.toSorted(), 'the worst first')
    t.ok((await page.locator('.cm-lint-marker-error').count()) > 0, 'the margin shows an error')
    const shown = await page.locator('main').textContent()
    t.equal((shown?.match(/Suggestions/g) ?? []).length, 1, 'one meaning of the word')

    await first.getByRole('link', { name: 'js/sql-injection' }).click()
    await page.getByRole('heading', { name: 'js/sql-injection' }).waitFor()
    await page.getByText('Values are concatenated into this SQL statement').waitFor()
    t.strictSame(problems, [])
  })

  t.test('the data flow of a finding leads from the source to the sink, line by line', async (t) => {
    const opened = await openConsole(t, browser, { baseUrl, token, width: 390 })
    const { page, problems } = opened
    await page.goto(`${baseUrl}/#/code/analyze`)
    await writeCode(page, VULNERABLE)
    await page.getByRole('button', { name: 'Analyze', exact: true }).click()
    const first = page.locator('.findings li').first()

    await first.getByText('Data flow, 2 steps').click({ timeout: 120_000 })

    t.match(await first.locator('.finding-flow').textContent(), /Source · Line 4const.*Sink · Line 5response/)
    await lookAt(t, opened, 'data-flow')
    await first.getByRole('button', { name: /Source · Line 4/ }).click()
    t.equal(await page.locator('.cm-activeLine').textContent(), '  const { name } = request.query')
    t.strictSame(problems, [])
  })

  t.test('findings that a comment accepts are counted, and listed with their reasons', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/code/analyze`)
    await writeCode(page, `eval(code) // filewright-ignore js/no-eval -- our own <b>text</b>\n${VULNERABLE}`)
    await page.getByRole('button', { name: 'Analyze', exact: true }).click()
    const summary = page.getByText('1 finding is suppressed by a comment')
    await summary.waitFor({ timeout: 120_000 })

    const item = page.locator('details li').filter({ hasText: 'js/no-eval' })
    t.notOk(await item.isVisible())
    t.notMatch(await page.locator('.findings').first().textContent(), 'js/no-eval')
    await summary.click()
    t.match(await item.textContent(), 'our own <b>text</b>')

    t.strictSame(await accessibilityProblems(page), [])
    t.strictSame(problems, [])
  })

  t.test('a long fix is shown completely beside the editor', async (t) => {
    const { page, screenshot } = await openConsole(t, browser, { baseUrl, token, width: 1440 })
    await page.goto(`${baseUrl}/#/code/analyze`)
    await writeCode(
      page,
      `export function first (list) {\n  var found = list[0] // ${'and so on '.repeat(12)}\n  return found\n}\n`
    )
    await page.getByRole('button', { name: 'Analyze', exact: true }).click()
    const item = page.locator('.findings li').filter({ hasText: 'js/no-var' })
    await item.getByRole('button', { name: 'Show a fix' }).click({ timeout: 120_000 })

    const diff = item.getByRole('region', { name: 'Fix of line 2' })
    await diff.waitFor({ timeout: 120_000 })
    await screenshot('finding-long-fix')

    t.equal(
      await page.evaluate(
        "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.fix-diff'))"
      ),
      0
    )
  })

  t.test('a finding shows a verified fix as a diff and applies it; the editor can undo it', async (t) => {
    const { page, problems, screenshot } = await openConsole(t, browser, { baseUrl, token, width: 390 })
    await page.goto(`${baseUrl}/#/code/analyze`)
    await writeCode(page, VULNERABLE)
    await page.getByRole('button', { name: 'Analyze', exact: true }).click()
    const item = page.locator('.findings li').filter({ hasText: 'js/no-var' })
    await item.getByRole('button', { name: 'Show a fix' }).click({ timeout: 120_000 })

    const diff = item.getByRole('region', { name: 'Fix of line 2' })
    await diff.waitFor({ timeout: 120_000 })
    t.match(await diff.locator('[data-kind=removed]').textContent(), 'var app')
    t.match(await diff.locator('[data-kind=added]').textContent(), 'const app')
    await screenshot('finding-fix')
    t.strictSame(await accessibilityProblems(page), [])
    t.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false, 'it fits')
    await item.getByRole('button', { name: 'Apply fix' }).click()
    await item.waitFor({ state: 'detached', timeout: 120_000 })

    t.match(await page.evaluate('document.activeElement.textContent'), 'The fix is in the code')
    t.match(await page.locator('.cm-content').textContent(), 'const app')
    await page.locator('.cm-content').click()
    await page.keyboard.press('Control+z')
    t.match(await page.locator('.cm-content').textContent(), 'var app')
    t.strictSame(problems, [])
  })

  t.test('a finding is ignored with a reason, by a comment that the analyzers understand', async (t) => {
    const { page, problems, screenshot } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/code/analyze`)
    await writeCode(page, VULNERABLE)
    await page.getByRole('button', { name: 'Analyze', exact: true }).click()
    const item = page.locator('.findings li').filter({ hasText: 'js/sql-injection' })
    await item.getByRole('button', { name: 'Ignore with a reason' }).click({ timeout: 120_000 })
    t.equal(await page.evaluate('document.activeElement.tagName'), 'INPUT', 'the field has the focus')
    await page.keyboard.press('Enter')
    await item.getByRole('alert').filter({ hasText: 'Enter a reason' }).waitFor()
    await page.keyboard.type('an internal  tool')
    await screenshot('finding-ignore')
    t.strictSame(await accessibilityProblems(page), [])
    await page.keyboard.press('Enter')

    await page.getByText('1 finding is suppressed by a comment').waitFor({ timeout: 120_000 })
    t.match(
      await page.locator('.cm-content').textContent(),
      '  // filewright-ignore js/sql-injection -- an internal tool  response.json'
    )
    t.equal(await page.locator('.findings').first().getByText('js/sql-injection').count(), 0)
    t.strictSame(problems, [])
  })

  t.test('findings are filtered by kind and by rule', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl, token })
    await page.goto(`${baseUrl}/#/code/analyze`)
    await writeCode(page, VULNERABLE)
    await page.getByRole('button', { name: 'Analyze', exact: true }).click()
    await page.locator('.findings li').first().waitFor({ timeout: 120_000 })
    const all = await page.locator('.findings li').count()

    await page.getByLabel('Kind').selectOption('security')
    const ofKind = await page.locator('.findings li').count()
    t.ok(ofKind > 0 && ofKind < all, `${ofKind} of ${all}`)
    await page.getByLabel('Kind').selectOption('')
    await page.getByLabel('Rule').selectOption('js/sql-injection')
    t.equal(await page.locator('.findings li').count(), 1)
    t.strictSame(problems, [])
  })

  t.test('a rule is explained to a visitor who is not signed in', async (t) => {
    const { page, problems } = await openConsole(t, browser, { baseUrl })
    await page.goto(`${baseUrl}/#/rules/py/sql-injection`)

    await page.getByRole('heading', { name: 'py/sql-injection' }).waitFor()

    t.strictSame(problems, [])
  })

  t.test('code without possible improvements does not show a failure', async (t) => {
    const { page } = await openConsole(t, browser, { baseUrl, token })
    await page.route(
      '**/api/ai/optimize',
      async (route) =>
        await route.fulfill({
          status: 400,
          headers: {
            'x-rejection':
              'nothing-to-improve; the tools have no safe fix, and the model returned the code unchanged'
          },
          json: { error: 'Unable to optimize code' }
        })
    )
    await page.goto(`${baseUrl}/#/code/optimize`)
    await writeCode(page, FLAWLESS)
    await page.getByRole('button', { name: 'Optimize', exact: true }).click()

    await page.getByRole('status').getByText('No safe improvement').waitFor()

    t.equal(await page.locator('.panel .problem').textContent(), '')
  })

  t.test('at the rate limit the console counts down and continues by itself', async (t) => {
    const { page, problems, screenshot } = await openConsole(t, browser, { baseUrl, token, width: 390 })
    let refusals = 2
    await page.route('**/api/projects*', async (route) => {
      if (refusals-- <= 0) await route.continue()
      else {
        await route.fulfill({
          status: 429,
          // Long enough to look at the page on a busy machine.
          headers: { 'retry-after': '8' },
          json: { error: 'Too many requests, try again later' }
        })
      }
    })
    await page.goto(`${baseUrl}/#/service`)
    await page.goto(`${baseUrl}/#/files`)

    const countdown = page.getByText(/^Rate limit reached; continuing in \d s$/)
    const first = await countdown.textContent()
    await screenshot('rate-limit')
    t.strictSame(await accessibilityProblems(page), [])
    t.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false, 'it fits')
    await poll(async () => (await countdown.count()) === 0 || (await countdown.textContent()) !== first)
    await page.locator('.project-list, .empty').first().waitFor()
    await countdown.waitFor({ state: 'detached' })

    t.ok(refusals < 0)
    t.strictSame(problems, [])
  })

  t.test('the reason, the wait and the request id of a refusal are shown', async (t) => {
    const { page } = await openConsole(t, browser, { baseUrl, token })
    const answers = [
      { status: 400, headers: { 'x-rejection': 'no-safe-rewrite; the outputs differ for 3 of 20 inputs' } },
      { status: 500, headers: { 'x-request-id': 'req-0815' } }
    ]
    await page.route('**/api/ai/optimize', async (route) => {
      const { status, headers } = answers[0] ?? { status: 500, headers: {} }
      await route.fulfill({ status, headers, json: { error: 'Unable to optimize code' } })
    })
    await page.goto(`${baseUrl}/#/code/optimize`)
    await writeCode(page, FLAWLESS)
    await page.getByRole('button', { name: 'Optimize', exact: true }).click()
    await page.getByText('the outputs differ for 3 of 20 inputs').waitFor()

    answers.shift()
    await page.getByRole('button', { name: 'Optimize', exact: true }).click()
    await page.getByText('req-0815').waitFor({ timeout: 120_000 })
  })
})
