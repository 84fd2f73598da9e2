import { many } from '../texts.js'

export const tokenTexts = {
  title: 'Access tokens',
  lead: 'Each program and person has a token. A token opens the projects that it names, until it expires or is revoked.',
  failed: 'The tokens could not be listed',
  notOperator: 'Only operators manage tokens',
  notOperatorLead:
    'Sign in with the token of an operator. An operator creates one on the server, with “token create --operator”.',
  create: 'New token',
  more: 'Show more',
  columns: {
    name: 'Name',
    projects: 'Projects',
    expires: 'Expires',
    quota: 'Quota',
    created: 'Created'
  },
  allProjects: 'All projects',
  operator: 'operator',
  own: 'this session',
  ownHelp: 'A token cannot revoke itself. Sign in with another operator token to revoke this one.',
  expired: 'expired',
  revokedAt: (time: string) => `revoked ${time}`,
  files: (count: number) => many(count, 'file'),
  noQuota: 'no quota',
  revoke: 'Revoke',
  revokeOne: (name: string) => `Revoke ${name}`,
  form: {
    name: 'Name',
    nameHelp: 'For people: who or what uses it.',
    nameMissing: 'Enter a name.',
    scope: 'Projects',
    all: 'All projects, also future ones',
    some: 'These projects',
    projectsHelp: 'Separated by commas. A project need not exist yet.',
    projectsMissing: 'Enter at least one project.',
    expires: 'Expires',
    days: { '7': 'In 7 days', '30': 'In 30 days', '90': 'In 90 days', '365': 'In a year', '': 'Never' },
    maxFiles: 'Quota of files',
    maxMegabytes: 'Quota of storage, in MB',
    quotaHelp: 'Empty for the default of the service.',
    quotaBad: 'Enter whole numbers of at least 1 for quotas.',
    button: 'Create token'
  },
  secret: {
    title: 'The new token',
    lead: (name: string) => `Give it to ${name}, who signs in or calls the API with it.`,
    label: 'Access token',
    once: 'Copy it now. It is not shown again: if you lose it, revoke it and create another one.',
    leaveTitle: 'Close without the token?',
    leaveLead: 'The token cannot be shown again. It works until it is revoked.'
  },
  revokeDialog: {
    title: (name: string) => `Revoke “${name}”?`,
    lead: 'Requests with it are refused from now on. This cannot be undone.'
  }
}
