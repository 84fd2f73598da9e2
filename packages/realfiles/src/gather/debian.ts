import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Sample } from '../sample.js'
import { shell } from '../shell.js'
import { privateApt } from './apt.js'
import { filesBelow, sampleOf, someFiles } from './folder.js'
import type { GatherDeps, Source } from './source.js'
import { wordsOf } from '../words.js'

/** Packages with documents and pictures. */
const BINARY = wordsOf(`
  clamav-testfiles debian-handbook debian-reference-en desktop-base gimp-data gnuplot-doc graphviz-doc
  imagemagick-6-doc inkscape-tutorials latex-cjk-common libreoffice-common libreoffice-dmaths libtiff-doc
  maxima-doc octave-doc openclipart-libreoffice openclipart-svg perl-doc postgresql-doc-15 python3.11-doc
  r-doc-pdf tango-icon-theme texlive-fonts-recommended-doc texlive-latex-base-doc xfig-doc
`)

/** Source packages, many with test files in the formats they read. */
const SOURCES = wordsOf(`
  antiword apr catdoc cmark curl django-filter docutils exiv2 file flask giflib git gzip imageio jq less
  libarchive libexif libheif libimage-exiftool-perl libmspack libpng1.6 librsvg libtiff libwebp libwpd
  libxml2 lua5.4 lz4 matplotlib nano netpbm-free nginx numpy odfpy openexr openpyxl p7zip pandoc pcre2
  pdfminer pillow pygments pypdf python-docx python-markdown python-pptx qpdf redis requests ruby-rack
  sqlite3 tidy-html5 unzip wget xlsxwriter xz-utils zlib zstd
`)

/** Downloads missing packages one by one, and skips those that this release lacks. */
async function download(
  names: readonly string[],
  what: string,
  command: (name: string) => string,
  folder: string,
  deps: GatherDeps
): Promise<void> {
  if ((await filesBelow(folder)).length > 0) return
  deps.say(`Downloading ${names.length} ${what}…`)
  for (const name of names) {
    await shell(command(name), { folder }).catch((error: unknown) => {
      deps.skipped.push(`${what} ${name}: ${String(error)}`)
    })
  }
}

async function unpacked(
  archives: readonly string[],
  folder: string,
  command: (archive: string) => string,
  { random }: GatherDeps
): Promise<Sample[]> {
  const samples: Sample[] = []
  for (const archive of archives) {
    const into = join(folder, basename(archive))
    await mkdir(into, { recursive: true })
    if ((await filesBelow(into, 1)).length === 0) {
      await shell(command(archive), { folder: into }).catch(() => {})
    }
    samples.push(...(await someFiles(into, basename(archive), { random, perExtension: 12 })))
  }
  return samples
}

export const debianSources: Source[] = [
  {
    name: 'Debian packages',
    kinds: ['code', 'image', 'document', 'archive', 'other'],
    quick: false,
    gather: async (deps) => {
      const folder = join(deps.cacheFolder, 'debs')
      await mkdir(folder, { recursive: true })
      await download(BINARY, 'Debian packages', (name) => `apt-get download -q ${name}`, folder, deps)
      const packages = await filesBelow(folder)
      const contents = await unpacked(
        packages,
        join(deps.cacheFolder, 'debs-unpacked'),
        (path) => `dpkg-deb -x "${path}" .`,
        deps
      )
      return [...packages.map((path) => sampleOf(path, 'Debian packages')), ...contents]
    }
  },
  {
    name: 'Debian sources',
    kinds: ['code', 'image', 'document', 'archive', 'other'],
    quick: false,
    gather: async (deps) => {
      const folder = join(deps.cacheFolder, 'sources')
      await mkdir(folder, { recursive: true })
      if ((await filesBelow(folder)).length === 0) {
        const options = await privateApt(join(deps.cacheFolder, 'apt'))
        await download(
          SOURCES,
          'Debian sources',
          (name) => `apt-get ${options} source -q --download-only ${name}`,
          folder,
          deps
        )
      }
      const files = await filesBelow(folder)
      const tarballs = files.filter((path) => /\.orig(-\w+)?\.tar\.\w+$/.test(path))
      const contents = await unpacked(
        tarballs,
        join(deps.cacheFolder, 'sources-unpacked'),
        (path) => `tar -xf "${path}"`,
        deps
      )
      return [...files.map((path) => sampleOf(path, 'Debian sources')), ...contents]
    }
  }
]
