import { runPart } from './helpers/run-part.js'

runPart(2, 2)
