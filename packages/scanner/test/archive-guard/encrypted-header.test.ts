import t from 'tap'
import { hasEncryptedHeader } from '../../src/archive-guard/encrypted-header.js'
import { cleanText } from '../helpers/samples.js'
import { encrypted, unseenByClamd } from '../helpers/tool-made.js'

const made = (command: string): Buffer => encrypted[command] ?? unseenByClamd[command] ?? Buffer.alloc(0)

t.test(
  'distinguishes a 7z with encrypted names from one with only encrypted files, and from a plain one',
  async (t) => {
    t.equal(hasEncryptedHeader(made('7z a -psecret -mhe=on a.7z a.txt'), '7z'), true)
    t.equal(hasEncryptedHeader(made('7z a a.7z a.txt'), '7z'), false)
  }
)

t.test('distinguishes an encrypted ARJ from a plain one', async (t) => {
  t.equal(hasEncryptedHeader(made('arj a -gsecret a.arj a.txt'), 'arj'), true)
  t.equal(hasEncryptedHeader(made('arj a a.arj a.txt'), 'arj'), false)
})

t.test('detects encrypted names in RAR 4 and RAR 5', async (t) => {
  // After the signature: checksum, type 0x73, flags with 0x80; and checksum, length, type 4.
  const rar4 = Buffer.from('526172211a0700' + 'ce99' + '73' + '8000' + '0d00000000000000', 'hex')
  const rar5 = Buffer.from('526172211a070100' + '00000000' + '21' + '04' + '00000f', 'hex')
  const open4 = Buffer.from('526172211a0700' + 'cf90' + '73' + '0000' + '0d00000000000000', 'hex')
  const open5 = Buffer.from('526172211a070100' + '3392b5e5' + '0a' + '01' + '0506000501018080', 'hex')

  t.strictSame([hasEncryptedHeader(rar4, 'rar'), hasEncryptedHeader(rar5, 'rar5')], [true, true])
  t.strictSame([hasEncryptedHeader(open4, 'rar'), hasEncryptedHeader(open5, 'rar5')], [false, false])
})

t.test('returns false for truncated headers and for all other formats', async (t) => {
  for (const format of ['7z', 'rar', 'rar5', 'arj', 'xz', 'zip']) {
    t.equal(hasEncryptedHeader(Buffer.alloc(0), format), false, format)
    t.equal(hasEncryptedHeader(Buffer.from('60ea', 'hex'), format), false, format)
    t.equal(hasEncryptedHeader(cleanText(), format), false, format)
  }
})
