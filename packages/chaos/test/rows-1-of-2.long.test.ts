import { runPart } from './helpers/run-part.js'

runPart(1, 2)
