import type { OpenGroup } from './layout.js'
import type { LocatedEntry } from './located.js'
import type { ReadSettings } from './core-settings.js'
import type { WrittenPrices } from './prices.js'
import type { WrittenProgram } from './programs.js'
import type { OpenSettings } from './vendor.js'
import type { WrittenOrder } from './waterfall.js'

/** The configuration as read and checked before plugins are loaded. */
export interface Reading {
  readonly core: ReadSettings
  readonly groups: Readonly<Record<OpenGroup, ReadonlyMap<string, LocatedEntry>>>
  readonly open: OpenSettings
  readonly fileOrders: ReadonlyMap<string, WrittenOrder>
  /** By variable. */
  readonly variableOrders: ReadonlyMap<string, WrittenOrder>
  readonly defaultOrders: ReadonlyMap<string, readonly string[]>
  readonly prices: ReadonlyMap<string, WrittenPrices>
  readonly program: (name: string) => WrittenProgram | null
}
