import { eicar } from '@filewright/acceptance'
import { recipesOf, type RecipeLine } from '../recipes/recipe.js'
import { containerOf, infectedFiles, type Container } from './container.js'

const imageFiles = (): Record<string, string> => ({ ...infectedFiles(), 'eicar.txt': eicar })
const picture = (extension: string): string => `convert -size 96x64 plasma: picture.${extension}; `

/** Tags that a camera or an editor writes. */
const TAGS: Array<[extension: string, tag: string]> = [
  ['jpg', 'Comment'],
  ['jpg', 'EXIF:UserComment'],
  ['jpg', 'EXIF:ImageDescription'],
  ['jpg', 'XMP-dc:Description'],
  ['jpg', 'IPTC:Caption-Abstract'],
  ['jpg', 'ThumbnailImage'],
  ['png', 'Comment'],
  ['png', 'XMP-dc:Description'],
  ['gif', 'Comment'],
  ['tiff', 'ImageDescription'],
  ['tiff', 'XMP-dc:Description']
]

const BEHIND: Record<string, [needs: string, script: string]> = {
  'the test file': ['', 'cp in/notes.txt behind'],
  'a ZIP': ['zip', 'zip -q a.zip in/notes.txt; mv a.zip behind'],
  'a 7z': ['7zz', '7zz a -bso0 -bsp0 a.7z in/notes.txt; mv a.7z behind'],
  'a gzip': ['gzip', 'gzip -c in/notes.txt > behind'],
  'a bzip2': ['bzip2', 'bzip2 -c in/notes.txt > behind'],
  'an xz': ['xz', 'xz -c in/notes.txt > behind'],
  'a tar': ['tar', 'tar -cf behind in/notes.txt'],
  'a CAB': ['gcab', 'gcab -zc behind in/notes.txt']
}

export const imageContainers: Container[] = recipesOf([
  ...TAGS.map(
    ([extension, tag]): RecipeLine => [
      `${extension}, ${tag}`,
      `a.${extension}`,
      'convert exiftool',
      `${picture(extension)}exiftool -q -m "-${tag}<=in/eicar.txt" -o $OUT picture.${extension}`
    ]
  ),
  ...['EXIF:ImageDescription', 'XMP-dc:Description'].map(
    (tag): RecipeLine => [
      // Exiftool does not write WebP; ImageMagick carries the tags over.
      `webp, ${tag}`,
      'a.webp',
      'convert exiftool',
      `${picture('jpg')}exiftool -q -m "-${tag}<=in/eicar.txt" -o tagged.jpg picture.jpg; ` +
        'convert tagged.jpg $OUT'
    ]
  ),
  [
    'png, compressed Comment',
    'a.png',
    'convert exiftool',
    `${picture('png')}exiftool -q -m -z "-Comment<=in/notes.txt" -o $OUT picture.png`
  ],
  ...['jpg', 'png', 'gif'].flatMap((extension) =>
    Object.entries(BEHIND).map(
      ([what, [needs, script]]): RecipeLine => [
        `${extension}, ${what} behind it`,
        `a.${extension}`,
        `convert ${needs}`.trim(),
        `${picture(extension)}${script}; cat picture.${extension} behind > $OUT`
      ]
    )
  ),
  ...['', 'tiff64:'].map(
    (form): RecipeLine => [
      `tiff, LZMA strip that holds the test file${form === '' ? '' : ', BigTIFF'}`,
      'a.tiff',
      'convert',
      // The bytes of the text are the pixels of the image.
      'convert -depth 8 -size $(wc -c < in/notes.txt)x1 gray:in/notes.txt ' +
        `-compress LZMA -define tiff:predictor=1 ${form}$OUT`
    ]
  ),
  [
    'tiff with LZMA strips, an xz behind it',
    'a.tiff',
    'convert xz',
    'convert -size 96x64 plasma: -compress LZMA picture.tiff; ' +
      'xz -c in/notes.txt | cat picture.tiff - > $OUT'
  ],
  [
    'jpg in a docx-like ZIP, a ZIP behind it',
    'a.zip',
    'convert zip',
    `${picture('jpg')}zip -q a.zip in/notes.txt; cat picture.jpg a.zip > both.jpg; zip -q $OUT both.jpg`
  ]
]).map((recipe) => containerOf(recipe, imageFiles))
