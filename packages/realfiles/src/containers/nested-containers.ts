import { eicar } from '@filewright/acceptance'
import { otherArchiveRecipes, tarRecipes } from '../recipes/archive-recipes.js'
import { compressorRecipes, multiStreamRecipes } from '../recipes/compressor-recipes.js'
import { encryptedRecipes, zipRecipes } from '../recipes/zip-recipes.js'
import { recipesOf, type Recipe } from '../recipes/recipe.js'
import { containerOf, infectedFiles, uniqueLine, type Container } from './container.js'

export const archiveRecipes: Recipe[] = [
  ...zipRecipes,
  ...tarRecipes,
  ...otherArchiveRecipes,
  ...compressorRecipes,
  ...multiStreamRecipes
]

const extensionOf = (file: string): string => file.slice(file.indexOf('.'))

/** One recipe for each extension, so that every format is tried inside another. */
const onePerFormat = [
  ...new Map(archiveRecipes.toReversed().map((recipe) => [extensionOf(recipe.file), recipe])).values()
].toReversed()

function inside({ name, file, needs, script }: Recipe, outer: 'zip' | 'tar.gz'): Recipe {
  // In a separate shell, because some recipes change the folder.
  const inner = `(export OUT=$PWD/inner-${file}; ${script}); `
  const pack = outer === 'zip' ? `zip -q $OUT inner-${file}` : `tar -czf $OUT inner-${file}`
  return {
    name: `${outer} of ${name}`,
    file: `a.${outer}`,
    needs: [...needs, ...(outer === 'zip' ? ['zip' as const] : ['tar' as const, 'gzip' as const])],
    script: `${inner}${pack}`
  }
}

const pages = (): Record<string, string> => ({
  'page.html': `<html><body><p>${uniqueLine()}</p>\n${eicar}\n</body></html>`,
  'page.md': `# Page\n\n<p>${eicar}</p>\n`,
  'page.js': `const page = '<html><body>'\n// ${eicar}\n`,
  'page.php': `<?php echo '<p>'; // ${eicar}\n`
})
const onlyPage =
  (extension: string): (() => Record<string, string>) =>
  () => ({ [`page.${extension}`]: pages()[`page.${extension}`] ?? '' })

const deep = recipesOf([
  [
    'gzip of tar of zip',
    'a.tar.gz',
    'zip tar gzip',
    'zip -qr a.zip in; tar -cf a.tar a.zip; gzip -c a.tar > $OUT'
  ],
  [
    'zip of tar.xz of zip',
    'a.zip',
    'zip tar xz',
    'zip -qr a.zip in; tar -cJf a.txz a.zip; zip -q $OUT a.txz'
  ],
  ['zip of zip of zip', 'a.zip', 'zip', 'zip -qr a.zip in; zip -q b.zip a.zip; zip -q $OUT b.zip'],
  ['zip of zip of 7z', 'a.zip', 'zip 7zz', '7zz a -bso0 -bsp0 a.7z in; zip -q b.zip a.7z; zip -q $OUT b.zip'],
  [
    'tar.gz of tar.bz2 of tar.xz',
    'a.tgz',
    'tar gzip bzip2 xz',
    'tar -cJf a.txz in; tar -cjf a.tbz a.txz; tar -czf $OUT a.tbz'
  ],
  [
    'tar.zst of zip of tar.gz',
    'a.tar.zst',
    'tar gzip zip zstd',
    'tar -czf a.tgz in; zip -q a.zip a.tgz; tar -cf a.tar a.zip; zstd -q a.tar -o $OUT'
  ],
  [
    '7z of zip of tar.gz',
    'a.7z',
    'tar gzip zip 7zz',
    'tar -czf a.tgz in; zip -q a.zip a.tgz; 7zz a -bso0 -bsp0 $OUT a.zip'
  ],
  [
    'zip of deb of tar',
    'a.zip',
    'zip ar tar',
    'tar -cf data.tar in; echo 2.0 > debian-binary; ar qc a.deb debian-binary data.tar; zip -q $OUT a.deb'
  ],
  ['mail by mpack with a zip', 'a.eml', 'zip mpack', 'zip -qr a.zip in; mpack -s subject -o $OUT a.zip'],
  [
    'mail by mpack with a 7z',
    'a.eml',
    '7zz mpack',
    '7zz a -bso0 -bsp0 a.7z in; mpack -s subject -o $OUT a.7z'
  ],
  ['mail by mpack with a text', 'a.eml', 'mpack', 'mpack -s subject -o $OUT in/notes.txt'],
  [
    'zip of a mail with a zip',
    'a.zip',
    'zip mpack',
    'zip -qr a.zip in; mpack -s subject -o a.eml a.zip; zip -q $OUT a.eml'
  ],
  [
    'zip of 60 MB with the test file at its end',
    'a.zip',
    'zip',
    'head -c 60000000 /dev/zero > in/big; cat in/notes.txt >> in/big; rm in/notes.txt; zip -qr $OUT in'
  ],
  [
    'tar.gz of 3,000 files',
    'a.tgz',
    'tar gzip',
    'for i in {1..3000}; do echo $i > in/$i; done; tar -czf $OUT in'
  ],
  ['zip of 3,000 files', 'a.zip', 'zip', 'for i in {1..3000}; do echo $i > in/$i; done; zip -qr $OUT in']
])

const pageArchives: Container[] = Object.keys(pages()).flatMap((name) => {
  const extension = name.split('.')[1] ?? ''
  return recipesOf([
    [`zip of a .${extension} with markup`, 'a.zip', 'zip', 'zip -qr $OUT in'],
    [`tar.gz of a .${extension} with markup`, 'a.tgz', 'tar gzip', 'tar -czf $OUT in'],
    [`gzip of a .${extension} with markup`, `page.${extension}.gz`, 'gzip', 'gzip -c $ONE > $OUT']
  ]).map((recipe) => containerOf(recipe, onlyPage(extension)))
})

/**
 * Archives by every archiver: alone, inside others, and with web pages, which clamd normalizes before it
 * scans them.
 */
export const archiveContainers: Container[] = [
  ...[...archiveRecipes, ...encryptedRecipes].map((recipe) => containerOf(recipe)),
  ...onePerFormat.flatMap((recipe) => [
    containerOf(inside(recipe, 'zip')),
    containerOf(inside(recipe, 'tar.gz'))
  ]),
  ...deep.map((recipe) => containerOf(recipe, infectedFiles)),
  ...pageArchives
]
