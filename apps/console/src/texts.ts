import { reasons } from '@filewright/contracts'
import { formatBytes, formatNumber } from './format.js'

export const many = (count: number, one: string, more = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : more}`

/** All user-facing text. */
export const texts = {
  product: 'Filewright',
  skip: 'Skip to the content',
  views: { files: 'Files', code: 'Code', history: 'History', service: 'Service' },
  mainNavigation: 'Main',
  theme: { label: 'Theme', system: 'Auto', light: 'Light', dark: 'Dark' },
  close: 'Close',
  closeNotice: 'Close this notice',
  cancel: 'Cancel',
  tryAgain: 'Try again',
  loading: 'Loading…',
  signIn: {
    title: 'Sign in',
    lead: 'Store files that are scanned for malware, and work on code with a model.',
    token: 'Access token',
    tokenHelp: 'Ask your operator for one, or create it with “npm run admin -- token create”.',
    keep: 'Keep me signed in on this device',
    button: 'Sign in',
    checking: 'Signing in…',
    missing: 'Enter your access token.',
    /** Why no user is signed in. */
    reasons: {
      none: '',
      refused: `${reasons.unauthorized.title}. It may be mistyped, expired or revoked.`,
      expired: 'The service no longer accepts your token: it has expired or was revoked. Sign in again.',
      'signed-out': 'You signed out in another tab.',
      replaced:
        'You signed in with another token in another tab. Reload the page to use that token, or sign in here.'
    },
    previous: 'Previous token (optional)',
    previousHelp:
      'This tab still knows where you were, what you typed and which files were not uploaded yet. Enter the token of that session to continue there. If you sign in without it, all of it is dropped.',
    notPrevious: 'This is not the token of the previous session.',
    signedInWith: (name: string) => `Signed in with the token “${name}”`,
    out: 'Sign out',
    outTitle: 'Sign out and lose unsaved code?',
    outLead: 'The code in the editor is not stored in a project. Signing out deletes it from this browser.'
  },
  /** Of everything that is shown once. */
  secret: {
    copy: 'Copy',
    done: 'I have saved it',
    leave: 'Close',
    stay: 'Show the secret'
  },
  account: { title: 'Account', open: (name: string) => `Account: ${name}`, tokens: 'Manage tokens' },
  link: {
    title: 'Sign in with this link?',
    lead: 'This link contains an access token. What you upload after you sign in belongs to that token: the person who sent you the link may be able to read it. Continue only if you know where the link comes from.',
    server: 'Server',
    token: 'Token',
    unknownName: 'name unknown, the service does not answer',
    replaces:
      'You are signed in already. Signing in with the link signs you out in all tabs: uploads stop, and code that you have not saved is lost.',
    refused: 'The service does not accept the token in this link. It may be incomplete, expired or revoked.',
    button: 'Sign in'
  },
  away: {
    title: 'The service does not answer',
    lead: 'It may be starting, or the connection is lost. Your files are safe.',
    said: (sentence: string) => `It says: ${sentence}`
  },
  reconnecting: {
    connection: 'Reconnecting…',
    busy: 'The service is busy. Trying again…',
    lost: 'The connection to the service is lost. Reconnecting…'
  },
  limited: 'Rate limit reached. The page continues by itself.',
  updated: {
    title: 'This page is out of date',
    lead: 'The console has been updated since the page was opened.',
    button: 'Reload the page'
  },
  notLoaded: {
    offline: {
      title: 'You are offline',
      lead: 'This part of the console is not loaded yet. It loads when your device is connected again.'
    },
    unreachable: {
      title: 'The service cannot be reached',
      lead: 'This part of the console is not loaded yet. Try again when the service is back.'
    }
  },
  projects: {
    title: 'Projects',
    name: 'Project',
    files: 'Files',
    size: 'Size',
    empty: 'No files yet',
    emptyLead:
      'Drop files or a whole folder anywhere on this page. Each file is scanned before anyone can open it.',
    open: 'New project',
    openTitle: 'New project',
    openHelp: 'A project holds files and folders. It is created with its first file.',
    openButton: 'Open project',
    badName: 'Use 1 to 128 characters without slashes.',
    standardName: 'my-files',
    chooseTitle: (files: number) => `Upload ${many(files, 'file')}`,
    chooseHelp: 'Which project? A new name creates a new project.',
    chooseButton: 'Upload',
    discardTitle: (files: number) => `Discard ${many(files, 'file')}?`,
    discardLead: 'They have not been uploaded. The files on your device stay as they are.',
    discard: (files: number) => `Discard ${many(files, 'file')}`,
    discardNot: 'Choose a project'
  },
  newFolder: {
    open: 'New folder',
    title: 'New folder',
    name: 'Name',
    button: 'Open it',
    help: 'A folder exists from its first file on. It opens now; drop files into it.',
    bad: 'Enter a name without a backslash; . and .. are not names of folders.'
  },
  rename: {
    open: 'Rename or move…',
    title: 'Rename or move',
    button: 'Change',
    help: 'The id and the addresses of the file stay the same. A folder that does not exist is created.',
    badName: 'Enter a name without slashes.'
  },
  archive: {
    content: 'Content of the archive',
    unreadable: 'The names in this archive cannot be read.',
    count: (entries: number, isCut: boolean) =>
      isCut ? `The first ${many(entries, 'entry', 'entries')}` : many(entries, 'entry', 'entries')
  },
  files: {
    folders: 'Folders',
    where: 'Breadcrumb',
    root: 'All projects',
    expand: (name: string) => `Show the folders in ${name}`,
    collapse: (name: string) => `Hide the folders in ${name}`,
    search: 'Search this project',
    searchHint: 'Search by name',
    summary: (folders: number, files: number) =>
      [...(folders > 0 ? [many(folders, 'folder')] : []), many(files, 'file')].join(', '),
    found: (total: number, search: string) => `${many(total, 'file')} found for “${search}”`,
    upload: 'Upload files',
    uploadFolder: 'Upload a folder',
    drop: 'Drop to upload',
    dropInto: (place: string) => `into ${place}`,
    name: 'Name',
    size: 'Size',
    type: 'Type',
    created: 'Uploaded',
    folder: 'Folder',
    folderSummary: (files: number) => many(files, 'file'),
    select: (name: string) => `Select ${name}`,
    selectFolder: (name: string) => `Select the folder ${name}`,
    selectPage: 'Select everything on this page',
    selected: (folders: number, files: number) =>
      `${[...(folders > 0 ? [many(folders, 'folder')] : []), ...(files > 0 ? [many(files, 'file')] : [])].join(', ')} selected`,
    deleteAll: (total: number) => `Delete all ${formatNumber(total)} in this list`,
    clearSelection: 'Clear the selection',
    delete: 'Delete',
    deleteFolder: 'Delete folder',
    zip: 'Download as ZIP',
    zipAll: 'Download all',
    trash: 'Trash',
    webhooks: 'Webhooks',
    empty: 'This folder is empty',
    emptyLead: 'Drop files or a whole folder here, or use the buttons above.',
    accepted: (bytes: number) =>
      `Accepted: images, documents, code and text, and archives of them, up to ${formatBytes(bytes)} each. Not accepted: video, audio, fonts, programs and disk images.`,
    emptyProject: 'This project has no files yet',
    nothingFound: 'No matching files',
    nothingFoundLead: 'The search matches the names of all files in this project.',
    clearSearch: 'Clear the search',
    range: (from: number, to: number, total: number) =>
      `${formatNumber(from)}–${formatNumber(to)} of ${formatNumber(total)}`,
    page: (page: number, pages: number) => `Page ${formatNumber(page)} of ${formatNumber(pages)}`,
    first: 'First page',
    previous: 'Previous page',
    next: 'Next page',
    last: 'Last page',
    pages: 'Pages',
    failed: 'The files could not be listed'
  },
  recalls: {
    summary: (count: number) =>
      `${many(count, 'file')} of this project turned out to be malware and ${count === 1 ? 'was' : 'were'} withdrawn`,
    advice: 'Newer signatures found it. Delete your copies, and look where they were used.',
    foreign: (sha256: string) => `A file of another project, SHA-256 ${sha256}`,
    found: (signature: string | null, at: string, downloaders: number) =>
      `${signature ?? 'malware'}, withdrawn ${at}, downloaded with ${many(downloaders, 'token')}`,
    more: (count: number) => `And ${many(count, 'more file', 'more files')}.`
  },
  zip: {
    progress: (bytes: number) => `Downloading a ZIP archive: ${formatBytes(bytes)}`,
    done: (name: string) => `${name} is downloaded.`,
    failed: (reason: string) => `The ZIP archive could not be downloaded: ${reason}`
  },
  deleting: {
    oneTitle: (name: string) => `Delete “${name}”?`,
    folderTitle: (name: string, count: number) =>
      `Delete the folder “${name}” and ${count === 1 ? 'the file' : `all ${many(count, 'file')}`} in it?`,
    title: (count: number) => `Delete ${many(count, 'file')}?`,
    foldersTitle: (folders: number, count: number) =>
      `Delete ${many(folders, 'folder')} and ${many(count, 'file')}, everything in the folders included?`,
    lead: (count: number, trashDays: number) =>
      [
        trashDays > 0
          ? `You can undo this, and restore ${count === 1 ? 'the file' : 'the files'} ` +
            `from the trash for ${many(trashDays, 'day')}.`
          : 'This cannot be undone.',
        count === 1 ? 'The link to the file stops working.' : 'The links to the files stop working.'
      ].join(' '),
    undo: 'Undo',
    undoing: 'Restoring…',
    done: (count: number) => `${many(count, 'file')} deleted`,
    undoFailed: (count: number, reason: string) => `${many(count, 'file')} could not be restored: ${reason}`,
    button: (count: number) => `Delete ${many(count, 'file')}`,
    progress: (done: number, total: number) => `Deleted ${formatNumber(done)} of ${formatNumber(total)}`,
    failed: (count: number, reason: string) => `${many(count, 'file')} could not be deleted: ${reason}`,
    stop: 'Stop'
  },
  details: {
    title: 'Details',
    preview: 'Preview',
    noPreview: 'No preview for this file type.',
    tooLarge: 'Too large for a preview.',
    previewFailed: 'The preview could not be loaded.',
    size: 'Size',
    type: 'Type',
    folder: 'Folder',
    root: 'Project root',
    created: 'Uploaded',
    scanned: 'Scanned',
    verdict: 'Verdict',
    clean: 'Clean',
    cleanTestOnly: 'Clean, test signatures only',
    scanner: 'Scanner',
    sha256: 'SHA-256',
    description: 'Description',
    download: 'Download',
    copyLink: 'Copy link',
    copyDownload: 'Copy API address',
    copyHash: 'Copy the hash',
    copied: 'Copied',
    notCopied: 'The browser does not allow copying here.',
    linkHelp: 'Anyone who has the link can read the file.',
    openInCode: 'Open in Code',
    missingTitle: 'File not found',
    missing: 'This file no longer exists, or your token does not open its project.'
  },
  viewer: {
    open: 'Full size',
    previous: 'Previous file',
    next: 'Next file',
    position: (index: number, total: number) => `${formatNumber(index)} of ${formatNumber(total)}`,
    rendered: 'Rendered',
    source: 'Source',
    markdown: 'Markdown'
  },
  uploads: {
    title: 'Uploads',
    progress: (ended: number, total: number) => `Uploading ${formatNumber(ended)} of ${formatNumber(total)}`,
    done: (count: number) => `${many(count, 'file')} uploaded`,
    none: 'Nothing uploaded',
    refused: (count: number) => `${formatNumber(count)} refused`,
    failed: (count: number) => `${formatNumber(count)} failed`,
    cancelled: (count: number) => `${formatNumber(count)} cancelled`,
    skipped: (count: number) => `${formatNumber(count)} skipped`,
    takenTitle: (name: string) => `“${name}” exists already`,
    takenLead: (place: string) => `There is a file with this name in ${place}.`,
    takenHelp:
      'Replace deletes the old file after the new one is stored. Keep both adds a number to the name.',
    replace: 'Replace',
    keepBoth: 'Keep both',
    skip: 'Skip',
    forAll: (more: number) =>
      more === 0
        ? 'Do the same for all further files'
        : `Do the same for all further files (${more} more wait)`,
    waiting: (count: number) => `${many(count, 'more file')} waiting`,
    speed: (bytesPerSecond: number) => `${formatBytes(bytesPerSecond)}/s`,
    scanning: 'Scanning…',
    stateCancelled: 'Cancelled',
    cancelOne: (name: string) => `Cancel ${name}`,
    retryOne: (name: string) => `Try ${name} again`,
    cancelAll: 'Cancel all',
    retryAll: 'Try all again',
    collapse: 'Collapse the list of uploads',
    expand: 'Expand the list of uploads',
    clear: 'Close the list of uploads',
    progressOf: (name: string) => `Progress of ${name}`
  },
  code: {
    title: 'Code',
    editor: 'Code',
    tabs: { generate: 'Generate', analyze: 'Analyze', optimize: 'Optimize' },
    tabList: 'Task',
    language: 'Language',
    detected: (language: string) => `Detected: ${language}`,
    checked: 'With analyzers',
    others: 'Others',
    open: 'Open…',
    save: 'Save…',
    copy: 'Copy',
    untitled: 'Untitled',
    unsaved: 'unsaved',
    discardTitle: (name: string) => `Discard your changes to ${name}?`,
    discardLead: 'They are not stored in a project. Opening the other file replaces them.',
    discard: 'Discard the changes',
    keepEditing: 'Keep editing',
    lost: (name: string, when: string) => `Unsaved code of a closed tab: ${name}, ${when}`,
    restore: 'Restore',
    deleteLost: 'Delete',
    placeholder: 'Paste or write code here, open a stored file, or let a model write it.',
    noCode: 'Write or paste some code first.',
    engine: 'Answered by',
    engines: {
      model: 'the model',
      static: 'the analyzers alone',
      'model+static': 'model and analyzers',
      sandbox: 'the sandbox, not a language model'
    } as Record<string, string>,
    framework: 'Framework',
    optional: 'optional',
    frameworkHint: 'optional',
    stop: 'Stop'
  },
  rules: {
    title: 'Analysis rules',
    lead: (count: number) =>
      `${formatNumber(count)} rules. Each finding names one of them. Its level can be lower where the evidence is indirect.`,
    all: 'All rules',
    level: 'Level',
    category: 'Kind',
    fix: 'What to do',
    ofModel:
      'A language model reported this. Its findings have no rule with a fixed explanation: read the message beside the line.',
    ofProof:
      'Running the code showed this fault. Its findings have no rule of an analyzer: read the proof beside the line.',
    missing: 'This rule does not exist',
    categories: { security: 'Security', performance: 'Performance', style: 'Style', bugs: 'Bugs' }
  },
  keyboard: {
    title: 'Keyboard shortcuts',
    keys: [
      ['Ctrl+K', 'Go to a project, a file or an action'],
      ['/', 'Search the files'],
      ['↑ ↓', 'Move in a list of files, projects or findings'],
      ['Shift+↑ ↓', 'Select several files; so does Shift and a click'],
      ['Enter', 'Open the selected item, submit a dialog'],
      ['Ctrl+Enter', 'Generate, analyze or optimize'],
      ['Esc', 'Close the details or a dialog'],
      ['Esc, Tab', 'Leave the editor, where Tab indents'],
      ['?', 'Show this list']
    ] as ReadonlyArray<readonly [keys: string, what: string]>,
    palette: 'Go to',
    paletteHint: 'A project, a file or an action',
    action: 'Action',
    nothing: 'Nothing found.'
  },
  notFound: {
    title: 'Page not found',
    lead: 'The address may be mistyped, or the page has moved.',
    back: 'Show the projects'
  },
  open: {
    title: 'Open a stored file',
    project: 'Project',
    search: 'Search by name',
    none: 'No text or code files found.',
    file: 'Files'
  },
  save: {
    title: 'Save into a project',
    project: 'Project',
    folder: 'Folder',
    name: 'File name',
    button: 'Save',
    saving: 'Saving…',
    saved: 'Saved.',
    show: 'Show it',
    missing: 'Give the file a name and choose a project.'
  },
  errors: {
    connection: 'The connection to the service was lost.',
    timeout: 'The service did not answer in time.',
    notReplaced: 'The new file is stored, but the old one could not be deleted. Both are there.',
    unreadable: 'The browser cannot read this file or folder.',
    unexpected: 'Unexpected error.'
  }
}
