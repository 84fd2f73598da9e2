export { formatBytes } from '@filewright/contracts'

/** Formats are made when they are first used: on a phone each takes longer than a view to appear. */
let number: Intl.NumberFormat | undefined
let dateAndTime: Intl.DateTimeFormat | undefined

export function formatNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1_000) return String(value)
  number ??= new Intl.NumberFormat('en')
  return number.format(value)
}

export function formatTime(iso: string): string {
  dateAndTime ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
  return dateAndTime.format(new Date(iso))
}

/** Breadcrumbs for a project and a folder, each with the folder it leads to. */
export function crumbsOf(folder: string): Array<{ name: string; folder: string }> {
  const names = folder.split('/').filter((name) => name !== '')
  return names.map((name, i) => ({ name, folder: names.slice(0, i + 1).join('/') }))
}

export const joinFolder = (folder: string, name: string): string =>
  [folder, name].filter((part) => part !== '').join('/')
