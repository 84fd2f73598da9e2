#!/usr/bin/env node
import { exitCodes } from './failure.js'
import { processIo } from './io.js'
import { run } from './program.js'

// A pipe that is closed early, as by `head`, is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`The output could not be written: ${error.message}\n`)
  process.exit(exitCodes.failed)
})

process.exitCode = await run(process.argv.slice(2), processIo())
