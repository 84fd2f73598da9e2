import { runPart } from './helpers/run-quick.js'

runPart(1, 3)
