import { createLocalBlobStore } from '../src/index.js'
import { hangingSource, newKey } from './helpers.js'

/** A process that hangs in the middle of a write until it is killed. */
const root = process.argv[2]
if (root === undefined) throw new Error('usage: hanging-writer <root>')
setInterval(() => {}, 1_000)
void createLocalBlobStore({ root }).write(newKey(), hangingSource(Buffer.alloc(100_000)))
