import { formatNumber } from '../format.js'

const MAX_NAMES = 5

export const accountTexts = {
  token: 'Token',
  projects: 'Projects',
  allProjects: 'All projects',
  projectNames: (names: readonly string[]) =>
    names.length <= MAX_NAMES
      ? names.join(', ')
      : `${names.slice(0, MAX_NAMES).join(', ')} and ${formatNumber(names.length - MAX_NAMES)} more`,
  expires: 'Expires',
  files: 'Files',
  storage: 'Storage',
  of: (used: string, most: string) => `${used} of ${most}`,
  requests: 'Requests left in this minute',
  unlimited: 'No limit'
}
