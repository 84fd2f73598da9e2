// Loaded before a test file. At its end it prints the CPU time of the file and of the processes that it
// started and that have ended: the measure of a test that other load does not change.
import { readFileSync } from 'node:fs'

/** Linux reports times in hundredths of a second. */
const TICKS_PER_SECOND = 100

/** Seconds; 0 on systems without /proc. */
function ofEndedChildren() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    // The second field is the name, in parentheses, and may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
  } catch {
    return 0
  }
}

if (process.env.FILEWRIGHT_REPORT_CPU_TIME === 'true') {
  // Processes that the test forks load this file, too.
  delete process.env.FILEWRIGHT_REPORT_CPU_TIME
  process.on('exit', () => {
    const { user, system } = process.cpuUsage()
    const seconds = (user + system) / 1e6 + ofEndedChildren()
    process.stdout.write(`\n# CPU time: ${seconds.toFixed(2)} s\n`)
  })
}
