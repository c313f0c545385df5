import type { Store } from '../../../core/store/types.js'

/** Opens an empty store; `end` closes it and takes its data away. */
export type OpenStore = () => Promise<{ store: Store; end: () => Promise<void> }>

/** The store of the test that runs. */
export interface Fixture {
  readonly store: Store
}
