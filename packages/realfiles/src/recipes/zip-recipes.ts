import { recipesOf } from './recipe.js'

const SEVEN_ZIP = '7zz a -bso0 -bsp0'
const python = (method: string): string =>
  `python3 -c "import zipfile,os,sys
z = zipfile.ZipFile(os.environ['OUT'], 'w', zipfile.${method})
[z.write(os.path.join(d, f)) for d, _, fs in os.walk('in') for f in fs]
z.close()"`

/** ZIP files by common programs. */
export const zipRecipes = recipesOf([
  ['zip', 'a.zip', 'zip', 'zip -qr $OUT in'],
  ['zip -0', 'a.zip', 'zip', 'zip -qr0 $OUT in'],
  ['zip -9 with a comment', 'a.zip', 'zip', 'echo about | zip -qr9z $OUT in'],
  ['zip -Z bzip2', 'a.zip', 'zip', 'zip -qr -Z bzip2 $OUT in'],
  ['zip of a pipe (Zip64)', 'a.zip', 'zip', 'cat $ONE | zip -q - - > $OUT'],
  ['zip into a pipe', 'a.zip', 'zip', 'zip -qr - in | cat > $OUT'],
  ['zip -fz (Zip64 forced)', 'a.zip', 'zip', 'zip -qr -fz $OUT in'],
  ['zip -fd (descriptors)', 'a.zip', 'zip', 'zip -qr -fd $OUT in'],
  [
    'zip, updated twice',
    'a.zip',
    'zip',
    'zip -qr $OUT in; echo more > in/more; zip -qr $OUT in; zip -qd $OUT in/more'
  ],
  ['advzip -4', 'a.zip', 'advzip zip', 'zip -qr $OUT in; advzip -qz4 $OUT'],
  ['7z -tzip', 'a.zip', '7zz', `${SEVEN_ZIP} -tzip $OUT in`],
  ['7z -tzip, Copy', 'a.zip', '7zz', `${SEVEN_ZIP} -tzip -mm=Copy $OUT in`],
  ['7z -tzip, Deflate64', 'a.zip', '7zz', `${SEVEN_ZIP} -tzip -mm=Deflate64 $OUT in`],
  ['7z -tzip, BZip2', 'a.zip', '7zz', `${SEVEN_ZIP} -tzip -mm=BZip2 $OUT in`],
  ['7z -tzip, LZMA', 'a.zip', '7zz', `${SEVEN_ZIP} -tzip -mm=LZMA $OUT in`],
  ['7z -tzip, PPMd', 'a.zip', '7zz', `${SEVEN_ZIP} -tzip -mm=PPMd $OUT in`],
  ['7z -tzip, XZ', 'a.zip', '7zz', `${SEVEN_ZIP} -tzip -mm=xz $OUT in`],
  ['bsdtar --format=zip', 'a.zip', 'bsdtar', 'bsdtar -cf $OUT --format=zip in'],
  [
    'bsdtar --format=zip, stored',
    'a.zip',
    'bsdtar',
    'bsdtar -cf $OUT --format=zip --options zip:compression=store in'
  ],
  ['bsdtar zip into a pipe', 'a.zip', 'bsdtar', 'bsdtar -c --format=zip in | cat > $OUT'],
  ['pigz -K', 'a.zip', 'pigz', 'pigz -Kc $ONE > $OUT'],
  ['Python zipfile, stored', 'a.zip', 'python3', python('ZIP_STORED')],
  ['Python zipfile, deflated', 'a.zip', 'python3', python('ZIP_DEFLATED')],
  ['Python zipfile, bzip2', 'a.zip', 'python3', python('ZIP_BZIP2')],
  ['Python zipfile, LZMA', 'a.zip', 'python3', python('ZIP_LZMA')],
  [
    'Python make_archive',
    'a.zip',
    'python3',
    "python3 -c \"import shutil; shutil.make_archive('made', 'zip', '.', 'in')\"; mv made.zip $OUT"
  ],
  [
    'git archive --format=zip',
    'a.zip',
    'git',
    'git init -q in; git -C in -c core.safecrlf=false add -A; ' +
      'git -C in -c user.name=a -c user.email=a@b commit -qm all; ' +
      'git -C in archive --format=zip --prefix=in-main/ HEAD > $OUT'
  ],
  ['jar', 'a.jar', 'jar', 'jar cf $OUT in'],
  ['jar without compression', 'a.jar', 'jar', 'jar c0f $OUT in']
])

export const encryptedRecipes = recipesOf([
  ['zip -P', 'encrypted.zip', 'zip', 'zip -qr -P secret $OUT in'],
  ['7z -tzip, AES', 'encrypted.zip', '7zz', `${SEVEN_ZIP} -tzip -psecret -mem=AES256 $OUT in`],
  ['7z, AES', 'encrypted.7z', '7zz', `${SEVEN_ZIP} -psecret $OUT in`],
  ['7z, AES, names too', 'encrypted.7z', '7zz', `${SEVEN_ZIP} -psecret -mhe=on $OUT in`]
])
