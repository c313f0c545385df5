import type { Clock } from '../../../../core/runtime/clock.js'
import type { Sandbox, Workers } from '../../../../core/exec/types.js'
import type { Api, Web } from '../../../../core/outbound/types.js'
import type { Resource, SchemaCompiler } from '../../../../core/sdk/index.js'

/** The environment of fixtures besides their script. */
export interface TestEnvironment {
  readonly api: Api
  /** Reaches only the replay server. */
  readonly web: Pick<Web, 'stream'>
  readonly clock: Clock
  /** One for all cases, as a gateway has one for all calls: a schema is compiled at its first use. */
  readonly compiler: SchemaCompiler
  /** Absolute path of an installed program; fixtures with `live` run only if it is installed. */
  readonly program: (name: string) => string | undefined
  /** For `ctx.work`. */
  readonly workers: Pick<Workers, 'run'> | null
  /** For `ctx.parse`, and for `ctx.exec` of live fixtures. */
  readonly sandbox: Pick<Sandbox, 'run' | 'parse' | 'parseFiles'> | null
  /** For `ctx.use` of live fixtures. */
  readonly resources: { use<R>(resource: Resource<R>, settings: Readonly<Record<string, unknown>>): Promise<R> } | null
}
