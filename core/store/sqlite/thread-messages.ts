import { isMainThread, workerData } from 'node:worker_threads'
import { trusted } from '../../sdk/trusted.js'
import type { Batch, Results } from './batch.js'
import type { EngineOptions } from './engine.js'

export type ToWriter = Batch | 'close'
export type FromWriter =
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: keyof Batch; readonly results: Results }

/** The options that the store passed to this thread. */
export function optionsOfThread(): EngineOptions {
  if (isMainThread) throw new Error('this module is started as a worker thread by the store')
  return trusted<EngineOptions>(workerData)
}
