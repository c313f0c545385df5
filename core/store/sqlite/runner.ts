import { trusted } from '../../sdk/trusted.js'
import { StoreUnavailable } from '../types.js'
import type { StoreCall, Failure, Results } from './batch.js'
import { buildCommands, CACHED, type CommandName, type Commands } from './commands.js'
import { isBusy, isFull, mapFailure, NotCarriedOut } from './failure.js'
import type { DiskReserve } from './disk-reserve.js'
import type { Database } from './database.js'
import { WriteCache } from './write-cache.js'

/** A failure as sent to the calling thread. */
function failureOf(error: unknown, index: number): Failure {
  const mapped = mapFailure(error)
  const { name, message } = mapped
  const { sent, full } = mapped instanceof StoreUnavailable ? mapped : { sent: true, full: false }
  return { index, name, message, sent, full }
}

/** Runs one command with the caller's arguments, which the compiler checked there. */
export function runCall(commands: Commands, call: StoreCall): unknown {
  return trusted<(...args: readonly unknown[]) => unknown>(commands[call.name])(...call.args)
}

/** Runs the calls in order; a failed one has a failure and no value. */
export function runEach(calls: readonly StoreCall[], run: (call: StoreCall) => unknown): Results {
  const failures: Failure[] = []
  const values = calls.map((call, index) => {
    try {
      return run(call)
    } catch (error) {
      failures.push(failureOf(error, index))
      return null
    }
  })
  return { values, failures }
}

/** Commands that start new work; refused while the disk is full, so that open calls can still be ended. */
const GROWING: ReadonlySet<CommandName> = new Set<CommandName>(['hold', 'claim', 'keep', 'accountCreate', 'keyCreate', 'artifactReserve'])

/** Runs commands on one connection: reads directly, all writes of a batch in one transaction with one commit. */
export class Runner {
  readonly #db: Database
  readonly #commands: Commands
  readonly #cache: WriteCache
  readonly #reserve: DiskReserve

  constructor(db: Database, reserve: DiskReserve) {
    this.#db = db
    this.#cache = new WriteCache(db)
    this.#commands = buildCommands(db, this.#cache)
    this.#reserve = reserve
  }

  #run(call: StoreCall): unknown {
    return runCall(this.#commands, call)
  }

  #rollback(): void {
    if (this.#db.inTransaction) this.#db.exec('rollback')
  }

  reads(calls: readonly StoreCall[]): Results {
    try {
      return runEach(calls, (call) => this.#run(call))
    } finally {
      this.#cache.forget()
    }
  }

  /** All in one transaction. When one fails, the transaction is rolled back and each call gets its own. */
  writes(calls: readonly StoreCall[]): Results {
    try {
      return this.#together(calls)
    } catch (error) {
      if (isBusy(error)) return { values: calls.map(() => null), failures: calls.map((_, index) => failureOf(error, index)) }
      return runEach(calls, (call) => this.#alone(call))
    }
  }

  /** A command refused before it changed anything fails alone; any other failure rolls back all and is thrown. */
  #together(calls: readonly StoreCall[]): Results {
    this.#db.exec('begin immediate')
    // What was read before the write lock was held may have been changed by another process.
    this.#cache.forget()
    try {
      const failures: Failure[] = []
      const values = calls.map((call, index) => {
        try {
          return this.#within(call)
        } catch (error) {
          if (!(error instanceof NotCarriedOut)) throw error
          failures.push(failureOf(error, index))
          return null
        }
      })
      this.#cache.write()
      this.#db.exec('commit')
      return { values, failures }
    } catch (error) {
      this.#rollback()
      throw error
    } finally {
      this.#cache.forget()
    }
  }

  #within(call: StoreCall): unknown {
    if (this.#reserve.spent) this.#restoreReserve(call.name)
    return CACHED.has(call.name) ? this.#run(call) : this.#uncached(call)
  }

  /** Every command, also a lease renewal, tries to restore the reserve; without it only commands that end calls run. */
  #restoreReserve(name: CommandName): void {
    if (GROWING.has(name)) this.#reserve.restore()
    else this.#reserve.tryRestore()
  }

  /** Runs a command that reads or changes the cached rows in the database. */
  #uncached(call: StoreCall): unknown {
    this.#cache.write()
    this.#cache.forget()
    const value = this.#run(call)
    this.#cache.write()
    this.#cache.forget()
    return value
  }

  #alone(call: StoreCall): unknown {
    try {
      return this.#single(call)
    } catch (error) {
      if (!isFull(error)) throw error
      this.#reserve.spend()
      if (GROWING.has(call.name))
        throw new NotCarriedOut('the disk is full: new work is refused until there is free space', { cause: error, full: true })
      return this.#single(call)
    }
  }

  /** Runs one command in its own transaction; throws its failure. */
  #single(call: StoreCall): unknown {
    const { values, failures } = this.#together([call])
    const refused = failures[0]
    if (refused !== undefined) throw new NotCarriedOut(refused.message, { full: refused.full })
    return values[0]
  }
}
