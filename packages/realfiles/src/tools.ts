/** Programs that make the files, and the Debian package of each. */
const PACKAGES = {
  '7zz': '7zip',
  advzip: 'advancecomp',
  ar: 'binutils',
  arc: 'arc',
  arj: 'arj',
  brotli: 'brotli',
  bsdtar: 'libarchive-tools',
  bzip2: 'bzip2',
  cjpeg: 'libjpeg-turbo-progs',
  compress: 'ncompress',
  convert: 'imagemagick',
  cpio: 'cpio',
  'dpkg-deb': 'dpkg',
  exiftool: 'libimage-exiftool-perl',
  gcab: 'gcab',
  genisoimage: 'genisoimage',
  git: 'git',
  gs: 'ghostscript',
  gzip: 'gzip',
  jar: 'default-jdk-headless',
  jlha: 'jlha-utils',
  lbzip2: 'lbzip2',
  lrzip: 'lrzip',
  lz4: 'lz4',
  lzip: 'lzip',
  lzop: 'lzop',
  mksquashfs: 'squashfs-tools',
  mpack: 'mpack',
  pbzip2: 'pbzip2',
  pdfattach: 'poppler-utils',
  pdftk: 'pdftk-java',
  pigz: 'pigz',
  pixz: 'pixz',
  plzip: 'plzip',
  python3: 'python3',
  qpdf: 'qpdf',
  rpmbuild: 'rpm',
  rzip: 'rzip',
  shar: 'sharutils',
  soffice: 'libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui libreoffice-draw-nogui',
  tar: 'tar',
  uuencode: 'sharutils',
  'wimlib-imagex': 'wimtools',
  xz: 'xz-utils',
  zip: 'zip',
  zopfli: 'zopfli',
  zpaq: 'zpaq',
  zstd: 'zstd'
} as const

export type Tool = keyof typeof PACKAGES

export interface ToolsDeps {
  find: (name: string) => string | null
  /** Null where this user cannot install packages. */
  install: ((packages: readonly string[]) => Promise<void>) | null
  say: (line: string) => void
}

/** The tools that are missing even after installing what can be installed. */
export async function missingTools(
  wanted: readonly Tool[],
  { find, install, say }: ToolsDeps
): Promise<Set<Tool>> {
  const absent = (): Tool[] => [...new Set(wanted)].filter((tool) => find(tool) === null)
  if (absent().length > 0 && install !== null) {
    const packages = [...new Set(absent().flatMap((tool) => PACKAGES[tool].split(' ')))]
    say(`Installing ${packages.join(', ')} with apt-get…`)
    await install(packages).catch((error: unknown) => say(`apt-get failed: ${String(error)}`))
  }
  const missing = new Set(absent())
  if (missing.size > 0) say(`Skipped because a program is missing: ${[...missing].join(', ')}`)
  return missing
}
