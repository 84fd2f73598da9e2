import { buckets } from '@filewright/testing'
import { testStore } from './helpers/store-tests.js'

testStore('S3', buckets.s3)
