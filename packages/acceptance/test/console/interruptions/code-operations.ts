import type { Locator, Page } from 'playwright-core'
import { writeCode } from '../../../src/index.js'
import { button, dialogOf, has, nameField, projectField, shows, type Operation, type Scene } from './scene.js'

const CODE = 'export function first (list) {\n  var a = list[0]\n  return a\n}\n'
export const PROMPT = 'many values'
const ADDRESS = 'http://127.0.0.1:9009/typed-address'

const showsCode = async ({ page }: Scene): Promise<void> => {
  await page.locator('.cm-line', { hasText: 'var a = list[0]' }).waitFor()
}
const codeIn = async ({ page }: Scene): Promise<void> => {
  await page.locator('.code-editor[aria-busy=false]').waitFor()
  await writeCode(page, CODE)
}

const edit: Operation = {
  name: 'edited code',
  begin: codeIn,
  submit: async () => {},
  idle: (page) => page.locator('.cm-content'),
  kept: showsCode,
  isDone: async (scene) => {
    await showsCode(scene)
    return true
  },
  path: () => '#/code/analyze'
}

const save: Operation = {
  name: 'save of the code',
  usesQuota: true,
  begin: async (scene) => {
    await codeIn(scene)
    await button(scene.page, 'Save…').click()
    await nameField(scene.page).fill('typed.js')
    await projectField(scene.page).fill(scene.project)
  },
  submit: async ({ page }) => {
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  },
  request: { method: 'POST', path: /\/api\/files\/upload$/ },
  idle: (page) => page.locator('dialog button.primary:enabled', { hasText: 'Save' }),
  kept: async (scene) => {
    await shows(nameField, 'typed.js')(scene)
    await shows(projectField, scene.project)(scene)
    await showsCode(scene)
  },
  isDone: async (scene) => await has(scene, 'typed.js'),
  path: () => '#/code/analyze'
}

const panel = (name: 'Analyze' | 'Optimize', result: string): Operation => ({
  name: name.toLowerCase(),
  begin: async (scene) => {
    await codeIn(scene)
    await scene.page.getByLabel('Framework').fill('typed framework')
  },
  submit: async ({ page }) => {
    await button(page, name).click()
  },
  request: { method: 'POST', path: new RegExp(`/api/ai/${name.toLowerCase()}$`) },
  idle: (page) => button(page, name).and(page.locator('[aria-disabled=false]')),
  kept: async (scene) => {
    await showsCode(scene)
    await shows((page) => page.getByLabel('Framework'), 'typed framework')(scene)
  },
  isDone: async ({ page }) => await page.locator(result).first().isVisible(),
  path: () => `#/code/${name.toLowerCase()}`
})

const generate: Operation = {
  name: 'generate',
  begin: async (scene) => {
    await codeIn(scene)
    await scene.page.getByLabel('What should be written?').fill(PROMPT)
    await scene.page.getByLabel('Framework').fill('typed framework')
  },
  submit: async ({ page }) => {
    await button(page, 'Generate').click()
  },
  request: { method: 'POST', path: /\/api\/ai\/generate$/ },
  half: async ({ page }) => {
    await page.getByText('export const value1 = 1', { exact: true }).waitFor()
  },
  idle: (page) => button(page, 'Generate'),
  kept: async (scene) => {
    const { page } = scene
    await shows((page) => page.getByLabel('What should be written?'), PROMPT)(scene)
    await shows((page) => page.getByLabel('Framework'), 'typed framework')(scene)
    // The model replaces the code as soon as it writes.
    const back = button(page, 'Restore the previous code')
    if (await back.isVisible()) await back.click()
    await showsCode(scene)
  },
  isDone: async ({ page }) => await page.getByText(/^Done, /).isVisible(),
  path: () => '#/code/generate'
}

const addressField = (page: Page): Locator => dialogOf(page).getByLabel('Address')
const webhook: Operation = {
  name: 'webhook form',
  begin: async ({ page }) => {
    await button(page, 'New webhook').click()
    await addressField(page).fill(ADDRESS)
    await dialogOf(page).getByLabel('Description (optional)').fill('typed description')
  },
  submit: async ({ page }) => {
    await button(page, 'Create webhook').click()
  },
  request: { method: 'POST', path: /\/api\/webhooks$/ },
  idle: (page) => page.locator('dialog button.primary:enabled', { hasText: 'Create webhook' }),
  kept: async (scene) => {
    await shows(addressField, ADDRESS)(scene)
    await shows((page) => dialogOf(page).getByLabel('Description (optional)'), 'typed description')(scene)
  },
  // Where the response was lost, the list shows two: nobody knows the secret of the first.
  isDone: async ({ page, client, project }) =>
    (await client.webhooks.list({ projectId: project })).length > 0 &&
    (await page.getByRole('heading', { name: 'Secret of the webhook' }).isVisible()),
  path: ({ project }) => `#/webhooks/${project}`
}

export const codeOperations: readonly Operation[] = [
  edit,
  save,
  panel('Analyze', '.findings li'),
  panel('Optimize', '.code-diff'),
  generate,
  webhook
]
