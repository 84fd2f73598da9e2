import { runComparing } from './helpers/run-quick.js'

runComparing()
