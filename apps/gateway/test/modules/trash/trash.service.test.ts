import t from 'tap'
import { AppError, createId } from '@filewright/runtime'
import { createTrashService, type TrashServiceDeps } from '../../../src/modules/trash/trash.service.js'

const principal = { tokenId: 't', projects: '*' } as unknown as Parameters<
  ReturnType<typeof createTrashService>['restore']
>[0]

/** A service for a file with a scripted state for each lookup. */
function serviceOver(looks: Array<'ready' | 'trashed' | 'gone'>) {
  const look = (): string => looks.shift() ?? 'gone'
  const file = { id: createId(), projectId: 'p' }
  const trash = {
    find: async () => (look() === 'trashed' ? { ...file, state: 'trashed' } : null),
    restore: async () => file
  }
  const stored = {
    get: async () => {
      if (look() === 'ready') return file
      throw new AppError('FILE_NOT_FOUND', 'not ready')
    }
  }
  const service = createTrashService({ trash, stored } as unknown as TrashServiceDeps)
  return { file, restore: async () => await service.restore(principal, file.id) }
}

t.test('a file that is deleted between the two lookups of a restore is found', async (t) => {
  // Ready during the lookup in the trash, and in the trash during the lookup of ready files.
  const { file, restore } = serviceOver(['ready', 'trashed', 'trashed'])
  t.match(await restore(), { id: file.id })
})

t.test('a file that does not exist is not found', async (t) => {
  await t.rejects(serviceOver([]).restore(), { code: 'FILE_NOT_FOUND' })
})
