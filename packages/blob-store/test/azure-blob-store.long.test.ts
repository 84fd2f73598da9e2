import t from 'tap'
import { createAzureBlobStore, type BlobStore } from '../src/index.js'
import { addressesContract } from './addresses.contract.js'
import { createContainers } from './azure-build.js'
import { blobStoreContract } from './blob-store.contract.js'

const createContainer = createContainers(t)

t.setTimeout(600_000)
const createStore = async (): Promise<BlobStore> =>
  createAzureBlobStore({ ...(await createContainer()), listPageSize: 10 })

blobStoreContract(t, createStore)
addressesContract(t, createStore)
