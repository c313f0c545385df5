import {
  answerOf,
  Fault,
  type Given,
  type Port,
  type SchemaCompiler,
  type Static,
  type TObject,
  type TSchema,
} from '../../../../core/sdk/index.js'
import { same } from './expected.js'
import type { FixtureCase } from './fixture.js'
import { failing, ScriptError, type RecordedCalls } from './script.js'

/** The recorded answer of a port. Throws its Fault, and ScriptError for another input than the recorded one. */
export function scriptedCall<I extends TObject, O extends TSchema>(
  recorded: RecordedCalls<NonNullable<FixtureCase['calls']>[number]>,
  compiler: SchemaCompiler,
  { port, input }: { readonly port: Port<I, O>; readonly input: Given<I> },
): Static<O> {
  const filled = (given: unknown): unknown => {
    const copy: unknown = structuredClone(given)
    compiler.compileInput(port.input).check(copy)
    return copy
  }
  const entry = recorded.take(`${port.id} with ${JSON.stringify(input)}`, (each) => {
    if (each.port !== port.id) return `the next is ${each.port}`
    return each.input === undefined || same(filled(each.input), filled(input)) ? null : `expected ${JSON.stringify(each.input)}`
  })
  failing(entry.fault)
  if (entry.nothing === true) throw new Fault('missing', 'No provider had a result.')
  const output = compiler.compile(port.output)
  if (!output.check(entry.output)) throw new ScriptError(`ctx.call: the recorded output of ${port.id} does not fit: ${output.explain()}`)
  return answerOf<Static<O>>(entry.output)
}
