import t from 'tap'
import { testModelContract } from '../contract.js'
import { setup } from './setup.js'

testModelContract(t, setup)
