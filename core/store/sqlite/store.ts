import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Store } from '../types.js'
import { backup } from './backup.js'
import { reserveFile, type EngineOptions } from './engine.js'
import type { BatchQueue } from './batch-queue.js'
import { makeFolder } from './serve-lock.js'
import { readerThread, sameThread, sameThreadReader, workerThread, type Thread } from './threads.js'

/** Accounts that the ledger's thread lists itself: less than a millisecond, for which no gateway starts its reader. */
const SHORT_LIST = 100

export interface SqliteOptions {
  readonly file: string
  /** Where commands run: a separate thread for a gateway, the calling one for command-line tools and tests. */
  readonly thread: 'worker' | 'same'
  /** How long a write waits for that of another process, in ms; 2000 by default. */
  readonly busyMs?: number
  /** Size of the disk reserve that lets open calls end when the disk is full, in bytes; 0 by default. */
  readonly reserveBytes?: number
}

/** Opens the embedded ledger. Rejects with StoreRefused for a file that is corrupt, of another program or schema. */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  makeFolder(dirname(options.file))
  const { file, busyMs = 2000, reserveBytes = 0 } = options
  const engine: EngineOptions = { file, busyMs, reserveBytes }
  const thread = options.thread === 'worker' ? await workerThread(engine) : await sameThread(engine)
  const reader = options.thread === 'worker' ? readerThread(engine) : sameThreadReader(engine)
  return storeOn(thread, reader, options)
}

function storeOn(thread: Thread, reader: Thread, options: SqliteOptions): Store {
  const { queue } = thread
  const { reserveBytes = 0 } = options
  return {
    ...portsOn(queue, reader.queue),
    shared: false,
    describe: () => Promise.resolve(`SQLite ${options.file}: write-ahead log, every commit synced to the disk before it is acknowledged`),
    ping: async () => {
      await queue.call('settingsVersion')
    },
    logBytes: () => statSync(`${options.file}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    disk: {
      folder: dirname(options.file),
      // The writer deletes the reserve when the disk is full, and creates it again when there is room.
      full: () => reserveBytes > 0 && (statSync(reserveFile(options.file), { throwIfNoEntry: false })?.size ?? 0) < reserveBytes,
    },
    backup: (target) => backup(options.file, target),
    close: async () => {
      await reader.close()
      await thread.close()
    },
  }
}

/** `reads` runs reads of a size that callers choose, so that the ledger does not wait for them. */
function portsOn(
  queue: BatchQueue,
  reads: BatchQueue,
): Omit<Store, 'shared' | 'describe' | 'ping' | 'logBytes' | 'disk' | 'backup' | 'close'> {
  return {
    ledger: {
      hold: (request) => queue.call('hold', request),
      charge: (request) => queue.call('charge', request),
      release: (request) => queue.call('release', request),
      post: (request) => queue.call('post', request),
      refund: (request) => queue.call('refund', request),
      setOverage: (request) => queue.call('setOverage', request),
      delivered: (refs) => queue.call('delivered', refs),
      resolve: (account, hold) => queue.call('resolve', account, hold),
      balance: (account) => queue.call('balance', account),
      capRoom: (account, ids, now) => queue.call('capRoom', account, ids, now),
      sweep: (request) => queue.call('sweep', request),
      trim: (request) => queue.call('trim', request),
      entries: (filter) => reads.call('entries', filter),
    },
    accounts: {
      create: (request) => queue.call('accountCreate', request),
      get: (id) => queue.call('accountGet', id),
      byName: (name) => queue.call('accountByName', name),
      list: (page) => (page.offset + page.limit <= SHORT_LIST ? queue : reads).call('accountList', page),
      patch: (id, change) => queue.call('accountPatch', id, change),
    },
    keys: {
      create: (key, options) => queue.call('keyCreate', key, options),
      find: (hash) => queue.call('keyFind', hash),
      get: (account, id) => queue.call('keyGet', account, id),
      list: (account, page) => reads.call('keyList', account, page),
      revoke: (account, id, now) => queue.call('keyRevoke', account, id, now),
      expire: (account, id, at) => queue.call('keyExpire', account, id, at),
      touch: (uses) => queue.call('keyTouch', uses),
    },
    idempotency: {
      claim: (request) => queue.call('claim', request),
      keep: (request) => queue.call('keep', request),
      free: (request) => queue.call('free', request),
      finalise: (request) => queue.call('finalise', request),
    },
    history: {
      calls: (filter) => reads.call('calls', filter),
      usage: (filter) => reads.call('usage', filter),
      refused: (rows) => queue.call('refused', rows),
    },
    leases: {
      renew: (instance, now, ttlMs) => queue.call('leaseRenew', instance, now, ttlMs),
      end: (instance) => queue.call('leaseEnd', instance),
      // There is only one gateway, and named leases only avoid duplicate work.
      take: () => Promise.resolve(true),
      live: (now) => queue.call('leaseLive', now),
      dead: (now) => queue.call('leaseDead', now),
    },
    settings: {
      get: (name) => queue.call('settingGet', name),
      list: (prefix) => queue.call('settingList', prefix),
      put: (name, value) => queue.call('settingPut', name, value),
      putIfAbsent: (name, value) => queue.call('settingPutIfAbsent', name, value),
      delete: (name) => queue.call('settingDelete', name),
      version: () => queue.call('settingsVersion'),
      audit: (entry) => queue.call('audit', entry),
      auditLog: (page) => reads.call('auditLog', page),
    },
    artifacts: {
      reserve: (artifact, quota) => queue.call('artifactReserve', artifact, quota),
      grow: (growth) => queue.call('artifactGrow', growth),
      settle: (id, size) => queue.call('artifactSettle', id, size),
      get: (id) => queue.call('artifactGet', id),
      remove: (id) => queue.call('artifactRemove', id),
      expired: (now, limit) => queue.call('artifactsExpired', now, limit),
      used: (account) => queue.call('artifactsUsed', account),
    },
  }
}
