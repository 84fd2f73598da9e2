import t from 'tap'
import { parseScript } from '../../src/run/targets.js'
import { createTypeReader } from '../../src/run/typed-shapes.js'
import type { Shape } from '../../src/run/shape.js'
import ts from 'typescript'

const partsOf = (shape: Shape): number =>
  1 + [...shape.props.values()].map(partsOf).reduce((sum, each) => sum + each, 0)

t.test('a type that contains itself eight times is not read to its end', async (t) => {
  const source = parseScript(
    'interface A { a: A; b: A; c: A; d: A; e: A; f: A; g: A; h: A }\ntype B = A\n',
    'typescript'
  )
  const alias = source.statements.find(ts.isTypeAliasDeclaration)

  const shape = createTypeReader(source)(alias?.type)

  t.equal(shape.props.size, 8)
  // Six levels of them would be 299,593.
  t.ok(partsOf(shape) < 3_000, `${partsOf(shape)} parts`)
})
