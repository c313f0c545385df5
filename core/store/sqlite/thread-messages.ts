import { workerData } from 'node:worker_threads'
import type { Batch, Results } from './batch.js'
import type { EngineOptions } from './engine.js'

export type ToWriter = Batch | 'close'
export type FromWriter =
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: keyof Batch; readonly results: Results }

function isOptions(value: unknown): value is EngineOptions {
  return typeof value === 'object' && value !== null && 'file' in value
}

/** What the store started this thread with. */
export function optionsOfThread(): EngineOptions {
  const options: unknown = workerData
  if (!isOptions(options)) throw new Error('this module is started as a worker thread by the store')
  return options
}
