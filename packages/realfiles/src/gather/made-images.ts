import { recipesOf, type Recipe, type RecipeLine } from '../recipes/recipe.js'
import { cookedSamples } from './cooked-samples.js'
import type { Source } from './source.js'
import { wordsOf } from '../words.js'

const FORMATS = wordsOf(`
  png png8 png24 png32 png48 jpg gif tiff bmp bmp3 bmp2 webp avif heic jp2 j2k jxl tga pcx dds ppm
  pgm pbm pam pfm xpm xbm ico psd exr hdr qoi pdf eps ps miff xwd sgi sun fits dpx viff pict palm
  wbmp mng jng cin rgb txt html
`)
/** ImageMagick's names of formats that share an extension. */
const EXTENSIONS: Record<string, string> = {
  png8: 'png',
  png24: 'png',
  png32: 'png',
  png48: 'png',
  bmp2: 'bmp',
  bmp3: 'bmp'
}

const PICTURE = 'convert -size 320x240 plasma:'
const format = (name: string): RecipeLine => [
  `ImageMagick, ${name}`,
  `a.${EXTENSIONS[name] ?? name}`,
  'convert',
  `${PICTURE} ${name}:$OUT`
]

const variants: RecipeLine[] = [
  ['JPEG, progressive', 'a.jpg', 'convert', `${PICTURE} -interlace JPEG $OUT`],
  ['JPEG, CMYK', 'a.jpg', 'convert', `${PICTURE} -colorspace CMYK $OUT`],
  ['JPEG, grey', 'a.jpg', 'convert', `${PICTURE} -colorspace Gray $OUT`],
  [
    'JPEG with EXIF and a thumbnail',
    'a.jpg',
    'convert exiftool',
    `${PICTURE} b.jpg; convert b.jpg -resize 160 t.jpg; ` +
      'exiftool -q -Make=Maker -Model=One -GPSLatitude=48 -GPSLatitudeRef=N ' +
      '"-ThumbnailImage<=t.jpg" -o $OUT b.jpg'
  ],
  ['PNG, interlaced', 'a.png', 'convert', `${PICTURE} -interlace PNG $OUT`],
  ['GIF, animated', 'a.gif', 'convert', 'convert -size 80x60 plasma: plasma: plasma: -loop 0 $OUT'],
  ['WebP, lossless', 'a.webp', 'convert', `${PICTURE} -define webp:lossless=true $OUT`],
  ...['None', 'LZW', 'Zip', 'JPEG', 'LZMA', 'RLE'].map(
    (method): RecipeLine => [`TIFF, ${method}`, 'a.tiff', 'convert', `${PICTURE} -compress ${method} $OUT`]
  ),
  ['TIFF, fax', 'a.tiff', 'convert', `${PICTURE} -monochrome -compress Group4 $OUT`],
  ['TIFF of several pages', 'a.tiff', 'convert', 'convert -size 80x60 plasma: plasma: plasma: $OUT'],
  [
    'incompressible PNG of 12 MB',
    'noise.png',
    'convert',
    'convert -size 2048x1400 xc: +noise Random -depth 8 $OUT'
  ]
]

/** Pictures as large as those of a telephone, from 1 to 10 MB. */
const PHOTOS: Array<[size: string, quality: number]> = [
  ['2000x1500', 85],
  ['2400x1800', 92],
  ['3264x2448', 80],
  ['3264x2448', 92],
  ['4032x3024', 75],
  ['4032x3024', 85],
  ['4608x3456', 80]
]
const photos: RecipeLine[] = PHOTOS.flatMap(([size, quality]) =>
  ['', '-interlace JPEG'].map(
    (option): RecipeLine => [
      `photo ${size}, quality ${quality}${option === '' ? '' : ', progressive'}`,
      'photo.jpg',
      'convert',
      `convert -size ${size} plasma: -attenuate 0.7 +noise Gaussian -quality ${quality} ${option} $OUT`
    ]
  )
)
const huge: RecipeLine[] = [
  [
    'photo of 108 megapixels',
    'photo.jpg',
    'convert',
    'convert -size 3000x2250 plasma: -attenuate 0.2 +noise Gaussian -scale 400% -quality 80 $OUT'
  ],
  [
    'JPEG of 20,000 × 14,000',
    'photo.jpg',
    // A greyscale image of the maximum size that clamd decodes. Not by ImageMagick, which has its own limit.
    'cjpeg',
    '(printf "P5 20000 14000 255\\n"; head -c 280000000 /dev/zero | tr "\\0" "\\200") | ' +
      'cjpeg -quality 60 -optimize > $OUT'
  ]
]

function source(name: string, quick: boolean, recipes: Recipe[]): Source {
  return {
    name,
    kinds: ['image', 'document', 'other'],
    quick,
    gather: async (deps) => await cookedSamples(recipes, deps, async () => ({ files: {} }))
  }
}

/** Pictures by ImageMagick, in every format it writes, and photos. */
export const madeImages: Source[] = [
  source('made images', true, recipesOf([...FORMATS.map(format), ...variants])),
  source('made photos', false, recipesOf([...photos, ...huge]))
]
