import type { Locator, Page } from 'playwright-core'
import type { Filewright } from '@filewright/client'

/** One attempt of one operation, with a project of its own. */
export interface Scene {
  page: Page
  baseUrl: string
  /** May do everything, whatever happens to the token of the page. */
  client: Filewright
  project: string
  /** Of the page. */
  token: string
  /** The ids of the files that `prepare` stored. */
  ids: string[]
}

export interface Operation {
  name: string
  /** Stores what the operation works on. */
  prepare?: (scene: Scene) => Promise<void>
  /** Types, chooses or drops; nothing is sent yet. */
  begin: (scene: Scene) => Promise<void>
  /** Sends it; also after an interruption that it did not survive by itself. */
  submit: (scene: Scene) => Promise<void>
  /** What the interruption meets; an operation without one sends nothing. */
  request?: { method: string; path: RegExp }
  /** Waits until it is half done, for an operation that shows its result bit by bit. */
  half?: (scene: Scene) => Promise<void>
  /** Visible when the operation waits for the user. */
  idle: (page: Page) => Locator
  /** Waits until the page shows again what was typed, chosen or dropped. */
  kept: (scene: Scene) => Promise<unknown>
  /** By the API where the service knows it, otherwise by the page. */
  isDone: (scene: Scene) => Promise<boolean>
  /** Whether it adds to what the quota counts. */
  usesQuota?: boolean
  /** Where the form was left for another view: opens the view again. */
  path: (scene: Scene) => string
}

export const dialogOf = (page: Page): Locator => page.getByRole('dialog').last()
export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })
export const namesIn = async ({ client, project }: Scene): Promise<string[]> => {
  const names: string[] = []
  for await (const { name, folder } of client.files.iterate({ projectId: project })) {
    names.push(folder === '' ? name : `${folder}/${name}`)
  }
  return names.sort()
}
export const has = async (scene: Scene, ...names: string[]): Promise<boolean> =>
  JSON.stringify(await namesIn(scene)) === JSON.stringify(names.sort())
export const store = async (scene: Scene, name: string, content = name): Promise<void> => {
  const { id } = await scene.client.files.upload(new Blob([content]), { projectId: scene.project, name })
  scene.ids.push(id)
}
export const shows =
  (field: (page: Page) => Locator, text: string) =>
  async ({ page }: Scene): Promise<void> => {
    await field(page).waitFor()
    const value = await field(page).inputValue()
    if (value !== text) throw new Error(`the field shows ${JSON.stringify(value)}`)
  }
export const filesOf = ({ project }: Scene): string => `#/files/${project}`

export const projectField = (page: Page): Locator => dialogOf(page).getByLabel('Project')
export const nameField = (page: Page): Locator => dialogOf(page).getByLabel('File name')
