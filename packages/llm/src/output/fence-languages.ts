/**
 * Names that models use on fences for a language. Only used to choose among several fences, so a missing name
 * does little harm.
 */
const families: ReadonlyArray<readonly string[]> = [
  [
    'javascript',
    'js',
    'jsx',
    'mjs',
    'cjs',
    'node',
    'nodejs',
    'typescript',
    'ts',
    'tsx',
    'mts',
    'cts',
    'react',
    'vue',
    'svelte'
  ],
  ['python', 'py', 'python3', 'py3'],
  ['go', 'golang'],
  ['java'],
  ['rust', 'rs'],
  ['sql', 'postgresql', 'postgres', 'mysql', 'sqlite', 'plpgsql', 'tsql'],
  ['shell', 'bash', 'sh', 'zsh', 'console', 'shellscript'],
  ['css', 'scss', 'sass', 'less'],
  ['html', 'htm', 'xhtml', 'vue', 'svelte'],
  ['php'],
  ['ruby', 'rb'],
  ['c', 'h'],
  ['cpp', 'c++', 'cxx', 'cc', 'hpp'],
  ['csharp', 'c#', 'cs'],
  ['kotlin', 'kt', 'kts'],
  ['swift'],
  ['markdown', 'md', 'mdx'],
  ['yaml', 'yml'],
  ['json', 'jsonc', 'json5']
]

/** Fences of commands and output that models put beside the requested code. */
const besides = new Set([
  'bash',
  'sh',
  'shell',
  'zsh',
  'console',
  'terminal',
  'text',
  'txt',
  'plaintext',
  'output',
  'json',
  'diff'
])

export function sameLanguage(fence: string, language: string): boolean {
  const wanted = language.trim().toLowerCase()
  return fence === wanted || families.some((family) => family.includes(fence) && family.includes(wanted))
}

export function isBeside(fence: string): boolean {
  return besides.has(fence)
}
