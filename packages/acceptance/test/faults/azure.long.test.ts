import { buckets } from '@filewright/testing'
import { testStore } from './helpers/store-tests.js'

testStore('Azure', buckets.azure)
