import { buckets } from '@filewright/testing'
import { testStore } from './helpers/store-tests.js'

testStore('Google Cloud Storage', buckets.gcs, { hasAddresses: false })
