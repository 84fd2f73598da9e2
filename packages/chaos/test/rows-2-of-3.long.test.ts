import { runPart } from './helpers/run-quick.js'

runPart(2, 3)
