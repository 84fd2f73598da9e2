import { recipesOf, type Recipe, type RecipeLine } from './recipe.js'

const sevenZip = (method: string): RecipeLine => [
  `7z, ${method}`,
  'a.7z',
  '7zz',
  `7zz a -bso0 -bsp0 -t7z -m0=${method} $OUT in`
]

const bsdtar = (format: string, file: string): RecipeLine => [
  `bsdtar --format=${format}`,
  file,
  'bsdtar',
  `bsdtar -cf $OUT --format=${format} in`
]

/** The old format, whose members have no folders. */
const bsdAr = (format: string): RecipeLine => [
  `bsdtar --format=${format}`,
  'a.a',
  'bsdtar',
  `cd in; bsdtar -cf $OUT --format=${format} $(basename $ONE)`
]

const PREPARE_DEB =
  'mkdir -p d/DEBIAN d/usr/share/doc; cp -r in d/usr/share/doc/made; ' +
  'printf "Package: made\\nVersion: 1\\nArchitecture: all\\nMaintainer: a <a@b>\\nDescription: made\\n" ' +
  '> d/DEBIAN/control; '
const deb = (compression: string): RecipeLine => [
  `dpkg-deb -Z${compression}`,
  'a.deb',
  'dpkg-deb',
  `${PREPARE_DEB}dpkg-deb --root-owner-group -Z${compression} -b d $OUT > messages`
]
const RPM_SPEC =
  'printf "Name: made\\nVersion: 1\\nRelease: 1\\nSummary: made\\nLicense: MIT\\nBuildArch: noarch\\n' +
  '%%description\\nmade\\n%%install\\nmkdir -p %%{buildroot}/usr/share/made\\n' +
  'cp -r $PWD/in/. %%{buildroot}/usr/share/made/\\n' +
  '%%files\\n/usr/share/made\\n" > made.spec; '

const tarFormats: Recipe[] = recipesOf(
  ['gnu', 'oldgnu', 'pax', 'posix', 'ustar', 'v7'].map((format) => [
    `tar --format=${format}`,
    'a.tar',
    'tar',
    `tar -cf $OUT --format=${format} in`
  ])
)

/** A sparse file with the bytes of a normal file in the middle. */
const HOLES = 'truncate -s 1M in/holes; cat $ONE >> in/holes; truncate -s 3M in/holes; '

export const tarRecipes: Recipe[] = [
  ...tarFormats,
  ...recipesOf([
    ['tar --sparse, GNU', 'a.tar', 'tar', `${HOLES}tar -Scf $OUT in`],
    ['tar --sparse, pax 1.0', 'a.tar', 'tar', `${HOLES}tar -Scf $OUT --format=posix in`],
    ['tar --sparse, pax 0.1', 'a.tar', 'tar', `${HOLES}tar -Scf $OUT --format=posix --sparse-version=0.1 in`],
    ['tar with a label', 'a.tar', 'tar', 'tar -V label -cf $OUT in'],
    ['tar, incremental', 'a.tar', 'tar', 'tar -g state -cf $OUT in'],
    ['tar, appended', 'a.tar', 'tar', 'echo first > first; tar -cf $OUT first; tar -rf $OUT in'],
    [
      'tar --concatenate',
      'a.tar',
      'tar',
      'echo first > first; tar -cf $OUT first; tar -cf second.tar in; tar -Af $OUT second.tar'
    ],
    [
      'two tars, one after the other',
      'a.tar',
      'tar',
      'echo first > first; tar -cf first.tar first; tar -cf second.tar in; ' +
        'cat first.tar second.tar > $OUT'
    ],
    [
      'tar with long names',
      'a.tar',
      'tar',
      'deep=in/$(printf "folder-%.0s" {1..30}); mkdir -p $deep; cp $ONE $deep/; tar -cf $OUT in'
    ],
    [
      'Python tarfile, GNU',
      'a.tar',
      'python3',
      'python3 -c "import tarfile,os; ' +
        "t=tarfile.open(os.environ['OUT'], 'w', format=tarfile.GNU_FORMAT); t.add('in'); t.close()\""
    ],
    [
      'Python tarfile, pax',
      'a.tar.bz2',
      'python3',
      'python3 -c "import tarfile,os; ' +
        "t=tarfile.open(os.environ['OUT'], 'w:bz2', pax_headers={'comment':'made'}); t.add('in'); t.close()\""
    ],
    [
      'Python tarfile, xz',
      'a.tar.xz',
      'python3',
      'python3 -c "import tarfile,os; ' +
        "t=tarfile.open(os.environ['OUT'], 'w:xz'); t.add('in'); t.close()\""
    ],
    [
      'git archive --format=tar.gz',
      'a.tar.gz',
      'git',
      'git init -q in; git -C in -c core.safecrlf=false add -A; ' +
        'git -C in -c user.name=a -c user.email=a@b commit -qm all; ' +
        'git -C in archive --format=tar.gz --prefix=in-main/ HEAD > $OUT'
    ],
    ['7z -ttar', 'a.tar', '7zz', '7zz a -bso0 -bsp0 -ttar $OUT in'],
    bsdtar('pax', 'a.tar'),
    bsdtar('paxr', 'a.tar'),
    bsdtar('ustar', 'a.tar'),
    bsdtar('gnutar', 'a.tar'),
    bsdtar('v7tar', 'a.tar')
  ])
]

export const otherArchiveRecipes: Recipe[] = recipesOf([
  ...['LZMA', 'LZMA2', 'PPMd', 'BZip2', 'Deflate', 'Deflate64', 'Copy'].map(sevenZip),
  ['7z, BCJ and LZMA2', 'a.7z', '7zz', '7zz a -bso0 -bsp0 -t7z -m0=BCJ -m1=LZMA2 $OUT in'],
  ['7z, Delta and LZMA', 'a.7z', '7zz', '7zz a -bso0 -bsp0 -t7z -m0=Delta:4 -m1=LZMA $OUT in'],
  ['7z, not solid', 'a.7z', '7zz', '7zz a -bso0 -bsp0 -t7z -ms=off $OUT in'],
  ['7z, plain header', 'a.7z', '7zz', '7zz a -bso0 -bsp0 -t7z -mhc=off $OUT in'],
  ['7z -twim', 'a.wim', '7zz', '7zz a -bso0 -bsp0 -twim $OUT in'],
  bsdtar('7zip', 'a.7z'),
  bsdtar('cpio', 'a.cpio'),
  bsdtar('newc', 'a.cpio'),
  bsdtar('odc', 'a.cpio'),
  bsdtar('bin', 'a.cpio'),
  bsdtar('xar', 'a.xar'),
  bsdtar('warc', 'a.warc'),
  bsdtar('iso9660', 'a.iso'),
  bsdtar('shar', 'a.shar'),
  bsdtar('shardump', 'a.shar'),
  bsdAr('arbsd'),
  bsdAr('argnu'),
  ['ar', 'a.a', 'ar', 'cd in; ar qc $OUT $(basename $ONE)'],
  ...['bin', 'odc', 'newc', 'crc', 'hpbin', 'tar', 'ustar'].map(
    (format): RecipeLine => [
      `cpio -H ${format}`,
      format.endsWith('tar') ? 'a.tar' : 'a.cpio',
      'cpio',
      `find in | cpio --quiet -o -H ${format} > $OUT`
    ]
  ),
  ...['none', 'gzip', 'xz', 'zstd'].map(deb),
  ...['w9.gzdio', 'w6.xzdio', 'w3.zstdio', 'w9.bzdio'].map(
    (payload): RecipeLine => [
      `rpmbuild, ${payload}`,
      'a.rpm',
      'rpmbuild',
      `${RPM_SPEC}rpmbuild -bb --quiet --define "_topdir $PWD/r" ` +
        `--define "_binary_payload ${payload}" made.spec > messages 2>&1; mv r/RPMS/noarch/*.rpm $OUT`
    ]
  ),
  ['arj', 'a.arj', 'arj', 'arj a -r -y $OUT in > messages'],
  ['jlha', 'a.lzh', 'jlha', 'jlha -cq $OUT in'],
  ['zpaq', 'a.zpaq', 'zpaq', 'zpaq a $OUT in > messages 2>&1'],
  ['arc', 'a.arc', 'arc', 'cd in; arc a $OUT $(basename $ONE) > messages'],
  ['gcab', 'a.cab', 'gcab', 'gcab -c $OUT $ONE'],
  ['gcab -z', 'a.cab', 'gcab', 'gcab -zc $OUT $ONE'],
  ['genisoimage -J -R', 'a.iso', 'genisoimage', 'genisoimage -quiet -J -R -o $OUT in'],
  ['genisoimage -udf', 'a.iso', 'genisoimage', 'genisoimage -quiet -udf -o $OUT in'],
  ['mksquashfs', 'a.squashfs', 'mksquashfs', 'mksquashfs in $OUT -quiet -no-progress > messages'],
  [
    'mksquashfs, xz',
    'a.squashfs',
    'mksquashfs',
    'mksquashfs in $OUT -comp xz -quiet -no-progress > messages'
  ],
  ['wimlib-imagex', 'a.wim', 'wimlib-imagex', 'wimlib-imagex capture in $OUT > messages'],
  ['shar', 'a.shar', 'shar', 'shar -q in/* > $OUT 2> messages'],
  ['lrztar', 'a.tar.lrz', 'lrzip tar', 'tar -cf a.tar in; lrzip -q -o $OUT a.tar']
])
