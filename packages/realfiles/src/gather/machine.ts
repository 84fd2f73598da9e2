import { someFiles } from './folder.js'
import type { Source } from './source.js'

const ALL = ['code', 'image', 'document', 'archive', 'other'] as const

/** What every machine with this project has. */
export const machineSources: Source[] = [
  {
    name: '/usr/share',
    kinds: ALL,
    quick: true,
    gather: async ({ random, quick }) =>
      await someFiles('/usr/share', '/usr/share', { random, perExtension: quick ? 2 : 30 })
  },
  {
    name: 'node_modules',
    kinds: ALL,
    quick: true,
    gather: async ({ random, quick, modulesFolder }) =>
      await someFiles(modulesFolder, 'node_modules', { random, perExtension: quick ? 2 : 60 })
  }
]
