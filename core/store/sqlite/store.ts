import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Store } from '../port.js'
import { StoreRefused } from '../refused.js'
import { backup } from './backup.js'
import type { EngineOptions } from './engine.js'
import type { Lane } from './lane.js'
import { sameThread, workerThread, type Thread } from './threads.js'

export interface SqliteOptions {
  readonly file: string
  /** Where commands run: a thread of their own for a gateway, the calling one for command-line tools and tests. */
  readonly thread: 'worker' | 'same'
  /** How long a write waits for another process's, in ms; 2000 by default. */
  readonly busyMs?: number
  /** Room kept on the disk so that open calls can be ended when it is full, in bytes; none by default. */
  readonly ballastBytes?: number
}

/** Opens the embedded ledger. Rejects with StoreRefused, one line for the operator, when the file is corrupt, foreign, or from a later version. */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  makeFolder(dirname(options.file))
  const engine: EngineOptions = { file: options.file, busyMs: options.busyMs ?? 2000, ballastBytes: options.ballastBytes ?? 0 }
  const thread = options.thread === 'worker' ? await workerThread(engine) : await sameThread(engine)
  return storeOn(thread, options)
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new StoreRefused(`the folder ${folder} cannot be made (${why}): name another one or change its rights`, { cause: error })
  }
}

function storeOn(thread: Thread, options: SqliteOptions): Store {
  const { lane } = thread
  return {
    ...portsOn(lane),
    shared: false,
    describe: () => Promise.resolve(`SQLite ${options.file}: write-ahead log, every commit synced to the disk before it is acknowledged`),
    ping: async () => {
      await lane.call('settingsVersion')
    },
    backup: (target) => backup(options.file, target),
    close: () => thread.close(),
  }
}

function portsOn(lane: Lane): Omit<Store, 'shared' | 'describe' | 'ping' | 'backup' | 'close'> {
  return {
    ledger: {
      hold: (request) => lane.call('hold', request),
      charge: (request) => lane.call('charge', request),
      release: (request) => lane.call('release', request),
      post: (request) => lane.call('post', request),
      refund: (request) => lane.call('refund', request),
      setOverage: (request) => lane.call('setOverage', request),
      delivered: (refs) => lane.call('delivered', refs),
      resolve: (account, hold) => lane.call('resolve', account, hold),
      balance: (account) => lane.call('balance', account),
      sweep: (request) => lane.call('sweep', request),
      trim: (request) => lane.call('trim', request),
      entries: (filter) => lane.call('entries', filter),
    },
    accounts: {
      create: (request) => lane.call('accountCreate', request),
      get: (id) => lane.call('accountGet', id),
      byName: (name) => lane.call('accountByName', name),
      list: (page) => lane.call('accountList', page),
      patch: (id, change) => lane.call('accountPatch', id, change),
    },
    keys: {
      create: (key) => lane.call('keyCreate', key),
      find: (hash) => lane.call('keyFind', hash),
      get: (account, id) => lane.call('keyGet', account, id),
      list: (account, page) => lane.call('keyList', account, page),
      revoke: (account, id, now) => lane.call('keyRevoke', account, id, now),
      expire: (account, id, at) => lane.call('keyExpire', account, id, at),
      touch: (uses) => lane.call('keyTouch', uses),
    },
    idempotency: {
      claim: (request) => lane.call('claim', request),
      keep: (request) => lane.call('keep', request),
      free: (request) => lane.call('free', request),
      finalise: (request) => lane.call('finalise', request),
    },
    history: {
      calls: (filter) => lane.call('calls', filter),
      usage: (filter) => lane.call('usage', filter),
      refused: (rows) => lane.call('refused', rows),
    },
    leases: {
      renew: (instance, now, ttlMs) => lane.call('leaseRenew', instance, now, ttlMs),
      end: async (instance) => {
        await lane.call('leaseEnd', instance)
        return true
      },
      take: () => Promise.resolve(true),
      live: (now) => lane.call('leaseLive', now),
      dead: (now) => lane.call('leaseDead', now),
    },
    settings: {
      get: (name) => lane.call('settingGet', name),
      list: (prefix) => lane.call('settingList', prefix),
      put: (name, value) => lane.call('settingPut', name, value),
      putIfAbsent: (name, value) => lane.call('settingPutIfAbsent', name, value),
      delete: (name) => lane.call('settingDelete', name),
      version: () => lane.call('settingsVersion'),
      audit: (entry) => lane.call('audit', entry),
      auditLog: (page) => lane.call('auditLog', page),
    },
    artifacts: {
      reserve: (artifact, quota) => lane.call('artifactReserve', artifact, quota),
      settle: (id, size) => lane.call('artifactSettle', id, size),
      get: (id) => lane.call('artifactGet', id),
      remove: (id) => lane.call('artifactRemove', id),
      expired: (now, limit) => lane.call('artifactsExpired', now, limit),
      used: (account) => lane.call('artifactsUsed', account),
    },
  }
}
