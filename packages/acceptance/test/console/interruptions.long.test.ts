import type { Page, Route } from 'playwright-core'
import t, { type Test } from 'tap'
import { Filewright } from '@filewright/client'
import { poll, startOllamaServer, startStack } from '@filewright/testing'
import {
  admin,
  defaultModels,
  findChromium,
  launchBrowser,
  NO_CHROMIUM,
  openConsole
} from '../../src/index.js'
import { interruptions, type Interruption } from './interruptions/interruptions.js'
import { codeOperations, PROMPT } from './interruptions/code-operations.js'
import { fileOperations } from './interruptions/file-operations.js'
import type { Operation, Scene } from './interruptions/scene.js'

t.setTimeout(7_200_000)

const VALUES = Array.from({ length: 60 }, (_, line) => `export const value${line} = ${line}`).join('\n')
/** Patterns that choose rows and columns of the table: `CELL='rename|undo, token'`. */
const [row = '', column = ''] = (process.env.CELL ?? '').split(', ').map((text) => new RegExp(text))

const executablePath = findChromium()
if (executablePath === undefined) {
  t.test('interruptions in the console', { skip: NO_CHROMIUM }, async () => {})
} else {
  const model = await startOllamaServer({
    models: defaultModels,
    respond: () => `\`\`\`js\n${VALUES}\n\`\`\``,
    script: ({ messages }) =>
      JSON.stringify(messages).includes(PROMPT) ? { kind: 'slow', perTokenMs: 10 } : undefined
  })
  t.teardown(async () => {
    await model.close()
  })
  const stack = await startStack(t, { env: { OLLAMA_HOST: model.url } })
  const { baseUrl, dataDir } = stack
  const client = new Filewright({ baseUrl, token: stack.token, retries: 10 })
  const browser = await launchBrowser(t, executablePath)
  const rows: string[] = []
  let made = 0

  const { token: expiring } = await admin(dataDir, 'token', 'create', '--name', 'expiring', '--project', '*')

  async function signIn(page: Page, token: string): Promise<void> {
    await page.getByLabel('Access token').fill(token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('.top-bar').waitFor()
  }

  /** Whether the operation ended by itself; otherwise it waits for the user. */
  async function endsByItself(operation: Operation, scene: Scene): Promise<boolean> {
    let isDone = false
    await poll(
      async () => {
        // In this order: an operation that ends between the two is done.
        const isIdle = await operation.idle(scene.page).isVisible()
        isDone = await operation.isDone(scene)
        return isDone || isIdle
      },
      { timeoutMs: 180_000, what: 'the end of the operation, or a page that waits for the user' }
    )
    return isDone
  }

  async function attempt(t: Test, operation: Operation, interruption: Interruption): Promise<string> {
    const project = `project-${++made}`
    const isExpiring = interruption.name === 'the token expires'
    const token = isExpiring ? expiring : stack.token
    const { page, problems } = await openConsole(t, browser, { baseUrl })
    const scene: Scene = { page, baseUrl, client, project, token, ids: [] }
    page.setDefaultTimeout(90_000)
    await signIn(page, token)
    await operation.prepare?.(scene)
    await page.goto(`${baseUrl}/#/service`)
    await page.goto(`${baseUrl}/${operation.path(scene)}`)

    await operation.begin(scene)
    const { request } = operation
    const isLate = request === undefined && interruption.isMetBySending === true
    let held: Route | undefined
    // What streams its result is met half done by all that does not answer the request itself.
    const isHalf = operation.half !== undefined && !/response|rate|quota/.test(interruption.name)
    if (request !== undefined && !isHalf) {
      await page.route(
        ({ href }) => request.path.test(href),
        async (route) => {
          if (held !== undefined || route.request().method() !== request.method) await route.fallback()
          else held = route
        }
      )
    }
    if (request !== undefined) await operation.submit(scene)
    if (isHalf) await operation.half?.(scene)
    else if (request !== undefined) {
      await poll(async () => held !== undefined, { timeoutMs: 90_000, what: 'the request' })
    }
    await interruption.hit(scene, stack, held)
    if (isLate) await operation.submit(scene)
    // A result that arrives bit by bit comes to its end without another request.
    const isSaid = interruption.says === undefined || request === undefined || isHalf
    if (!isSaid && interruption.says !== undefined) {
      await page.getByText(interruption.says).filter({ visible: true }).first().waitFor()
    }
    if (interruption.name === 'the quota is full') {
      await page
        .getByText(/limit of 1 byte/)
        .first()
        .waitFor()
    }
    await interruption.heal(scene, stack)
    const form = page.getByLabel('Access token')
    if (isExpiring && (await form.isVisible())) {
      await page.getByLabel('Previous token').fill(token)
      await signIn(page, stack.token)
    }

    const isDone = (request !== undefined || isLate) && (await endsByItself(operation, scene))
    if (!isDone) {
      await operation.kept(scene)
      await operation.submit(scene)
      await poll(async () => await operation.isDone(scene), { timeoutMs: 180_000, what: 'its end' })
    }
    t.strictSame(
      problems.filter((problem) => !/ERR_/.test(problem)),
      []
    )
    return isDone ? 'goes on by itself' : 'kept, sent again'
  }

  for (const operation of [...fileOperations, ...codeOperations].filter(({ name }) =>
    RegExp(row).test(name)
  )) {
    for (const interruption of interruptions.filter(({ name }) => RegExp(column).test(name))) {
      if (interruption.concerns?.(operation) === false) continue
      t.test(`${operation.name}: ${interruption.name}, and nothing is lost`, async (t) => {
        const outcome = await attempt(t, operation, interruption)
        rows.push(`${operation.name} | ${interruption.name} | ${outcome}`)
        t.pass(outcome)
      })
    }
  }
  t.test('the table', async (t) => {
    for (const row of rows) t.comment(row)
  })
}
