import { formatNumber } from '../format.js'
import { many } from '../texts.js'

export const trashTexts = {
  title: 'Trash',
  titleOf: (project: string) => `Trash of ${project}`,
  back: (project: string) => `Back to ${project}`,
  note: (days: number) =>
    `Files stay here for ${many(days, 'day')} and count towards your quota until they are deleted permanently.`,
  failed: 'The trash could not be listed',
  summary: (files: number) => many(files, 'file'),
  empty: 'The trash is empty',
  emptyLead: (days: number) =>
    days > 0
      ? `Files that you delete stay here for ${many(days, 'day')} and can be restored.`
      : 'The trash of this service is turned off: a deleted file cannot be restored.',
  name: 'Name',
  folder: 'Folder',
  size: 'Size',
  until: 'Restorable until',
  restore: 'Restore',
  restoreOne: (name: string) => `Restore ${name}`,
  erase: 'Delete permanently',
  emptyButton: 'Empty the trash',
  eraseTitle: (files: number) => `Delete ${many(files, 'file')} permanently?`,
  emptyTitle: (project: string, files: number) =>
    `Empty the trash of ${project} and delete ${many(files, 'file')} permanently?`,
  eraseLead: 'This cannot be undone. It frees the storage that the files use.',
  eraseButton: (files: number) => `Delete ${many(files, 'file')}`,
  restored: (files: number) => `${many(files, 'file')} restored`,
  erased: (files: number) => `${many(files, 'file')} deleted permanently`,
  progress: (done: number, total: number) => `${formatNumber(done)} of ${formatNumber(total)}`,
  notRestored: (files: number) => `${many(files, 'file')} could not be restored`,
  notErased: (files: number) => `${many(files, 'file')} could not be deleted`
}
