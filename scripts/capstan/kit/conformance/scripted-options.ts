import type { VendorAccess } from '../../../../core/sdk/host.js'
import type { SchemaCompiler } from '../../../../core/sdk/index.js'
import type { FixtureCase } from './fixture.js'
import type { TestEnvironment } from './test-environment.js'

/** What a fixture case is played with. */
export interface ScriptedContextOptions {
  readonly fixture: FixtureCase
  readonly access: VendorAccess
  /** Where the vendor is played. */
  readonly url: string
  readonly once: boolean
  /** Real programs and resources instead of recorded ones. */
  readonly live: boolean
  readonly machine: TestEnvironment
  readonly compiler: SchemaCompiler
}
