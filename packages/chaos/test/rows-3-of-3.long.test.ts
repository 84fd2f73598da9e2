import { runPart } from './helpers/run-quick.js'

runPart(3, 3)
