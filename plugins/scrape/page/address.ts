import { addressViolations as violationsAt } from '../../_shared/address.js'
import type { Violation } from '../../../core/sdk/index.js'

/** Violations of a caller's address, at `url`; empty when it can be fetched. */
export function addressViolations(url: string): Violation[] {
  return violationsAt(url, { loc: ['url'] })
}
