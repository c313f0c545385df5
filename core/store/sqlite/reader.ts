import type { StoreCall, Results } from './batch.js'
import { buildCommands } from './commands.js'
import { Database } from './database.js'
import type { EngineOptions } from './engine.js'
import { runCall, runEach } from './runner.js'
import { WriteCache } from './write-cache.js'

interface Reader {
  /** Runs commands that only read, each on one snapshot. */
  readonly reads: (calls: readonly StoreCall[]) => Results
  readonly close: () => void
}

/** Opens a read-only connection beside the writer's, for reads whose size the caller chooses. */
export function openReader({ file, busyMs }: EngineOptions): Reader {
  const db = new Database({ file, busyMs, readOnly: true })
  const commands = buildCommands(db, new WriteCache(db))
  const begin = db.query('begin')
  const commit = db.query('commit')

  const snapshot = (call: StoreCall): unknown => {
    begin.run()
    try {
      return runCall(commands, call)
    } finally {
      if (db.inTransaction) commit.run()
    }
  }
  return { reads: (calls) => runEach(calls, snapshot), close: () => db.close() }
}
