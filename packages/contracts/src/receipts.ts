import { Type, type Static } from '@filewright/schema'

const exact = { additionalProperties: false }
const timestamp = (description: string) => Type.String({ format: 'date-time', description })

export const receiptPayloadType = 'application/vnd.in-toto+json'
export const statementType = 'https://in-toto.io/Statement/v1'
export const receiptPredicateType = 'urn:filewright:scan-receipt:v1'

/** A DSSE envelope with one signature. */
export const ReceiptResponse = Type.Object(
  {
    payloadType: Type.Literal(receiptPayloadType),
    payload: Type.String({ description: 'Base64 of the signed ReceiptStatement' }),
    signatures: Type.Array(
      Type.Object(
        {
          keyid: Type.String({ description: 'Id of the published key that signed it' }),
          sig: Type.String({ description: 'Base64 of the Ed25519 signature over the DSSE encoding' })
        },
        exact
      ),
      { minItems: 1, maxItems: 1 }
    )
  },
  exact
)
export type ReceiptResponse = Static<typeof ReceiptResponse>

const nullable = (schema: ReturnType<typeof Type.String>) => Type.Union([schema, Type.Null()])

/** The content of a receipt, as an in-toto statement. */
export const ReceiptStatement = Type.Object(
  {
    _type: Type.Literal(statementType),
    subject: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'Id of the file' }),
          digest: Type.Object({ sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) }, exact)
        },
        exact
      ),
      { minItems: 1, maxItems: 1 }
    ),
    predicateType: Type.Literal(receiptPredicateType),
    predicate: Type.Object(
      {
        verdict: Type.Literal('clean'),
        size: Type.Integer({ minimum: 0, description: 'In bytes' }),
        scanned_at: timestamp('When the verdict was given'),
        engine: Type.String({ description: 'Scanner and its version' }),
        signatures: Type.Object(
          {
            version: nullable(
              Type.String({ description: 'Version of the official signature database; null without one' })
            ),
            date: nullable(timestamp('When that database was published; null if unknown')),
            local: nullable(
              Type.String({ description: "Fingerprint of the scanner's whole signature folder" })
            )
          },
          exact
        ),
        installation: Type.String({ description: 'Id of the installation that scanned the file' })
      },
      exact
    )
  },
  exact
)
export type ReceiptStatement = Static<typeof ReceiptStatement>

export const ReceiptKey = Type.Object(
  {
    kty: Type.Literal('OKP'),
    crv: Type.Literal('Ed25519'),
    alg: Type.Literal('EdDSA'),
    use: Type.Literal('sig'),
    kid: Type.String({ description: 'SHA-256 thumbprint of the key, by RFC 7638' }),
    x: Type.String({ description: 'The public key, base64url' }),
    valid_from: timestamp('When the key was first published'),
    revoked_at: nullable(
      timestamp('When the operator revoked it; receipts signed with it are no longer valid')
    )
  },
  exact
)
export type ReceiptKey = Static<typeof ReceiptKey>

/** A JWK set with every key that ever signed a receipt of this installation. */
export const ReceiptKeysResponse = Type.Object(
  {
    installation: Type.String({ description: 'Id of this installation, as in its receipts' }),
    keys: Type.Array(ReceiptKey)
  },
  exact
)
export type ReceiptKeysResponse = Static<typeof ReceiptKeysResponse>
