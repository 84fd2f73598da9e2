import { startAzuriteServer } from '@filewright/testing'
import { testStore } from './helpers/store-tests.js'

const CONTAINER = 'filewright-files'

testStore('Azure', async (t) => {
  const { endpoint, account, accountKey, createContainer, stop } = await startAzuriteServer()
  t.teardown(stop)
  await createContainer(CONTAINER)
  return {
    AZURE_CONTAINER: CONTAINER,
    AZURE_ACCOUNT: account,
    AZURE_ACCOUNT_KEY: accountKey,
    AZURE_ENDPOINT: endpoint,
    AZURE_ALLOW_HTTP: 'true'
  }
})
