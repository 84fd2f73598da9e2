import { FilewrightClient, type FilewrightOptions } from './filewright.js'
import { nodePlatform } from './node-platform.js'

export * from './exports.js'
export {
  MAX_KEYS_CHARS,
  MAX_RECEIPT_CHARS,
  readTrustedKeys,
  ReceiptError,
  verifyReceipt,
  type TrustedKey,
  type TrustedKeys,
  type VerifiedReceipt
} from './verify-receipt.js'

/** Filewright for Node.js. */
export class Filewright extends FilewrightClient {
  constructor(options: FilewrightOptions) {
    super(nodePlatform, options)
  }
}
