import type { VendorAccess } from '../../../../core/sdk/host.js'
import type { SchemaCompiler } from '../../../../core/sdk/index.js'
import type { FixtureCase } from './fixture.js'
import type { TestEnvironment } from './test-environment.js'

/** The environment of a fixture case. */
export interface ScriptedContextOptions {
  readonly fixture: FixtureCase
  readonly access: VendorAccess
  /** Address of the replayed vendor. */
  readonly url: string
  readonly once: boolean
  /** Real programs and resources instead of recorded ones. */
  readonly live: boolean
  readonly machine: TestEnvironment
  readonly compiler: SchemaCompiler
}
