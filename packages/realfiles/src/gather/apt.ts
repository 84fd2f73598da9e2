import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { shell } from '../shell.js'

const SYSTEM = '/etc/apt'

/** The system's own list of package sources, for source packages instead. Both of apt's formats are known. */
export function sourcePackagesOf(list: string): string {
  return list.replace(/^(Types:.*)\bdeb\b(?!-src)(.*)$/gm, '$1deb-src$2').replace(/^deb(?=\s)/gm, 'deb-src')
}

/** Options that make apt-get use source packages without changing the system's own lists. */
export async function privateApt(folder: string): Promise<string> {
  const parts = join(folder, 'sources.list.d')
  await mkdir(parts, { recursive: true })
  await mkdir(join(folder, 'lists', 'partial'), { recursive: true })
  const more = await readdir(join(SYSTEM, 'sources.list.d')).catch(() => [])
  for (const path of [
    join(SYSTEM, 'sources.list'),
    ...more.map((name) => join(SYSTEM, 'sources.list.d', name))
  ]) {
    const text = await readFile(path, 'utf8').catch(() => '')
    if (text !== '') await writeFile(join(parts, basename(path)), sourcePackagesOf(text))
  }
  const options = [
    'Dir::Etc::sourcelist=/dev/null',
    `Dir::Etc::sourceparts=${parts}`,
    `Dir::State::lists=${join(folder, 'lists')}`,
    // apt would drop its privileges and could then not write to this folder.
    'APT::Sandbox::User=root'
  ]
    .map((option) => `-o ${option}`)
    .join(' ')
  await shell(`apt-get ${options} update -q`, { folder })
  return options
}
