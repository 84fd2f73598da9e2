const number = new Intl.NumberFormat('en')
const units = ['B', 'kB', 'MB', 'GB', 'TB']

export const formatNumber = (value: number): string => number.format(value)

/** 1,234,567 is 1.2 MB. As the service counts, a kilobyte has 1,024 bytes. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1_024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1_024 ** power
  return `${power > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${units[power] ?? ''}`
}

const dateAndTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

export const formatTime = (iso: string): string => dateAndTime.format(new Date(iso))

/** The parts of a project's name and a folder, for crumbs: each with the folder it leads to. */
export function crumbsOf(folder: string): Array<{ name: string; folder: string }> {
  const names = folder.split('/').filter((name) => name !== '')
  return names.map((name, i) => ({ name, folder: names.slice(0, i + 1).join('/') }))
}

export const joinFolder = (folder: string, name: string): string =>
  folder === '' ? name : `${folder}/${name}`
