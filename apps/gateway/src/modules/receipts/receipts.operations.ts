import { examples } from '../docs/examples.js'
import type { Describe } from '../docs/operation.js'
import { fileIdRefused, params } from '../docs/requests.js'
import { authenticated, common, failure, failures, json, success } from '../docs/responses.js'

export const getReceipt: Describe = () => ({
  operationId: 'getReceipt',
  tags: ['files'],
  summary: 'Get a signed receipt of the newest scan of a file',
  description:
    'A DSSE envelope around an in-toto statement (schema ReceiptStatement): hash and size of the bytes, scanner, signatures, verdict and time. Its Ed25519 signature verifies offline with the keys at `/.well-known/filewright-keys.json`.',
  parameters: params('FileId'),
  responses: {
    200: success('The receipt', json('ReceiptResponse', examples.receipt)),
    ...failures([...fileIdRefused, failure('FILE_WITHDRAWN'), failure('RECEIPTS_OFF'), ...authenticated], {
      410: ['X-Rejection']
    })
  }
})

export const getReceiptKeys: Describe = () => ({
  operationId: 'getReceiptKeys',
  tags: ['service'],
  summary: 'Get the public keys of receipts',
  description: 'A JWK set. A rotated key stays in the set, so old receipts still verify.',
  security: [],
  parameters: params(),
  responses: {
    200: success('The keys', json('ReceiptKeysResponse', examples.receiptKeys), [], { limited: false }),
    ...failures(common)
  }
})
