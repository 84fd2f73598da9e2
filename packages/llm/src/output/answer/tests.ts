import type { Block } from './blocks.js'

const TEST_FILE =
  /\.stories\.|(?:^|[/._-])(?:tests?|specs?|__tests__)(?:[/._-]|$)|_test\.|test_\w+\.py|Tests?\.\w+$/
const TEST_LABEL = /\b(?:unit |integration )?(?:tests?|specs?|test cases?)\b/i
const TEST_CODE =
  /^[ \t]*(?:describe|it|test)(?:\.\w+)?[ \t]{0,4}\([ \t]{0,4}['"`]|^[ \t]*(?:import|from) (?:unittest|pytest)\b|^[ \t]*def test_|^func Test\w*\(\w+ \*testing\.|^[ \t]*@Test\b|#\[cfg\(test\)\]|^import .{0,60}['"](?:node:test|vitest|@jest\/globals|tap)['"]/m

/** Whether a block contains tests of the code instead of the code. */
export function hasOnlyTests({ file, code, label, outline }: Block): boolean {
  return (
    TEST_FILE.test(file ?? '') ||
    TEST_CODE.test(code) ||
    (outline.functions.size === 0 && TEST_LABEL.test(label) && /\b(?:assert|expect|should)\b/.test(code))
  )
}
