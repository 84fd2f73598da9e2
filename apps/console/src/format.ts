export { formatBytes } from '@filewright/contracts'

const number = new Intl.NumberFormat('en')

export const formatNumber = (value: number): string => number.format(value)

const dateAndTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

export const formatTime = (iso: string): string => dateAndTime.format(new Date(iso))

/** Breadcrumbs for a project and a folder, each with the folder it leads to. */
export function crumbsOf(folder: string): Array<{ name: string; folder: string }> {
  const names = folder.split('/').filter((name) => name !== '')
  return names.map((name, i) => ({ name, folder: names.slice(0, i + 1).join('/') }))
}

export const joinFolder = (folder: string, name: string): string =>
  [folder, name].filter((part) => part !== '').join('/')
