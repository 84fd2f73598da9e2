import type { Locator, Page } from 'playwright-core'
import { dropFiles } from '../../../src/index.js'
import {
  button,
  dialogOf,
  filesOf,
  has,
  nameField,
  namesIn,
  projectField,
  shows,
  store,
  type Operation
} from './scene.js'

const selectBoth = async (page: Page): Promise<void> => {
  for (const name of ['a.txt', 'b.txt']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
}

const drop: Operation = {
  name: 'dropped files',
  usesQuota: true,
  begin: async ({ page }) => {
    await page.getByText('This project has no files yet').waitFor()
  },
  submit: async ({ page }) => {
    const retry = button(page, 'Try all again')
    const dropped = ['a.txt', 'inner/b.txt'].map((path) => ({ path, content: path }))
    await ((await retry.isVisible()) ? retry.click() : dropFiles(page, dropped))
  },
  request: { method: 'POST', path: /\/api\/files\/upload$/ },
  idle: (page) => button(page, 'Try all again'),
  kept: async ({ page }) => {
    await button(page, 'Try all again').waitFor()
  },
  isDone: async (scene) => await has(scene, 'a.txt', 'inner/b.txt'),
  path: filesOf
}

const dropAnywhere: Operation = {
  name: 'files dropped before a project is named',
  usesQuota: true,
  begin: async ({ page, project }) => {
    await page.locator('.page-head').waitFor()
    await dropFiles(page, [{ path: 'waiting.txt', content: 'more than one byte' }])
    await projectField(page).fill(project)
  },
  submit: async (scene) => {
    if (await button(scene.page, 'Try all again').isVisible()) await drop.submit(scene)
    else await scene.page.getByRole('dialog').getByRole('button', { name: 'Upload' }).click()
  },
  idle: (page) => projectField(page).or(button(page, 'Try all again')),
  kept: async (scene) => {
    if (await button(scene.page, 'Try all again').isVisible()) return
    await shows(projectField, scene.project)(scene)
  },
  isDone: async (scene) => await has(scene, 'waiting.txt'),
  path: () => '#/files'
}

const folderField = (page: Page): Locator => dialogOf(page).getByLabel('Name', { exact: true })
const newFolder: Operation = {
  name: 'new folder',
  begin: async ({ page }) => {
    await button(page, 'New folder').click()
    await folderField(page).fill('typed folder')
  },
  submit: async ({ page }) => {
    await button(page, 'Open it').click()
  },
  idle: folderField,
  kept: shows(folderField, 'typed folder'),
  isDone: async ({ page }) => page.url().includes('typed%20folder'),
  path: filesOf
}

const rename: Operation = {
  name: 'rename and move',
  prepare: async (scene) => {
    await store(scene, 'old.txt')
  },
  begin: async ({ page }) => {
    await button(page, 'Rename or move…').click()
    await nameField(page).fill('new.txt')
    await dialogOf(page).getByLabel('Folder (optional)').fill('moved')
  },
  submit: async ({ page }) => {
    await button(page, 'Change').click()
  },
  request: { method: 'PATCH', path: /\/api\/files\// },
  idle: (page) => page.locator('dialog button.primary:enabled', { hasText: 'Change' }),
  kept: shows(nameField, 'new.txt'),
  isDone: async (scene) => await has(scene, 'moved/new.txt'),
  path: (scene) => `${filesOf(scene)}?file=${scene.ids[0]}`
}

const remove: Operation = {
  name: 'delete',
  prepare: async (scene) => {
    for (const name of ['a.txt', 'b.txt']) await store(scene, name)
  },
  begin: async ({ page }) => {
    await selectBoth(page)
  },
  submit: async ({ page }) => {
    if (!(await dialogOf(page).isVisible())) await button(page, 'Delete').click()
    // The other file may be deleted by now.
    await page.getByRole('button', { name: /^Delete \d files?$/ }).click()
  },
  request: { method: 'DELETE', path: /\/api\/files\// },
  idle: (page) => page.locator('body:not(:has(.deleting)) .files tbody tr').first(),
  // Until a file is gone it is in the list, and from then on in the trash.
  kept: async (scene) => {
    const { client, project } = scene
    const gone = await client.trash.list({ projectId: project })
    const all = [...gone.files.map(({ name }) => name), ...(await namesIn(scene))]
    if (all.sort().join() !== 'a.txt,b.txt') throw new Error(`there are ${all.join()}`)
    for (const name of await namesIn(scene)) {
      const box = scene.page.getByRole('checkbox', { name: `Select ${name}` })
      await box.waitFor()
      if (!(await scene.page.getByRole('dialog').isVisible())) await box.check()
    }
  },
  isDone: async (scene) => await has(scene),
  path: filesOf
}

const undo: Operation = {
  name: 'undo of a delete',
  prepare: remove.prepare ?? (async () => {}),
  begin: async (scene) => {
    await remove.begin(scene)
    await remove.submit(scene)
    await button(scene.page, 'Undo').waitFor()
  },
  submit: async (scene) => {
    const { page, baseUrl, project } = scene
    if (await button(page, 'Undo').isVisible()) return await button(page, 'Undo').click()
    await page.goto(`${baseUrl}/#/trash/${project}`)
    for (const box of await page.getByRole('checkbox', { name: /^Select .\.txt/ }).all()) await box.check()
    await button(page, 'Restore').first().click()
  },
  request: { method: 'POST', path: /\/restore$/ },
  idle: (page) =>
    page
      .locator('.notice-bar button:enabled', { hasText: 'Undo' })
      .or(page.locator('body:not(:has(.notice-bar button)) .empty')),
  kept: async ({ client, project }) => {
    const { files } = await client.trash.list({ projectId: project })
    if (files.length === 0) throw new Error('the trash is empty')
  },
  isDone: async (scene) => await has(scene, 'a.txt', 'b.txt'),
  path: filesOf
}

const restore: Operation = {
  name: 'restore from the trash',
  prepare: async (scene) => {
    for (const name of ['a.txt', 'b.txt']) await store(scene, name)
    for (const id of scene.ids) await scene.client.files.delete(id)
  },
  begin: async ({ page }) => {
    await selectBoth(page)
  },
  submit: async ({ page }) => {
    await page.locator('.selection-bar').getByRole('button', { name: 'Restore' }).click()
  },
  request: { method: 'POST', path: /\/restore$/ },
  idle: (page) => page.locator('.files.trash button:enabled', { hasText: 'Restore' }).first(),
  kept: async ({ page }) => {
    for (const box of await page.getByRole('checkbox', { name: /^Select .\.txt/ }).all()) {
      if (!(await box.isChecked())) await box.check()
    }
  },
  isDone: async (scene) => await has(scene, 'a.txt', 'b.txt'),
  path: ({ project }) => `#/trash/${project}`
}

const zip: Operation = {
  name: 'download as ZIP',
  prepare: remove.prepare ?? (async () => {}),
  begin: async ({ page }) => {
    await button(page, 'Download all').waitFor()
  },
  submit: async ({ page }) => {
    await button(page, 'Download all').click()
  },
  request: { method: 'POST', path: /\/api\/files\/zip$/ },
  idle: (page) => button(page, 'Download all').and(page.locator('main:not(:has(.notice-bar .link)) *')),
  kept: async ({ page }) => {
    await button(page, 'Download all').waitFor()
  },
  isDone: async ({ page }) => await page.getByText(/\.zip is downloaded\./).isVisible(),
  path: filesOf
}

const searchField = (page: Page): Locator => page.getByRole('searchbox')
const search: Operation = {
  name: 'search',
  prepare: remove.prepare ?? (async () => {}),
  begin: async ({ page }) => {
    await page.getByText('1–2 of 2').waitFor()
  },
  submit: async ({ page }) => {
    if ((await searchField(page).inputValue()) !== 'b.t') await searchField(page).pressSequentially('b.t')
  },
  request: { method: 'GET', path: /\/api\/files\?.*search=b\.t/ },
  idle: searchField,
  kept: shows(searchField, 'b.t'),
  isDone: async ({ page }) => await page.getByText('1–1 of 1').isVisible(),
  path: filesOf
}

export const fileOperations: readonly Operation[] = [
  drop,
  dropAnywhere,
  newFolder,
  rename,
  remove,
  undo,
  restore,
  zip,
  search
]
