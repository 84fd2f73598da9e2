import t from 'tap'
import { createAzureBlobStore } from '../src/index.js'
import { createContainers } from './azure-build.js'
import { blobStoreContract } from './blob-store.contract.js'

const createContainer = createContainers(t)

t.setTimeout(600_000)
blobStoreContract(t, async () => createAzureBlobStore({ ...(await createContainer()), listPageSize: 10 }))
