import type { FastifyInstance } from 'fastify'
import { ReceiptKeysResponse, ReceiptResponse, type FileParams } from '@filewright/contracts'
import { refuseOtherMethods } from '../../http/method-not-allowed.js'
import * as operations from './receipts.operations.js'
import type { ReceiptsService } from './receipts.service.js'

/** `GET /files/:id/receipt`. The parent scope authenticates requests. */
export async function receiptsRoutes(
  app: FastifyInstance,
  { receipts }: { receipts: ReceiptsService }
): Promise<void> {
  app.get<{ Params: FileParams }>(
    '/files/:id/receipt',
    { config: { operation: operations.getReceipt }, schema: { response: { 200: ReceiptResponse } } },
    async (request, reply) => {
      const receipt = await receipts.issue(request.principal, request.params.id)
      reply.header('cache-control', 'private, no-cache')
      return receipt
    }
  )
  refuseOtherMethods(app, '/files/:id/receipt', ['GET', 'HEAD'])
}

const KEYS_PATH = '/.well-known/filewright-keys.json'

/** The public keys. No token is needed: everyone who receives a receipt must be able to verify it. */
export async function receiptKeysRoutes(
  app: FastifyInstance,
  { receipts }: { receipts: ReceiptsService }
): Promise<void> {
  app.get(
    KEYS_PATH,
    { config: { operation: operations.getReceiptKeys }, schema: { response: { 200: ReceiptKeysResponse } } },
    async (_request, reply) => {
      const keys = await receipts.keys()
      reply.headers({ 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' })
      return keys
    }
  )
  refuseOtherMethods(app, KEYS_PATH, ['GET', 'HEAD'])
}
