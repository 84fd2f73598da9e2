/** The columns of `files`, with the property names of the record. */
export const columnList = [
  'id',
  'project_id AS "projectId"',
  'state',
  'name',
  'folder',
  'description',
  'size_bytes AS "sizeBytes"',
  'sha256',
  'type',
  'kind',
  'charset',
  'blob_key AS "blobKey"',
  'token_id AS "tokenId"',
  'lease_expires_at AS "leaseExpiresAt"',
  'created_at AS "createdAt"',
  'engine',
  'signature',
  'scanned_at AS "scannedAt"'
].join(', ')
