import type { LoadedCapability } from '../loader/types.js'
import { Fault, runHandler, type HandlerContribution } from '../sdk/index.js'
import type { ContextScope } from './context-scope.js'
import type { Environment } from './environment.js'
import { runWithContext } from './context.js'

/** A capability with a handler; the input is checked and frozen. */
interface Composed {
  readonly loaded: LoadedCapability
  readonly handler: HandlerContribution
  readonly input: unknown
}

/** Runs a handler and checks its result against the capability's output. Throws a `missing` Fault for null. */
export async function composed(environment: Environment, { loaded, handler, input }: Composed, scope: ContextScope): Promise<unknown> {
  const { settings, plugin } = loaded
  const data = await runWithContext(environment, { ...scope, provider: null, handler, settings, plugin }, (context) =>
    runHandler(handler, input, context),
  )
  if (data === null || data === undefined) throw new Fault('missing', 'Nothing was found.')
  if (loaded.output.check(data)) return data
  throw new TypeError(`handler of ${loaded.capability.id} answered outside its schema: ${loaded.output.explain()}`)
}
