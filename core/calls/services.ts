import type { Clock } from '../runtime/clock.js'
import type { Balances, LedgerService } from '../credits/ledger-service.js'
import type { Deliveries, PendingRefunds } from '../credits/deliveries.js'
import type { CallEnvironments } from '../dispatch/ports.js'
import type { IdempotencyService } from './idempotency/service.js'
import type { WorkSlots } from '../limits/slots.js'
import type { UnpaidUse } from '../limits/unpaid.js'
import type { AnswerEncoder } from './encode.js'
import type { RunningCalls } from '../runtime/running.js'
import type { LedgerStore } from '../store/types.js'

/** Dependencies of a running call. */
export interface CallServices {
  readonly environments: CallEnvironments
  readonly clock: Clock
  readonly ledger: LedgerService
  readonly deliveries: Deliveries
  readonly refunds: PendingRefunds
  readonly idempotency: IdempotencyService
  readonly ledgerStore: LedgerStore
  readonly slots: WorkSlots
  readonly unpaid: UnpaidUse
  readonly running: RunningCalls
  readonly balances: Balances
  readonly encoder: AnswerEncoder
  readonly instance: string
  /** Public address that prefixes error types. */
  readonly publicUrl: () => string
  /** Largest answer in bytes. */
  readonly answerLimit: number
  /** Most bytes of an account's files and kept answers together. */
  readonly storageQuota: number
}
