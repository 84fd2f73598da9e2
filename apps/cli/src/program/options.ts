import { InvalidArgumentError, Option } from 'commander'

export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const number = Number(text)
    if (/^\d{1,3}$/.test(text) && number >= least && number <= most) return number
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
  }

export const verbose = (): Option => new Option('-v, --verbose', 'print a line for each file')
export const json = (): Option => new Option('--json', 'print the result as JSON')
export const parallel = (count: number): Option =>
  new Option('-p, --parallel <n>', 'how many files at a time, from 1 to 64')
    .argParser(wholeNumber(1, 64))
    .default(count)
