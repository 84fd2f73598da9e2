import { recipesOf, type Recipe, type RecipeLine } from './recipe.js'

/** Each reads a file's name as its last word and writes the compressed bytes to its output. */
const FILTERS: Array<[name: string, extension: string, tool: string, command: string]> = [
  ['gzip', 'gz', 'gzip', 'gzip -c'],
  ['gzip -1', 'gz', 'gzip', 'gzip -1c'],
  ['pigz', 'gz', 'pigz', 'pigz -c'],
  ['pigz -11', 'gz', 'pigz', 'pigz -11c'],
  ['pigz -i', 'gz', 'pigz', 'pigz -ic'],
  ['pigz --zlib', 'zz', 'pigz', 'pigz -zc'],
  ['zopfli', 'gz', 'zopfli', 'zopfli -c'],
  ['bzip2', 'bz2', 'bzip2', 'bzip2 -c'],
  ['pbzip2', 'bz2', 'pbzip2', 'pbzip2 -b1 -1 -c'],
  ['lbzip2', 'bz2', 'lbzip2', 'lbzip2 -1 -c'],
  ['xz', 'xz', 'xz', 'xz -c'],
  ['xz -T0, small blocks', 'xz', 'xz', 'xz -T0 --block-size=4096 -c'],
  ['xz --check=none', 'xz', 'xz', 'xz -C none -c'],
  ['xz --check=crc32', 'xz', 'xz', 'xz -C crc32 -c'],
  ['xz --check=sha256', 'xz', 'xz', 'xz -C sha256 -c'],
  ['xz --x86', 'xz', 'xz', 'xz --x86 --lzma2 -c'],
  ['xz --arm', 'xz', 'xz', 'xz --arm --lzma2 -c'],
  ['xz --delta', 'xz', 'xz', 'xz --delta=dist=4 --lzma2 -c'],
  ['xz -9e', 'xz', 'xz', 'xz -9e -c'],
  ['xz --format=lzma', 'lzma', 'xz', 'xz --format=lzma -c'],
  ['lzip', 'lz', 'lzip', 'lzip -c'],
  ['plzip', 'lz', 'plzip', 'plzip -c'],
  ['zstd', 'zst', 'zstd', 'zstd -qc'],
  ['zstd -19', 'zst', 'zstd', 'zstd -19 -qc'],
  ['zstd --long', 'zst', 'zstd', 'zstd --long=27 -qc'],
  ['lz4', 'lz4', 'lz4', 'lz4 -qc'],
  ['lz4 -9 -l', 'lz4', 'lz4', 'lz4 -9lqc'],
  ['lzop', 'lzo', 'lzop', 'lzop -c'],
  ['compress', 'Z', 'compress', 'compress -c'],
  ['brotli', 'br', 'brotli', 'brotli -c'],
  ['7z -tgzip', 'gz', '7zz', '7zz a -bso0 -bsp0 -tgzip -so x'],
  ['7z -tbzip2', 'bz2', '7zz', '7zz a -bso0 -bsp0 -tbzip2 -so x'],
  ['7z -txz', 'xz', '7zz', '7zz a -bso0 -bsp0 -txz -so x'],
  ['uuencode', 'uue', 'uuencode', 'f() { uuencode "$1" "$1"; }; f']
]

/** Every compressor, applied to one file and to a tar of the folder. */
export const compressorRecipes: Recipe[] = recipesOf(
  FILTERS.flatMap(([name, extension, tool, command]) => [
    [name, `notes.txt.${extension}`, tool, `${command} $ONE > $OUT`],
    [`tar, ${name}`, `a.tar.${extension}`, `tar ${tool}`, `tar -cf a.tar in; ${command} a.tar > $OUT`]
  ])
)

const twice = (name: string, extension: string, tool: string, command: string): RecipeLine => [
  `${name}, two streams`,
  `notes.txt.${extension}`,
  tool,
  `echo first > first; (${command} first; ${command} $ONE) > $OUT`
]

export const multiStreamRecipes: Recipe[] = recipesOf([
  twice('gzip', 'gz', 'gzip', 'gzip -c'),
  twice('bzip2', 'bz2', 'bzip2', 'bzip2 -c'),
  twice('xz', 'xz', 'xz', 'xz -c'),
  twice('zstd', 'zst', 'zstd', 'zstd -qc'),
  twice('lz4', 'lz4', 'lz4', 'lz4 -qc'),
  twice('lzip', 'lz', 'lzip', 'lzip -c'),
  ['lzip, a note behind it', 'notes.txt.lz', 'lzip', '(lzip -c $ONE; echo made for the archive) > $OUT'],
  [
    'xz --format=lzma, known size',
    'notes.txt.lzma',
    'xz',
    // xz does not write the size, which stands behind five bytes of properties; other tools do.
    'xz --format=lzma --lzma1=dict=4KiB -c $ONE > x; size=$(wc -c < $ONE); (head -c 5 x; ' +
      'for i in 0 8 16 24 32 40 48 56; do printf "\\x$(printf %02x $((size >> i & 255)))"; done; ' +
      'tail -c +14 x) > $OUT'
  ],
  ['pixz of a tar', 'a.tar.xz', 'pixz tar', 'tar -cf a.tar in; pixz a.tar $OUT'],
  ['pixz of a file', 'notes.txt.xz', 'pixz', 'pixz -t $ONE $OUT'],
  ['tar -z', 'a.tgz', 'tar gzip', 'tar -czf $OUT in'],
  ['tar -j', 'a.tbz2', 'tar bzip2', 'tar -cjf $OUT in'],
  ['tar -J', 'a.txz', 'tar xz', 'tar -cJf $OUT in'],
  ['bsdtar -z', 'a.tar.gz', 'bsdtar', 'bsdtar -czf $OUT in'],
  ['bsdtar -j', 'a.tar.bz2', 'bsdtar', 'bsdtar -cjf $OUT in'],
  ['bsdtar -J', 'a.tar.xz', 'bsdtar', 'bsdtar -cJf $OUT in'],
  ['bsdtar --zstd', 'a.tar.zst', 'bsdtar', 'bsdtar -cf $OUT --zstd in'],
  ['bsdtar --uuencode', 'a.tar.uu', 'bsdtar', 'bsdtar -cf $OUT --uuencode in'],
  ['bsdtar --b64encode', 'a.tar.b64', 'bsdtar', 'bsdtar -cf $OUT --b64encode in']
])
