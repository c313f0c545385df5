import { addressViolations as violationsAt } from '../../_shared/address.js'
import type { Violation } from '../../../core/sdk/index.js'

/** What is wrong with an address given by a caller, as violations at `url`; empty when it can be asked for. */
export function addressViolations(url: string): Violation[] {
  return violationsAt(url, { loc: ['url'] })
}
